internal import CRealtime

/// Work on a thread of its own that nobody has to wait for: it may be held up for ever.
///
/// Whatever the work uses is kept alive until it is done.
package final class Errand: Sendable {
    // SAFETY: only the errand's own thread touches it.
    private nonisolated(unsafe) var work: (@Sendable () -> Void)?
    private let news = Mailbox<Void>()

    /// Sets out at once; where the system has no thread left, whoever asks does the work: somebody may wait for its news.
    package init(
        on threads: ErrandThreads = .shared, _ work: @escaping @Sendable () -> Void
    ) {
        self.work = work
        threads.run(self)
    }

    /// Whether the work is done, waiting for it at most so long; asked by one thread, until it is done.
    package func isDone(withinSeconds seconds: Double) -> Bool {
        isDone(untilNanoseconds: rt_nanoseconds() + UInt64(seconds * 1e9))
    }

    /// The same, waiting for it at most until then, in ns of the monotonic clock.
    package func isDone(untilNanoseconds time: UInt64) -> Bool {
        !news.wait(untilNanoseconds: time).isEmpty
    }

    /// Waits until the work is done, for ever where it is held up for ever; instead of `isDone`.
    package func wait() { while !isDone(withinSeconds: 3600) {} }

    /// Does the work, on its thread.
    func perform() {
        work?()
        // What it used goes here, or lives on with those who wait: not on this thread while they go on.
        work = nil
    }

    /// Tells those who wait that the work is done.
    func tell() { news.post(()) }
}
