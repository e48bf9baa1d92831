internal import CRealtime
internal import Glibc
internal import Realtime

/// A semaphore that wakes one thread of this process, and that the audio thread may signal.
///
/// It counts its signals: each one ends one wait, even if it comes before the wait.
package struct Semaphore: ~Copyable, @unchecked Sendable {
    // SAFETY: the system's semaphore may be used by any thread at any time, and does not move.
    private let memory = Buffer(containing: sem_t())

    /// Creates a semaphore without signals.
    package init() { sem_init(memory.start, 0, 0) }

    deinit { sem_destroy(memory.start) }

    /// Ends one wait, now or later.
    ///
    /// Any thread may call it, including the audio thread: it neither blocks nor allocates.
    @_noLocks
    package func signal() { rt_ring(memory.start) }

    /// Waits for a signal, without a limit.
    package func wait() { while sem_wait(memory.start) != 0 {} }

    /// Waits for a signal for a limited time.
    ///
    /// - Parameter time: The end of the wait, in ns of the monotonic clock.
    package func wait(untilNanoseconds time: UInt64) { rt_wait_for_ring(memory.start, time) }

    /// Discards the signals that have not ended a wait yet.
    ///
    /// - Returns: The number of discarded signals.
    @discardableResult
    package func clear() -> Int {
        var count = 0
        while sem_trywait(memory.start) == 0 { count += 1 }
        return count
    }

    /// The end of this semaphore that signals.
    package var signaller: Signaller { Signaller(semaphore: memory.start) }

    /// The end of a semaphore that signals: a plain value that the audio thread can load.
    ///
    /// The semaphore must outlive its last use.
    package struct Signaller: BitwiseCopyable, @unchecked Sendable {
        // SAFETY: see `Semaphore`.

        /// The address of the system's `sem_t`, for code that does not import this module.
        package let semaphore: UnsafeMutableRawPointer

        /// Ends one wait, now or later; see `Semaphore.signal`.
        @_noLocks
        package func signal() { rt_ring(semaphore) }
    }
}
