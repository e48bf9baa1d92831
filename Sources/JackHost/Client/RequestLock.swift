internal import CRealtime
internal import Glibc
internal import Realtime
internal import Synchronization

/// Makes the threads of a client send requests to the server one at a time, because libjack
/// (1.9.21) mixes up simultaneous requests, and the server then waits forever for the rest of a
/// request.
final class RequestLock: @unchecked Sendable {
    /// The longest wait of a request for the mutex, in seconds.
    private static let timeoutSeconds = 1.0

    // SAFETY: any thread may use a mutex.
    private let mutex = Buffer(containing: pthread_mutex_t())
    /// Whether a thread holds the mutex forever, blocked in JACK's metadata store.
    ///
    /// In that case no thread uses the mutex any more.
    private let isBlocked = Atomic<Bool>(false)

    init() { pthread_mutex_init(mutex.start, nil) }

    deinit { pthread_mutex_destroy(mutex.start) }

    /// Sends a request that the server answers soon.
    func send<Answer>(_ request: () -> Answer) -> Answer {
        let hasLock = !isBlocked.load(ordering: .relaxed) && lock()
        if !hasLock { isBlocked.store(true, ordering: .relaxed) }
        defer { if hasLock { pthread_mutex_unlock(mutex.start) } }
        return request()
    }

    /// Sends a request that may block forever; does nothing if an earlier request already blocks.
    func sendWithoutTimeout(_ request: () -> Void) {
        guard !isBlocked.load(ordering: .relaxed) else { return }
        pthread_mutex_lock(mutex.start)
        request()
        pthread_mutex_unlock(mutex.start)
    }

    private func lock() -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_nsec += Int(Self.timeoutSeconds * 1e9)
        deadline.tv_sec += deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        return pthread_mutex_timedlock(mutex.start, &deadline) == 0
    }
}
