internal import CLinux
internal import Glibc

/// A bell for a thread that polls descriptors: any thread may ring it, and one thread waits for it.
public final class Bell: Sendable {
    /// A descriptor that is readable from a ring until `silence`; -1 if the system has none left.
    public let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))

    /// Creates a bell that has not rung.
    public init() {}

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The longest time between two looks of a thread whose bell has no descriptor.
    private static let silentMilliseconds: Int32 = 50

    /// Returns the time limit for a poll of the bell, in milliseconds; negative for no limit.
    ///
    /// A bell without a descriptor cannot wake the thread, so the limit is short. After each poll
    /// the thread must look whether there is something to do.
    public func timeout(_ milliseconds: Int32) -> Int32 {
        if descriptor >= 0 { return milliseconds }
        return milliseconds < 0
            ? Self.silentMilliseconds : min(milliseconds, Self.silentMilliseconds)
    }

    /// Wakes the thread, now or at its next poll.
    public func ring() { eventfd_write(descriptor, 1) }

    /// Clears all rings so far.
    public func silence() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
