internal import CLinux
internal import Glibc

/// A bell for a thread that polls descriptors: any thread may ring it, and one thread waits for it.
public final class Bell: Sendable {
    /// A descriptor that is readable from a ring until `silence`; -1 if the system has none left.
    public let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))

    /// Creates a bell that has not rung.
    public init() {}

    deinit { close(descriptor) }

    /// Wakes the thread, now or at its next poll.
    public func ring() { eventfd_write(descriptor, 1) }

    /// Clears all rings so far.
    public func silence() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
