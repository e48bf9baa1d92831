internal import Glibc

/// The clock that nobody sets.
public enum MonotonicTime {
    /// Seconds since the machine's start.
    public static var nowSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
