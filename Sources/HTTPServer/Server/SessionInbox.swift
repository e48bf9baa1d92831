internal import SessionCore
internal import Synchronization

/// Passes answers and events from the session's thread to the server's thread; neither waits for the
/// other.
///
/// It contains the newest value of each address, the highest peak of each port, and a limited number
/// of other events.
final class SessionInbox: Sendable {
    /// A level since the inbox was last emptied, in dB.
    struct Level {
        var peak: Double
        var rms: Double
    }

    /// The contents since they were last removed, except levels.
    struct Contents {
        /// Each answer with the number of its request.
        var answers: [(number: Int, answer: Answer)] = []
        var values: [String: Value] = [:]
        var reports: [String: NodeReport] = [:]
        /// All other events, in order.
        var events: [SessionEvent] = []
        /// The number of events that did not fit.
        var droppedCount = 0
        /// Whether the description of the session has changed.
        var isDescriptionOld = false

        /// The last description among the answers.
        var newestDescription: SessionDescription? {
            for case (_, .description(let description)) in answers.reversed() { return description }
            return nil
        }
    }

    /// Levels, load and pitch since they were last removed.
    struct Measurements {
        var levels: [String: Level] = [:]
        /// The levels of nodes, by the names of their channels.
        var nodeLevels: [String: Level] = [:]
        /// The spectra of nodes, by their ids.
        var spectra: [String: [Double]] = [:]
        var load: (mean: Double, worst: Double)?
        var pitchHertz: Double?
    }

    /// The largest number of events between two turns of the server's thread.
    fileprivate static let mostEvents = 1024

    fileprivate struct State {
        var contents = Contents()
        var measurements = Measurements()
        var hasPages = false
        var hasMeters = false
        var isWoken = false
        var isWokenForMeters = false
        var wake: (@Sendable () -> Void)?
        var wakeForMeters: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Sets the functions that make the server's thread empty the inbox; they must return at once.
    func begin(
        wake: @escaping @Sendable () -> Void, wakeForMeters: @escaping @Sendable () -> Void
    ) {
        let hasContents = state.withLock { state in
            (state.wake, state.wakeForMeters) = (wake, wakeForMeters)
            return state.isWoken
        }
        if hasContents { wake() }
    }

    /// Forgets the functions, so that nothing wakes the server's thread any more.
    func end() { state.withLock { ($0.wake, $0.wakeForMeters) = (nil, nil) } }

    /// Notes whether any client wants values, and whether any client wants meters.
    func listen(pages: Bool, meters: Bool) {
        state.withLock { ($0.hasPages, $0.hasMeters) = (pages, meters) }
    }

    /// Adds the answer to a request.
    func put(_ answer: Answer, to number: Int) {
        change { $0.contents.answers.append((number, answer)) }
    }

    /// Adds an event; values and levels are ignored if no client wants them.
    func put(_ event: SessionEvent) {
        switch event {
        case .valueChanged(let entry):
            changeForPages { $0.contents.values[entry.address] = entry.value }
        case .reportChanged(let report):
            changeForPages { $0.contents.reports[report.address] = report }
        case .level(let port, let peak, let rms):
            measure { $0.levels.add(peak, rms, to: port) }
        case .nodeLevels(let levels):
            measure { measurements in
                for level in levels {
                    measurements.nodeLevels.add(level.peak, level.rms, to: level.channelName)
                }
            }
        case .spectrum(let spectrum):
            measure { $0.spectra[spectrum.node] = spectrum.levels }
        case .load(let mean, let worst, _):
            measure { $0.load = (mean, max(worst, $0.load?.worst ?? worst)) }
        case .pitch(let hertz): measure { $0.pitchHertz = hertz }
        case .addressesChanged, .overviewChanged:
            change { $0.contents.isDescriptionOld = true }
        case .fileEditRequested: break
        default: change { $0.add(event) }
        }
    }

    private func changeForPages(_ body: (inout State) -> Void) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.hasPages else { return nil }
            return Self.change(&state, body)
        }
        wake?()
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { Self.change(&$0, body) }?()
    }

    private static func change(
        _ state: inout State, _ body: (inout State) -> Void
    ) -> (@Sendable () -> Void)? {
        body(&state)
        guard !state.isWoken else { return nil }
        state.isWoken = true
        return state.wake
    }

    private func measure(_ body: (inout Measurements) -> Void) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.hasMeters else { return nil }
            body(&state.measurements)
            guard !state.isWokenForMeters else { return nil }
            state.isWokenForMeters = true
            return state.wakeForMeters
        }
        wake?()
    }

    /// Removes and returns the contents.
    func popAll() -> Contents {
        state.withLock { state in
            defer { state.contents = Contents() }
            state.isWoken = false
            return state.contents
        }
    }

    /// Removes and returns levels, load and pitch.
    func popMeasurements() -> Measurements {
        state.withLock { state in
            defer { state.measurements = Measurements() }
            state.isWokenForMeters = false
            return state.measurements
        }
    }
}

extension SessionInbox.State {
    /// Adds an event, or counts it if there is no room.
    fileprivate mutating func add(_ event: SessionEvent) {
        guard contents.events.count < SessionInbox.mostEvents else {
            contents.droppedCount += 1
            // The description has what the event says of files and edits.
            contents.isDescriptionOld = true
            return
        }
        contents.events.append(event)
    }
}

extension [String: SessionInbox.Level] {
    /// Adds a level, and keeps the higher peak.
    fileprivate mutating func add(_ peak: Double, _ rms: Double, to name: String) {
        let former = self[name]?.peak ?? peak
        self[name] = SessionInbox.Level(peak: Swift.max(peak, former), rms: rms)
    }
}

extension NodeLevel {
    /// The name of a channel of a node; ids of nodes contain no colon.
    static func channelName(_ node: String, _ channel: Int) -> String { "\(node):\(channel)" }

    /// The name of the channel.
    fileprivate var channelName: String { Self.channelName(node, channel) }
}
