package import Engine
internal import Synchronization
internal import Platform

/// Prepares schedules one after the other on a separate thread, because loading a plugin can take
/// seconds.
///
/// The same thread prepares all schedules: the C library gives each thread its own heap, which
/// keeps the memory that it once used.
package final class Preparer: Sendable {
    /// The purpose of a schedule.
    package enum Purpose: Sendable, Equatable {
        /// A song that is requested or may be requested next.
        case song(Int)
        /// An edited pipeline that replaces the active one.
        case edit
        /// The active pipeline without the nodes that have rung out.
        case settle
        /// The active pipeline with new processors.
        case restart
        /// The nodes that the scenes of the active pipeline need.
        case variants
    }

    /// The product of a preparation.
    package enum Product: Sendable {
        /// A schedule.
        case schedule(Schedule)
        /// The nodes of a song that begins within the outer level of the active schedule.
        case song(PreparedSong)
        /// The nodes that scenes need, which the active schedule has now.
        case variants
    }

    /// A prepared product, or the reason why the preparation failed.
    package struct Result: Sendable {
        package let purpose: Purpose
        package let outcome: Swift.Result<Product, PreparationError>
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

    /// A message to the preparing thread.
    private enum Job: Sendable {
        case work(@Sendable () -> Void)
        case end
    }

    /// Creates an idle preparer.
    ///
    /// - Parameters:
    ///   - isThreaded: Whether a separate thread prepares schedules. If not, `prepare` returns when
    ///     the schedule is prepared.
    ///   - wake: Called when a result is ready, on any thread.
    package init(isThreaded: Bool, wake: @escaping @Sendable () -> Void) {
        self.isThreaded = isThreaded
        self.wake = wake
    }

    /// The purpose of the schedule that is being prepared or has not been used yet; `nil` if the
    /// preparer is idle.
    package var purpose: Purpose? { state.withLock { $0.purpose } }

    /// Starts to prepare a schedule.
    ///
    /// The preparer must be idle: `purpose` is `nil`.
    package func prepare(
        for purpose: Purpose, _ work: @escaping @Sendable () throws(PreparationError) -> Product
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

    /// Removes and returns the result; `nil` if no result is ready.
    package func popResult() -> Result? {
        state.withLock { state in
            guard let result = state.result else { return nil }
            (state.purpose, state.result) = (nil, nil)
            return result
        }
    }

    private func finish(
        _ purpose: Purpose, _ work: () throws(PreparationError) -> Product
    ) {
        let result = Result(purpose: purpose, outcome: Swift.Result(catching: work))
        state.withLock { $0.result = result }
        wake()
    }
}
