internal import CRealtime

/// The measurement that all steps of a schedule share.
struct StepMeter: BitwiseCopyable {
    /// Whether nodes do any of the following.
    var isOn = false
    /// Whether nodes measure the levels of their outputs.
    var measuresLevels = false
    /// The nodes whose output is copied; -1 for none.
    var taps = SIMD4<Int32>(repeating: -1)
    /// The copies of this cycle: the mean of the channels, `tapFrames` for each of `taps`.
    let tapped: UnsafeMutablePointer<Float>
    let tapFrames: Int

    init(tapped: UnsafeMutablePointer<Float>, tapFrames: Int) {
        self.tapped = tapped
        self.tapFrames = tapFrames
    }

    /// Prepares a cycle.
    @_noLocks
    mutating func begin(measuresLevels newMeasuresLevels: Bool, taps newTaps: SIMD4<Int32>) {
        let hasTaps = newTaps != SIMD4(repeating: -1)
        (measuresLevels, taps) = (newMeasuresLevels, newTaps)
        isOn = measuresLevels || hasTaps
        // A node that does not run in this cycle is silent.
        if hasTaps { rt_clear(tapped, Int64(TapBuffers.count * tapFrames)) }
    }

    /// Adds the mean of the channels of a node to its copy.
    @_noLocks
    func tap(
        _ slot: Int, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int,
        _ frames: Int
    ) {
        let copy = tapped + slot * tapFrames
        let share = 1 / Float(max(1, count))
        for channel in 0..<count {
            for frame in 0..<frames { copy[frame] += share * outputs[channel][frame] }
        }
    }
}

/// The costs and incidents of a node since the last report.
struct NodeMeasurement: BitwiseCopyable {
    /// The time of the last cycle.
    var ticks: UInt64 = 0
    var ticksSum: UInt64 = 0
    var ticksWorst: UInt64 = 0
    /// The mean load in the last report; 0 before the first one.
    var meanLoad: Float = 0
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
