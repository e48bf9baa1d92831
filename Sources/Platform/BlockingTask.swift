internal import CRealtime

/// A blocking task on a separate thread, so that a task that never ends delays no other thread.
///
/// The objects that the work uses stay alive until it is done.
package final class BlockingTask: Sendable {
    // SAFETY: only the task's own thread accesses it.
    private nonisolated(unsafe) var work: (@Sendable () -> Void)?
    private let doneMessages = Mailbox<Void>()

    /// Starts the work at once.
    ///
    /// If the system has no thread left, the calling thread does the work, because other threads
    /// may wait for the result.
    ///
    /// - Parameters:
    ///   - threads: The thread pool.
    ///   - work: The work.
    package init(
        on threads: BlockingTaskPool = .shared, _ work: @escaping @Sendable () -> Void
    ) {
        self.work = work
        threads.run(self)
    }

    /// Returns whether the work is done, after a limited wait.
    ///
    /// Only one thread may call it, and only until it has returned `true`.
    package func isDone(withinSeconds seconds: Double) -> Bool {
        isDone(untilNanoseconds: rt_nanoseconds() + UInt64(seconds * 1e9))
    }

    /// Returns whether the work is done, after a wait until a time in ns of the monotonic clock.
    package func isDone(untilNanoseconds time: UInt64) -> Bool {
        !doneMessages.wait(untilNanoseconds: time).isEmpty
    }

    /// Waits until the work is done, without a limit; use it instead of `isDone`.
    package func wait() { while !isDone(withinSeconds: 3600) {} }

    /// Does the work on the current thread.
    func perform() {
        work?()
        // Release what the work used before the notification, so that this thread does not keep it
        // alive while the waiting thread continues.
        work = nil
    }

    /// Notifies the waiting thread that the work is done.
    func notify() { doneMessages.post(()) }
}
