internal import CLinux
internal import Glibc

/// Wakes a thread that polls descriptors: any thread rings, and one hears.
public final class Bell: Sendable {
    /// Readable after a ring, until it is silenced; -1 where the system has no descriptor left.
    public let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))

    /// A bell that has not rung.
    public init() {}

    deinit { close(descriptor) }

    /// Wakes the thread, now or at its next poll.
    public func ring() { eventfd_write(descriptor, 1) }

    /// Forgets all rings so far.
    public func silence() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
