internal import CRealtime
internal import Glibc
internal import Synchronization

/// Has a client's threads ask the server one after the other: libjack (1.9.21) mixes up what two of them ask at once, and the
/// server then waits for ever for the rest of a request.
final class RequestTurns: @unchecked Sendable {
    /// How long a request waits for its turn, in seconds.
    private static let patienceSeconds = 1.0

    // SAFETY: the mutex is made for any thread.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Whether somebody keeps his turn for ever, in JACK's metadata store: then it is nobody's any more.
    private let isGivenUp = Atomic<Bool>(false)

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Makes a request that the server answers soon.
    func make<Answer>(_ request: () -> Answer) -> Answer {
        let isMine = !isGivenUp.load(ordering: .relaxed) && lock()
        if !isMine { isGivenUp.store(true, ordering: .relaxed) }
        defer { if isMine { pthread_mutex_unlock(mutex) } }
        return request()
    }

    /// Makes a request that may be held up for ever, unless one was.
    func makePatiently(_ request: () -> Void) {
        guard !isGivenUp.load(ordering: .relaxed) else { return }
        pthread_mutex_lock(mutex)
        request()
        pthread_mutex_unlock(mutex)
    }

    private func lock() -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_nsec += Int(Self.patienceSeconds * 1e9)
        deadline.tv_sec += deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        return pthread_mutex_timedlock(mutex, &deadline) == 0
    }
}
