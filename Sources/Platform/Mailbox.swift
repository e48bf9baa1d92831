internal import CRealtime
internal import Glibc
internal import Realtime

/// A mailbox for messages from any thread except the audio thread to the one thread that waits.
package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // SAFETY: the messages are accessed only while the mutex is locked.
    private var messages: [Message] = []
    private let mutex = Buffer(containing: pthread_mutex_t())
    private let arrival = Buffer(containing: sem_t())

    package init() {
        pthread_mutex_init(mutex.start, nil)
        sem_init(arrival.start, 0, 0)
    }

    deinit {
        sem_destroy(arrival.start)
        pthread_mutex_destroy(mutex.start)
    }

    /// A semaphore that wakes the reader without a message when it is posted.
    ///
    /// It is for the audio thread, which may do no more than that.
    package var bell: UnsafeMutableRawPointer { UnsafeMutableRawPointer(arrival.start) }

    /// Adds a message and wakes the reader.
    package func post(_ message: Message) {
        pthread_mutex_lock(mutex.start)
        messages.append(message)
        pthread_mutex_unlock(mutex.start)
        sem_post(arrival.start)
    }

    /// Wakes the reader without a message.
    package func ring() { sem_post(arrival.start) }

    /// Removes and returns all messages, after a wait for the first one or the bell.
    ///
    /// - Parameter time: The end of the wait, in ns of the monotonic clock.
    /// - Returns: The messages in the order in which they were posted; may be empty.
    package func wait(untilNanoseconds time: UInt64) -> [Message] {
        rt_wait_for_ring(arrival.start, time)
        while sem_trywait(arrival.start) == 0 {}
        pthread_mutex_lock(mutex.start)
        defer { pthread_mutex_unlock(mutex.start) }
        defer { messages.removeAll() }
        return messages
    }
}
