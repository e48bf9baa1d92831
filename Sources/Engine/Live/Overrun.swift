/// The times of a cycle that took longer than its period, in periods.
public struct Overrun: BitwiseCopyable, Sendable, Equatable {
    /// The time of the whole cycle.
    public var periods: Float
    /// The time of the slowest node of the current schedule.
    public var nodePeriods: Float
    /// The time of all nodes of the current schedule together.
    public var playingPeriods: Float
    /// The time of everything that only rings out: earlier songs and removed nodes.
    public var ringingPeriods: Float

    /// Creates a measurement; all values are in periods.
    ///
    /// - Parameters:
    ///   - periods: The time of the whole cycle.
    ///   - nodePeriods: The time of its slowest node.
    ///   - playingPeriods: The time of all nodes of the current schedule together.
    ///   - ringingPeriods: The time of everything that only rings out.
    public init(
        periods: Float, nodePeriods: Float, playingPeriods: Float, ringingPeriods: Float
    ) {
        self.periods = periods
        self.nodePeriods = nodePeriods
        self.playingPeriods = playingPeriods
        self.ringingPeriods = ringingPeriods
    }
}
