internal import CRealtime

/// The clock that nobody sets.
public enum MonotonicTime {
    /// Seconds since the machine's start.
    public static var nowSeconds: Double { Double(rt_nanoseconds()) / 1e9 }
}
