internal import Engine
internal import Synchronization
internal import Threads

/// Makes schedules one after the other on a thread of its own: a plugin may take seconds until it is ready.
///
/// It is one thread for all, since each thread has a heap of its own, which keeps what it once took.
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
    private let jobs = Mailbox<Job>()

    private struct State {
        var purpose: Purpose?
        var result: Result?
        var hasThread = false
    }

    /// What the thread is told.
    private enum Job: Sendable {
        case work(@Sendable () -> Void)
        case end
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
        startThread()
        jobs.post(.work { [weak self] in self?.finish(purpose, work) })
    }

    deinit { jobs.post(.end) }

    private func startThread() {
        let isNew = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isNew else { return }
        OwnThread.start(name: "preparer") { [jobs] in
            while true {
                for job in jobs.wait(untilNanoseconds: .max) {
                    guard case .work(let work) = job else { return }
                    work()
                }
            }
        }
    }

    /// What is ready, once.
    func take() -> Result? {
        state.withLock { state in
            guard let result = state.result else { return nil }
            (state.purpose, state.result) = (nil, nil)
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
