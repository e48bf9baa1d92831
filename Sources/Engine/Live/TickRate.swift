internal import CRealtime
internal import Glibc

/// How fast `rt_ticks` counts.
public struct TickRate: Sendable {
    /// Ticks in a nanosecond.
    public let ticksPerNanosecond: Double

    /// The rate of this machine, measured once against the monotonic clock, in 5 ms.
    public static let shared = TickRate()

    private init() {
        let (ticks, nanoseconds) = (rt_ticks(), rt_nanoseconds())
        usleep(5000)
        ticksPerNanosecond = Double(rt_ticks() - ticks) / Double(rt_nanoseconds() - nanoseconds)
    }
}
