internal import Platform

/// One connection attempt: a child process, its sound, and its log.
final class StreamAttempt {
    /// The arguments of the child.
    private let command: StreamCommand
    private let gateway: StreamGateway
    /// The facts from the child's log.
    private(set) var facts = StreamFacts()
    /// The number of frames that the child has delivered.
    private(set) var arrivedFrames = 0
    /// The pipe with the log; -1 once it is closed.
    private(set) var log: Int32
    /// The pipe with the sound; -1 once it is closed.
    private(set) var sound: Int32

    private let child: StreamChild
    private var lines = LineReader()
    private let reader: SoundReader
    private var patientUntilSeconds: Double
    private let stallSeconds: Double

    /// The time limit for the rest of the log after the sound has ended, in seconds.
    private static let lastOutputSeconds = 0.5

    /// Starts a child.
    ///
    /// - Parameters:
    ///   - command: The arguments of the child.
    ///   - gateway: The gateway through which the child fetches.
    ///   - stallSeconds: The longest time without sound, in seconds.
    /// - Throws: The reason why the child cannot be started.
    init(
        _ command: StreamCommand, gateway: StreamGateway, stallSeconds: Double
    ) throws(StreamError) {
        self.command = command
        self.gateway = gateway
        self.stallSeconds = stallSeconds
        child = try StreamChild(command.arguments)
        log = child.log
        sound = child.sound
        reader = SoundReader(
            channels: command.format.channels, skippedFrames: command.start.skippedFrames)
        patientUntilSeconds = MonotonicTime.nowSeconds + stallSeconds
    }

    /// The time by which the child must have delivered sound, in seconds of the monotonic clock.
    var deadlineSeconds: Double { patientUntilSeconds }

    /// Whether nothing more will arrive.
    var isOver: Bool { sound < 0 && (log < 0 || MonotonicTime.nowSeconds >= patientUntilSeconds) }

    /// Whether the child has delivered no sound within the time limit.
    var isStalled: Bool { sound >= 0 && MonotonicTime.nowSeconds >= patientUntilSeconds }

    /// Restarts the time limit, because no sound is expected now.
    func extendDeadline() {
        if sound >= 0 { patientUntilSeconds = MonotonicTime.nowSeconds + stallSeconds }
    }

    /// Ends the child, and adds its success and the gateway's error to the facts.
    func end() {
        facts.isDone = child.end()
        if let error = gateway.error { facts.add(.error(error)) }
    }

    /// Reads the log.
    ///
    /// - Parameter report: Receives each title.
    func readLog(_ report: (String) -> Void) {
        guard log >= 0 else { return }
        let isOpen = lines.read(from: log) { line in
            guard let word = LogLine(line, input: command.input) else { return }
            facts.add(word)
            if case .title(let text) = word { report(StreamTitle.cleaned(text)) }
        }
        if !isOpen { log = -1 }
    }

    /// Reads the sound.
    ///
    /// - Parameters:
    ///   - roomFrames: The largest number of frames to read.
    ///   - deliver: Receives the frames.
    func read(roomFrames: Int, _ deliver: (Int, UnsafePointer<Float>) -> Void) {
        guard sound >= 0, roomFrames > 0 else { return }
        switch reader.read(from: sound, roomFrames: roomFrames, deliver) {
        case .nothing: break
        case .frames(let frames):
            arrivedFrames += frames
            extendDeadline()
        case .closed:
            sound = -1
            patientUntilSeconds = MonotonicTime.nowSeconds + Self.lastOutputSeconds
        }
    }
}
