import Dispatch
import Effects
import Engine
import Pipelines
import Processing
import SessionCore
import Synchronization

/// A session of two songs whose engine runs all the time, into memory, behind a control.
final class PlayingSession: SessionControl {
    private let queue = DispatchQueue(label: "playing session")
    private let held: Held
    private let descriptions = Atomic(0)

    /// The number of times the whole session was described.
    var descriptionCount: Int { descriptions.load(ordering: .relaxed) }

    /// The text of the first song; the second one has another gain.
    private static let song = """
        { "version": 1, "inputs": { "mic": { "channels": 1 }, "line": { "channels": 2 } },
          "outputs": { "out": { "channels": 2, "from": "desk" } },
          "nodes": [ { "id": "warm", "type": "gain", "from": "mic" },
                     { "id": "level", "type": "meter", "from": "warm" },
                     { "id": "desk", "type": "mixer", "from": ["mic", "line", "warm"] } ],
          "scenes": { "soft": { "warm.gain": -12 }, "loud": { "warm.gain": 0 } } }
        """

    // SAFETY: only closures on `queue` use it.
    private final class Held: @unchecked Sendable {
        private static let blockFrames = 64
        let session: Session
        private let input: UnsafeMutablePointer<Float>
        private let outputs: [UnsafeMutablePointer<Float>]

        init(_ session: Session) {
            self.session = session
            let input = UnsafeMutablePointer<Float>.allocate(capacity: Self.blockFrames)
            input.initialize(repeating: 0.5, count: Self.blockFrames)
            self.input = input
            outputs = (0..<EnginePorts.maximumChannels).map { _ in
                let output = UnsafeMutablePointer<Float>.allocate(capacity: Self.blockFrames)
                output.initialize(repeating: 0, count: Self.blockFrames)
                return output
            }
        }

        deinit {
            input.deallocate()
            for output in outputs { output.deallocate() }
        }

        func play() {
            let inputs = [UnsafePointer<Float>](
                repeating: UnsafePointer(input), count: EnginePorts.maximumChannels)
            for _ in 0..<4 {
                session.engine.audio.render(
                    frameCount: Self.blockFrames, inputs: inputs, outputs: outputs)
            }
            _ = session.advance()
        }
    }

    init() throws {
        let catalogue = Catalogue(effects: EffectCatalogue.effects, plugins: NoPlugins())
        let songs = try ["one", "two"].enumerated().map { index, name in
            let text = Self.song.replacing("-12", with: index == 0 ? "-12" : "-6")
            let pipeline = try Pipeline(
                decoding: Array(text.utf8), file: "\(name).json", catalogue: catalogue)
            var song = Song(name: name, pipeline: pipeline, path: "/songs/\(name).json")
            song.notes = "capo \(index + 1)"
            return song
        }
        var options = Session.Options()
        options.fadesIn = false
        let held = Held(
            try Session(
                playing: SongCollection(name: "night", songs: songs, isSetlist: true),
                catalogue: catalogue,
                format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64),
                options: options))
        self.held = held
        Self.play(held, on: queue)
    }

    /// Plays a little sound every few milliseconds, as long as the session exists.
    private static func play(_ held: Held, on queue: DispatchQueue) {
        queue.asyncAfter(deadline: .now() + .milliseconds(5)) { [weak held] in
            guard let held else { return }
            held.play()
            play(held, on: queue)
        }
    }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        if request == .describe { descriptions.add(1, ordering: .relaxed) }
        queue.async { [held] in
            answer(held.session.perform(request, from: .remote, later: answer))
        }
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        queue.async { [held] in held.session.watch(for: ObjectIdentifier(held), watcher) }
    }

    /// Publishes an event of the host.
    func publish(_ event: SessionEvent) { queue.async { [held] in held.session.publish(event) } }

    /// Carries out the session's orders to edit and read files, as a host does.
    ///
    /// - Parameter host: Returns the result of an order; called on the session's thread.
    func serve(_ host: @escaping @Sendable (FileEditOrder) -> FileEditResult) {
        let queue = queue
        queue.sync { [held] in
            held.session.watch(for: ObjectIdentifier(queue)) { [weak held] event in
                guard case .fileEditRequested(let order) = event else { return }
                queue.async { [held] in
                    held?.session.finishFileEdit(order.number, host(order), songs: nil)
                }
            }
        }
    }

    /// Announces the files that play, as a host does.
    func announce(_ files: SessionFiles) {
        queue.async { [held] in held.session.follow(files) }
    }

    /// Performs a request on this thread, and returns its answer.
    @discardableResult
    func perform(_ request: SessionRequest) -> Answer {
        queue.sync { [held] in held.session.perform(request) }
    }

    /// Sets a value on this thread.
    func set(_ address: String, _ number: Double) { perform(.set(address, .number(number))) }
}
