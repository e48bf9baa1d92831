internal import BlackBox
internal import CRealtime
internal import Engine
internal import JackHost
internal import Pipelines
internal import Platform
internal import Processing
internal import SessionCore
internal import Synchronization

/// The black boxes of a run: one for the engine that plays, and one for an engine that is being
/// replaced.
final class BlackBoxes: Sendable {
    /// The shortest time between two boxes that nobody has asked for, in ns: a late machine must not
    /// fill the disk.
    private static let pauseNanoseconds: UInt64 = 120_000_000_000

    private let options: BoxOptions
    private let name: String
    private let inputChannels: Int
    private let notify: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var boxes: [BlackBox] = []
        var remote: SessionRemote?
        /// The time from which the next box may be written without a request.
        var dueNanoseconds: UInt64 = 0
        var count = 0
    }

    /// Creates black boxes.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - songs: The songs, for their inputs.
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

    /// Returns a capture for a new engine; `nil` if the black box is off or there is no memory.
    @Sendable
    func capture(_ format: AudioFormat) -> EngineCapture? {
        guard options.seconds > 0 else { return nil }
        var box = BlackBox.Options(
            program: Version.text, name: name, sampleRate: format.sampleRate,
            blockFrames: format.maximumBlockFrames, inputChannels: inputChannels,
            memoryFolder: BoxRescue.memoryFolder)
        (box.seconds, box.isPrivate) = (options.seconds, options.isPrivate)
        var message = ""
        guard let made = BlackBox(box, message: &message) else {
            notify("no black box: \(message)")
            return nil
        }
        state.withLock { $0.boxes.append(made) }
        return made.capture
    }

    /// Announces boxes by the session, and writes the boxes of runs that have died.
    func begin(_ remote: SessionRemote) {
        state.withLock { $0.remote = remote }
        rescue()
    }

    /// Ends all boxes, when no engine renders any more.
    func end() {
        let boxes = state.withLock { state in
            defer { state.boxes = [] }
            return state.boxes
        }
        for box in boxes { box.end() }
    }

    // MARK: Events

    /// Writes a box if an event is a reason for it.
    func receive(_ event: SessionEvent) {
        switch event {
        case .boxRequested: keep(BoxReason(.keep, text: "on request"), isRequested: true)
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
        case .switched: endReplaced()
        default: break
        }
    }

    /// Ends the boxes of engines that were replaced.
    private func endReplaced() {
        let old = state.withLock { state in
            defer { state.boxes = state.boxes.suffix(1) }
            return state.boxes.dropLast()
        }
        for box in old { box.end() }
    }

    private func keep(_ reason: BoxReason, isRequested: Bool = false) {
        let now = rt_nanoseconds()
        let found: (BlackBox, SessionRemote)? = state.withLock { state in
            guard let box = state.boxes.last, let remote = state.remote else { return nil }
            guard isRequested || now >= state.dueNanoseconds else { return nil }
            if !isRequested { state.dueNanoseconds = now + Self.pauseNanoseconds }
            return (box, remote)
        }
        guard let (box, remote) = found else {
            if isRequested {
                state.withLock(\.remote)?.announceMissingBox("the black box is switched off")
            }
            return
        }
        guard let path = path(named: name, reason.kind) else {
            return remote.announceMissingBox("there is no folder for it: set HOME")
        }
        box.keep(reason, in: path) { result in
            switch result {
            case .success(let path):
                remote.announceBox(path: path, reason: reason.text)
                BoxFolder()?.removeOld()
            case .failure(let error): remote.announceMissingBox("\(error)")
            }
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
