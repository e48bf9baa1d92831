internal import CRealtime
internal import Glibc
internal import Platform
internal import Synchronization

/// The delays of the wake-ups of a thread that sleeps until given times.
package struct WakeupMeasurement: Sendable, Equatable {
    /// The time from one wake-up to the next, in ns.
    private static let periodNanoseconds: UInt64 = 1_000_000
    /// The priority of the thread, which cyclictest is usually given too.
    private static let wantedPriority: Int32 = 80

    package let histogram: WakeupHistogram
    /// The real-time priority of the thread; `nil` if this user may not use one.
    package let priority: Int?

    package init(histogram: WakeupHistogram, priority: Int?) {
        self.histogram = histogram
        self.priority = priority
    }

    /// Measures the wake-ups of a thread with a period of 1 ms; `nil` if the system has no thread
    /// left.
    ///
    /// - Parameter seconds: The duration, in seconds.
    package init?(seconds: Double) {
        let holder = Holder()
        guard
            let thread = OwnThread(
                name: "wake-ups", stack: .small,
                {
                    let measured = Self.measure(seconds: seconds)
                    holder.result.withLock { $0 = measured }
                })
        else { return nil }
        thread.join()
        guard let measured = holder.result.withLock({ $0 }) else { return nil }
        self = measured
    }

    /// Carries the result of the thread.
    private final class Holder: Sendable {
        let result = Mutex<WakeupMeasurement?>(nil)
    }

    /// Sleeps and wakes up on the calling thread.
    private static func measure(seconds: Double) -> WakeupMeasurement {
        let priority = raisePriority()
        var histogram = WakeupHistogram()
        var next = rt_nanoseconds() + periodNanoseconds
        let duration = seconds.isFinite ? min(max(seconds, 0), 1e6) : 0
        let end = next + UInt64(duration * 1e9)  // checked: below 2^50
        while next < end {
            var time = timespec(
                tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
            while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
            let now = rt_nanoseconds()
            histogram.add(nanoseconds: now > next ? now - next : 0)
            // A wake-up that missed whole periods counts once.
            next += periodNanoseconds * (1 + (max(now, next) - next) / periodNanoseconds)
        }
        return WakeupMeasurement(histogram: histogram, priority: priority)
    }

    /// Gives the calling thread the highest permitted priority up to the wanted one.
    ///
    /// - Returns: The priority; `nil` if none is permitted.
    private static func raisePriority() -> Int? {
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit) == 0
        let highest = isKnown ? Int32(clamping: limit.rlim_cur) : 0
        // A privileged process is not limited.
        for priority in [wantedPriority, min(highest, wantedPriority)] where priority > 0 {
            var parameters = sched_param(sched_priority: priority)
            if pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0 {
                return Int(priority)
            }
        }
        return nil
    }
}
