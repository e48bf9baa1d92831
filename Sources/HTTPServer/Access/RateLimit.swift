/// Limits the average rate of an event; as many events as two seconds allow may come at once.
struct RateLimit {
    private let perSecond: Double
    private var left: Double
    private var lastSeconds: Double

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - perSecond: The average number per second.
    ///   - nowSeconds: The time.
    init(perSecond: Double, nowSeconds: Double) {
        self.perSecond = perSecond
        left = perSecond * 2
        lastSeconds = nowSeconds
    }

    /// Counts one, and returns whether it is within the limit.
    mutating func admits(nowSeconds: Double) -> Bool {
        left = min(perSecond * 2, left + (nowSeconds - lastSeconds) * perSecond)
        lastSeconds = nowSeconds
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
