/// How long a cycle took that took longer than it lasts, in periods by the clock.
public struct Lateness: BitwiseCopyable, Sendable, Equatable {
    /// The whole cycle.
    public var periods: Float
    /// Its costliest node alone.
    public var nodePeriods: Float

    /// - Parameters:
    ///   - periods: The whole cycle.
    ///   - nodePeriods: Its costliest node alone.
    public init(periods: Float, nodePeriods: Float) {
        self.periods = periods
        self.nodePeriods = nodePeriods
    }
}
