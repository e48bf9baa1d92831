/// How long a cycle took that took longer than it lasts, in periods by the clock.
public struct Lateness: BitwiseCopyable, Sendable, Equatable {
    /// The whole cycle.
    public var periods: Float
    /// The costliest node of what plays.
    public var nodePeriods: Float

    /// All nodes of what plays together.
    public var playingPeriods: Float
    /// All that only rings out: former songs and nodes.
    public var ringingPeriods: Float

    /// - Parameters:
    ///   - periods: The whole cycle.
    ///   - nodePeriods: Its costliest node alone.
    ///   - playingPeriods: All nodes of what plays together.
    ///   - ringingPeriods: All that only rings out.
    public init(
        periods: Float, nodePeriods: Float, playingPeriods: Float, ringingPeriods: Float
    ) {
        self.periods = periods
        self.nodePeriods = nodePeriods
        self.playingPeriods = playingPeriods
        self.ringingPeriods = ringingPeriods
    }
}
