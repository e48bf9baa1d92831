internal import Glibc
internal import Realtime

/// A mailbox for messages from any thread except the audio thread to the one thread that waits.
package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // SAFETY: the messages are accessed only while the mutex is locked.
    private var messages: [Message] = []
    private let mutex = Buffer(containing: pthread_mutex_t())
    private let arrival = Semaphore()

    package init() { pthread_mutex_init(mutex.start, nil) }

    deinit { pthread_mutex_destroy(mutex.start) }

    /// A semaphore that wakes the reader without a message when it is posted.
    ///
    /// It is for the audio thread, which may do no more than that.
    package var bell: UnsafeMutableRawPointer { arrival.signaller.semaphore }

    /// Adds a message and wakes the reader.
    package func post(_ message: Message) {
        pthread_mutex_lock(mutex.start)
        messages.append(message)
        pthread_mutex_unlock(mutex.start)
        arrival.signal()
    }

    /// Wakes the reader without a message.
    package func ring() { arrival.signal() }

    /// Removes and returns all messages, after a wait for the first one or the bell.
    ///
    /// - Parameter time: The end of the wait, in ns of the monotonic clock.
    /// - Returns: The messages in the order in which they were posted; may be empty.
    package func wait(untilNanoseconds time: UInt64) -> [Message] {
        arrival.wait(untilNanoseconds: time)
        arrival.clear()
        pthread_mutex_lock(mutex.start)
        defer { pthread_mutex_unlock(mutex.start) }
        defer { messages.removeAll() }
        return messages
    }
}
