internal import CRealtime
internal import Glibc

/// A mailbox for messages from any thread except the audio thread to the one thread that waits.
package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // SAFETY: the messages are accessed only while the mutex is locked.
    private var messages: [Message] = []
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

    /// A semaphore that wakes the reader without a message when it is posted.
    ///
    /// It is for the audio thread, which may do no more than that.
    package var bell: UnsafeMutableRawPointer { UnsafeMutableRawPointer(arrival) }

    /// Adds a message and wakes the reader.
    package func post(_ message: Message) {
        pthread_mutex_lock(mutex)
        messages.append(message)
        pthread_mutex_unlock(mutex)
        sem_post(arrival)
    }

    /// Wakes the reader without a message.
    package func ring() { sem_post(arrival) }

    /// Removes and returns all messages, after a wait for the first one or the bell.
    ///
    /// - Parameter time: The end of the wait, in ns of the monotonic clock.
    /// - Returns: The messages in the order in which they were posted; may be empty.
    package func wait(untilNanoseconds time: UInt64) -> [Message] {
        rt_wait_for_ring(arrival, time)
        while sem_trywait(arrival) == 0 {}
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        defer { messages.removeAll() }
        return messages
    }
}
