/// The costs and incidents of a node since the last report.
struct NodeMeasurement: BitwiseCopyable {
    /// The time of the last cycle.
    var ticks: UInt64 = 0
    var ticksSum: UInt64 = 0
    var ticksWorst: UInt64 = 0
    /// The number of cycles in which the node produced NaN or infinity.
    var nonFiniteCycles: UInt32 = 0
    /// The time of the cycle after which the plugin was stopped, in periods; 0 if it was not
    /// stopped.
    var stopPeriods: Float = 0
    /// Whether the plugin's separate process stopped delivering output.
    var wentAway = false
    /// Whether the plugin has written beyond a buffer since it was created.
    var wroteBeyond = false
    /// Whether that was reported.
    var hasReportedWriting = false

    @_noLocks
    mutating func add(_ cycleTicks: UInt64) {
        ticks = cycleTicks
        ticksSum &+= cycleTicks
        if cycleTicks > ticksWorst { ticksWorst = cycleTicks }
    }

    /// Resets the measurement after a report.
    @_noLocks
    mutating func clear() {
        ticksSum = 0
        ticksWorst = 0
        nonFiniteCycles = 0
        stopPeriods = 0
        wentAway = false
        hasReportedWriting = wroteBeyond
    }
}
