internal import CRealtime
internal import Glibc

/// The time since this process began.
public enum ProcessClock {
    /// Returns the seconds from the start of the process (the fork before its exec) to a time of
    /// the monotonic clock.
    ///
    /// Linux records the start in ticks of 10 ms since boot (`proc(5)`, field 22 of
    /// `/proc/self/stat`), so that is the precision of the result. It is `nil` if the file cannot
    /// be read.
    static func seconds(untilNanoseconds time: UInt64) -> Double? {
        guard let text = textOfFile("/proc/self/stat"), let close = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[close...].split(separator: " ")
        guard fields.count > 20, let ticks = Double(fields[20]) else { return nil }
        let startSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        return Double(time) / 1e9 + bootOffsetSeconds() - startSeconds
    }

    /// Returns how far the clock that also counts sleep is ahead of the monotonic one.
    private static func bootOffsetSeconds() -> Double {
        var boot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &boot)
        let bootSeconds = Double(boot.tv_sec) + Double(boot.tv_nsec) / 1e9
        return bootSeconds - Double(rt_nanoseconds()) / 1e9
    }
}
