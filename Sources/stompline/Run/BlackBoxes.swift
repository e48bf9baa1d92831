internal import BlackBox
internal import CRealtime
internal import Engine
internal import JackHost
internal import Pipelines
internal import Platform
internal import Processing
internal import SessionCore
internal import Synchronization

/// The black boxes of a run: one for the session that plays, and one for each session that is being
/// prepared to replace it.
final class BlackBoxes: EngineCaptures {
    private let options: BoxOptions
    private let name: String
    private let inputChannels: Int
    /// Whether a node of a song keeps sound, such as a loop.
    private let keepsSound: Bool
    private let notify: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var boxes = EngineBoxes<BlackBox>()
        var remote: SessionRemote?
        var pauses = BoxPauses()
        var count = 0
    }

    /// Creates black boxes.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - songs: The songs, for their inputs and loops.
    ///   - notify: Shows a line.
    init(
        _ options: BoxOptions, for songs: SongCollection,
        notify: @escaping @Sendable (String) -> Void
    ) {
        self.options = options
        name = songs.name
        self.notify = notify
        inputChannels =
            songs.songs.map { song in
                song.pipeline.inputs.filter { $0.kind == .audio }.map(\.channels).reduce(0, +)
            }.max() ?? 0
        keepsSound = songs.songs.contains { song in
            song.pipeline.nodes.contains { $0.description.keepsSound }
        }
    }

    /// Writes the boxes of runs that have died, on another thread: after a crash the show must
    /// continue at once.
    private func rescue() {
        guard options.seconds > 0 else { return }
        _ = BlockingTask { [self] in
            let results = BoxRescue.rescue(from: BoxRescue.memoryFolder) {
                path(named: $0, .crash)
            }
            for result in results {
                switch result {
                case .success(let path):
                    notify("an earlier run has died; its last minutes are in \(path)")
                case .failure(let error):
                    notify(
                        "the last minutes of a run that died stay in memory for the next run: "
                            + "\(error)")
                }
            }
            BoxFolder()?.removeOld()
        }
    }

    /// Returns a capture for the engine of a session; `nil` if the black box is off or there is no
    /// memory.
    func makeCapture(ofSession number: Int, _ format: AudioFormat) -> EngineCapture? {
        guard options.seconds > 0 else { return nil }
        var box = BlackBox.Options(
            program: Version.text, name: name, sampleRate: format.sampleRate,
            blockFrames: format.maximumBlockFrames, inputChannels: inputChannels,
            memoryFolder: BoxRescue.memoryFolder)
        (box.seconds, box.isPrivate) = (options.seconds, options.isPrivate)
        box.keepsSound = keepsSound
        var message = ""
        guard let made = BlackBox(box, message: &message) else {
            notify("no black box: \(message)")
            // Otherwise the box of a former engine would be kept as the present one.
            let error = BoxError("there is no black box: \(message)")
            state.withLock { $0.boxes.add(.failure(error), ofSession: number) }
            return nil
        }
        if box.fittingSeconds < options.seconds { notify(Self.line(for: box)) }
        state.withLock { $0.boxes.add(.success(made), ofSession: number) }
        return made.capture
    }

    /// Says that the time to keep does not fit into the memory.
    private static func line(for box: BlackBox.Options) -> String {
        "the black box keeps \(Int(box.fittingSeconds)) s instead of \(Int(box.seconds)) s: more "
            + "does not fit into \(ByteCount(BlackBox.Options.mostBytes)) "
            + "(input channels: \(box.inputChannels)\(box.keepsSound ? ", and loops" : ""))"
    }

    /// Announces boxes by the session, and writes the boxes of runs that have died.
    func begin(_ remote: SessionRemote) {
        state.withLock { $0.remote = remote }
        rescue()
    }

    /// Ends all boxes, when no engine renders any more.
    func end() {
        for box in state.withLock({ $0.boxes.removeAll() }) { box.end() }
    }

    // MARK: Events

    /// Writes a box if an event is a reason for it.
    func receive(_ event: SessionEvent) {
        switch event {
        case .boxRequested(let number):
            keep(BoxReason(.keep, text: "on request"), request: number)
        case .overrun(let node, let overrun):
            let periods = (Double(overrun.periods) * 100).rounded() / 100
            keep(BoxReason(.late, node: node, text: "a cycle took \(periods) periods"))
        case .xruns: keep(BoxReason(.late, text: "an xrun"))
        case .panic: keep(BoxReason(.panic, text: "a panic"))
        case .nonFinite(let node):
            keep(BoxReason(.notFinite, node: node, text: "\(node) produced NaN or infinity"))
        case .incident(let node, _, .lost(let reason)),
            .incident(let node, _, .abandoned(let reason)):
            keep(BoxReason(.plugin, node: node, text: "\(node): \(reason)"))
        default: break
        }
    }

    /// Ends the box of the session that was replaced.
    func sessionPlays(_ number: Int) {
        state.withLock { $0.boxes.play(session: number) }?.end()
    }

    /// Ends the box of a session that will not play.
    func sessionIsDropped(_ number: Int) {
        state.withLock { $0.boxes.drop(session: number) }?.end()
    }

    /// Writes a box of the session that plays, unless another one of its kind was written recently.
    ///
    /// - Parameters:
    ///   - reason: The reason for the box.
    ///   - request: The number of the request for it; `nil` if nobody asked.
    private func keep(_ reason: BoxReason, request: Int? = nil) {
        guard let remote = state.withLock(\.remote) else { return }
        guard let current = state.withLock(\.boxes.current) else {
            if let request {
                remote.announceMissingBox("the black box is switched off", request: request)
            }
            return
        }
        if request == nil {
            // The start has reported that there is no box.
            guard case .success = current,
                state.withLock({ $0.pauses.begin(reason.kind, at: rt_nanoseconds()) })
            else { return }
        }
        write(current, reason) { [self] result in
            if request == nil {
                let isWritten = (try? result.get()) != nil
                state.withLock {
                    $0.pauses.end(reason.kind, at: rt_nanoseconds(), isWritten: isWritten)
                }
            }
            switch result {
            case .success(let path):
                remote.announceBox(path: path, reason: reason.text, request: request)
                BoxFolder()?.removeOld()
            case .failure(let error): remote.announceMissingBox("\(error)", request: request)
            }
        }
    }

    /// Writes a box, and calls a function with its path.
    private func write(
        _ entry: EngineBoxes<BlackBox>.Entry, _ reason: BoxReason,
        done: @escaping @Sendable (Result<String, BoxError>) -> Void
    ) {
        switch entry {
        case .failure(let error): done(.failure(error))
        case .success(let box):
            guard let path = path(named: name, reason.kind) else {
                return done(.failure(BoxError("there is no folder for it: set HOME")))
            }
            box.keep(reason, in: path, done: done)
        }
    }

    /// Returns the path of a new box; `nil` without a folder.
    private func path(named name: String, _ kind: BoxReason.Kind) -> String? {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        return BoxFolder()?.newBox(of: name, number: number, kind)
    }
}
