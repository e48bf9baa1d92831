internal import Threads

/// One connection: a child, what it gives, and what its log told.
final class StreamAttempt {
    /// How the child was called.
    let command: StreamCommand
    /// What its log told.
    private(set) var facts = StreamFacts()
    /// Frames that it gave.
    private(set) var cameFrames = 0
    /// The pipe that its log comes through; -1 once that is closed.
    private(set) var log: Int32
    /// The pipe that its sound comes through; -1 once that is closed.
    private(set) var sound: Int32

    private let child: StreamChild
    private var lines = LineReader()
    private let reader: SoundReader
    private var patientUntilSeconds: Double
    private let stallSeconds: Double

    /// The rest of the log of a child that gave all its sound has to come within so long.
    private static let lastWordsSeconds = 0.5

    /// Starts a child.
    ///
    /// - Parameters:
    ///   - command: How it is called.
    ///   - stallSeconds: How long nothing may come.
    /// - Throws: Why it cannot be started.
    init(_ command: StreamCommand, stallSeconds: Double) throws(StreamFault) {
        self.command = command
        self.stallSeconds = stallSeconds
        child = try StreamChild(command.arguments)
        log = child.log
        sound = child.sound
        reader = SoundReader(
            channels: command.format.channels, skippedFrames: command.start.skippedFrames)
        patientUntilSeconds = MonotonicTime.nowSeconds + stallSeconds
    }

    /// When it has to have given something.
    var deadlineSeconds: Double { patientUntilSeconds }

    /// Whether there is nothing more to come.
    var isOver: Bool { sound < 0 && (log < 0 || MonotonicTime.nowSeconds >= patientUntilSeconds) }

    /// Whether it should have given something by now.
    var isStalled: Bool { sound >= 0 && MonotonicTime.nowSeconds >= patientUntilSeconds }

    /// Nothing is expected of it at present.
    func excuse() {
        if sound >= 0 { patientUntilSeconds = MonotonicTime.nowSeconds + stallSeconds }
    }

    /// Ends the child; what it told holds then also whether it was done.
    func end() { facts.isDone = child.end() }

    /// Takes what its log says.
    ///
    /// - Parameter tell: Is given each title.
    func hear(_ tell: (String) -> Void) {
        guard log >= 0 else { return }
        let isOpen = lines.read(from: log) { line in
            guard let word = StreamWord(line, url: command.url) else { return }
            facts.take(word)
            if case .title(let text) = word { tell(StreamTitle.cleaned(text)) }
        }
        if !isOpen { log = -1 }
    }

    /// Takes its sound.
    ///
    /// - Parameters:
    ///   - roomFrames: How much is wanted at most.
    ///   - deliver: Is given the frames.
    func take(roomFrames: Int, _ deliver: (Int, UnsafePointer<Float>) -> Void) {
        guard sound >= 0, roomFrames > 0 else { return }
        switch reader.read(from: sound, roomFrames: roomFrames, deliver) {
        case .nothing: break
        case .frames(let frames):
            cameFrames += frames
            excuse()
        case .closed:
            sound = -1
            patientUntilSeconds = MonotonicTime.nowSeconds + Self.lastWordsSeconds
        }
    }
}
