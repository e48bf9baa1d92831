/// Calculates a tempo from the times of taps.
struct TapTempo {
    /// A longer pause starts a new count.
    private static let longestPauseSeconds = 2.0
    private static let maximumTaps = 8

    private var times: [UInt64] = []

    /// Adds a tap.
    ///
    /// - Parameter now: The time of the tap, in ns of the monotonic clock.
    /// - Returns: The tempo in beats per minute, the mean of up to the last seven intervals; `nil`
    ///   at the first tap.
    mutating func tap(atNanoseconds now: UInt64) -> Double? {
        if let last = times.last, Double(now - last) / 1e9 > Self.longestPauseSeconds { times = [] }
        times = (times + [now]).suffix(Self.maximumTaps)
        guard let first = times.first, times.count > 1, now > first else { return nil }
        return 60e9 * Double(times.count - 1) / Double(now - first)
    }
}
