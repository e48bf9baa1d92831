/// Beats that somebody taps.
struct TapTempo {
    /// A pause longer than this begins a new count.
    private static let longestSeconds = 2.0
    private static let most = 8

    private var times: [UInt64] = []

    /// Takes in a tap; the tempo in beats a minute from the second on: the mean of up to the last seven.
    mutating func tap(atNanoseconds now: UInt64) -> Double? {
        if let last = times.last, Double(now - last) / 1e9 > Self.longestSeconds { times = [] }
        times = (times + [now]).suffix(Self.most)
        guard let first = times.first, times.count > 1, now > first else { return nil }
        return 60e9 * Double(times.count - 1) / Double(now - first)
    }
}
