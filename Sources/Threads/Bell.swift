internal import CLinux
internal import Glibc

/// Wakes a thread that polls descriptors: any thread rings, and one hears.
final class Bell: Sendable {
    /// Readable after a ring, until it is silenced; -1 where the system has no descriptor left.
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))

    deinit { close(descriptor) }

    /// Wakes the thread, now or at its next poll.
    func ring() { eventfd_write(descriptor, 1) }

    /// Forgets all rings so far.
    func silence() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
