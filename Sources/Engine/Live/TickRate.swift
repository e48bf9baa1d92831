internal import CRealtime
internal import Glibc

/// The rate at which `rt_ticks` counts.
public struct TickRate: Sendable {
    /// The number of ticks per nanosecond.
    public let ticksPerNanosecond: Double

    /// The rate of this machine, measured once against the monotonic clock, over 5 ms.
    public static let shared = TickRate()

    private init() {
        let (ticks, nanoseconds) = (rt_ticks(), rt_nanoseconds())
        usleep(5000)
        ticksPerNanosecond = Double(rt_ticks() - ticks) / Double(rt_nanoseconds() - nanoseconds)
    }
}
