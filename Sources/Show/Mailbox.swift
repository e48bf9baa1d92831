internal import CRealtime
internal import Glibc

/// Letters from any thread but the audio thread to the one thread that waits for them.
package final class Mailbox<Letter: Sendable>: @unchecked Sendable {
    // SAFETY: the letters are touched only between lock and unlock of the mutex.
    private var letters: [Letter] = []
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrival: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        arrival = .allocate(capacity: 1)
        arrival.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The other clock jumps when somebody sets it.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(arrival, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(arrival)
        arrival.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Puts a letter in and wakes the reader.
    package func post(_ letter: Letter) {
        pthread_mutex_lock(mutex)
        letters.append(letter)
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(arrival)
    }

    /// Takes all letters out, waiting for the first until a time of the monotonic clock; empty where none came.
    package func wait(untilNanoseconds time: UInt64) -> [Letter] {
        var deadline = timespec()
        deadline.tv_sec = Int(time / 1_000_000_000)
        deadline.tv_nsec = Int(time % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while letters.isEmpty {
            guard pthread_cond_timedwait(arrival, mutex, &deadline) == 0 else { break }
        }
        defer { letters.removeAll() }
        return letters
    }
}
