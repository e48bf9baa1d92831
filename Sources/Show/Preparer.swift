internal import Engine
internal import Synchronization

/// Makes schedules one after the other on threads of their own: a plugin may take seconds until it is ready.
final class Preparer: Sendable {
    /// What a schedule is made for.
    enum Purpose: Sendable, Equatable {
        /// A song that is to be played, or may be next.
        case song(Int)
        /// An edited pipeline in the place of the one that plays.
        case edit
        /// The pipeline that plays, without what has rung out.
        case settle
        /// The pipeline that plays, with fresh processors.
        case anew
    }

    /// What came of it.
    struct Result: Sendable {
        let purpose: Purpose
        let outcome: Swift.Result<Schedule, PreparationFault>
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void
    private let isThreaded: Bool

    private struct State {
        var purpose: Purpose?
        var result: Result?
    }

    /// A preparer at rest.
    ///
    /// - Parameters:
    ///   - isThreaded: Whether work is done on another thread; otherwise it is done at once.
    ///   - wake: Called on any thread when something is ready.
    init(isThreaded: Bool, wake: @escaping @Sendable () -> Void) {
        self.isThreaded = isThreaded
        self.wake = wake
    }

    /// What is being prepared, or waits to be taken.
    var purpose: Purpose? { state.withLock { $0.purpose } }

    /// Begins to prepare; nothing else may be under way.
    func prepare(
        for purpose: Purpose, _ work: @escaping @Sendable () throws(PreparationFault) -> Schedule
    ) {
        state.withLock { $0.purpose = purpose }
        guard isThreaded else { return finish(purpose, work) }
        _ = Errand { [self] in finish(purpose, work) }
    }

    /// What is ready, once.
    func take() -> Result? {
        state.withLock { state in
            guard let result = state.result else { return nil }
            state = State()
            return result
        }
    }

    private func finish(
        _ purpose: Purpose, _ work: () throws(PreparationFault) -> Schedule
    ) {
        let result = Result(purpose: purpose, outcome: Swift.Result(catching: work))
        state.withLock { $0.result = result }
        wake()
    }
}
