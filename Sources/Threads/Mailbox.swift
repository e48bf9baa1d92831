internal import CRealtime
internal import Glibc

/// Letters from any thread but the audio thread to the one thread that waits for them.
package final class Mailbox<Letter: Sendable>: @unchecked Sendable {
    // SAFETY: the letters are touched only between lock and unlock of the mutex.
    private var letters: [Letter] = []
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrival: UnsafeMutablePointer<sem_t>

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        arrival = .allocate(capacity: 1)
        arrival.initialize(to: sem_t())
        sem_init(arrival, 0, 0)
    }

    deinit {
        sem_destroy(arrival)
        arrival.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// A semaphore that wakes the reader without a letter when it is posted: for the audio thread, which may do no more.
    package var bell: UnsafeMutableRawPointer { UnsafeMutableRawPointer(arrival) }

    /// Puts a letter in and wakes the reader.
    package func post(_ letter: Letter) {
        pthread_mutex_lock(mutex)
        letters.append(letter)
        pthread_mutex_unlock(mutex)
        sem_post(arrival)
    }

    /// Wakes the reader without a letter.
    package func ring() { sem_post(arrival) }

    /// Takes all letters out, waiting for the first, or for the bell, until a time of the monotonic clock.
    package func wait(untilNanoseconds time: UInt64) -> [Letter] {
        rt_wait_for_ring(arrival, time)
        while sem_trywait(arrival) == 0 {}
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        defer { letters.removeAll() }
        return letters
    }
}
