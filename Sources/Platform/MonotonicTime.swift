internal import CRealtime

/// The system's monotonic clock, which cannot be set.
public enum MonotonicTime {
    /// Seconds since the machine's start.
    public static var nowSeconds: Double { Double(rt_nanoseconds()) / 1e9 }
}
