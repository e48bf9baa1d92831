/// Decides when nodes give way at once: after the second late cycle within a second, and after each
/// further one within a second of the one before.
package struct LateCycles: BitwiseCopyable {
    /// The factor by which one of two late cycles may be longer than the other and still count: the
    /// longer one may contain an interruption.
    private static var longestFactor: Double { @_noLocks get { 1.5 } }

    /// The frames since the last late cycle.
    private var quietFrames = Int.max / 2
    /// The time of the last late cycle, in periods.
    private var formerPeriods = 0.0
    /// The load to expect if nodes should give way now, as a share of the period; otherwise 0.
    private var dueLoad = 0.0

    package init() {}

    /// Whether nodes should give way now.
    package var isDue: Bool { @_noLocks get { dueLoad > 0 } }

    /// Records a cycle.
    ///
    /// - Parameters:
    ///   - periods: The time of the cycle, in periods.
    ///   - isLate: Whether it was a real-time cycle that took longer than its period.
    ///   - frames: The number of frames in the cycle.
    ///   - sampleRate: In Hz.
    @_noLocks
    package mutating func add(periods: Double, isLate: Bool, frames: Int, sampleRate: Double) {
        guard isLate else {
            quietFrames = min(Int.max / 2, quietFrames + frames)
            return
        }
        if quietFrames < Int(sampleRate) {  // checked: the rate of an engine
            dueLoad = min(
                max(periods, formerPeriods),
                min(periods, formerPeriods) * Self.longestFactor)
        }
        formerPeriods = periods
        quietFrames = 0
    }

    /// Returns the load to expect, as a share of the period, and waits for the next late cycle.
    @_noLocks
    package mutating func popDueLoad() -> Double {
        let load = dueLoad
        dueLoad = 0
        return load
    }

    /// Forgets all late cycles.
    @_noLocks
    package mutating func reset() { self = LateCycles() }
}
