/// What a node cost and did since the last report.
struct NodeMeasurement: BitwiseCopyable {
    /// Of the last cycle.
    var ticks: UInt64 = 0
    var ticksSum: UInt64 = 0
    var ticksWorst: UInt64 = 0
    /// Cycles in which it put out a NaN or an infinity.
    var nonFiniteCycles: UInt32 = 0
    /// Periods that the cycle took after which it was stopped; 0 where it was not.
    var stopPeriods: Float = 0
    /// Whether it went away: its own process gave no sound.
    var wentAway = false
    /// Whether it wrote beyond a buffer since it was made.
    var wroteBeyond = false
    /// Whether that was reported.
    var hasToldOfWriting = false

    @_noLocks
    mutating func add(_ cycleTicks: UInt64) {
        ticks = cycleTicks
        ticksSum &+= cycleTicks
        if cycleTicks > ticksWorst { ticksWorst = cycleTicks }
    }

    /// Starts anew after a report.
    @_noLocks
    mutating func clear() {
        ticksSum = 0
        ticksWorst = 0
        nonFiniteCycles = 0
        stopPeriods = 0
        wentAway = false
        hasToldOfWriting = wroteBeyond
    }
}
