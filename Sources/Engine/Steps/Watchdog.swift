/// Stops a plugin whose runs make the audio stutter.
///
/// A run that takes longer than its period is an overrun, which alone causes an xrun. An overrun
/// costs one point; one of more than 5 ms costs four, and one of more than 20 ms and ten periods
/// costs eight. Twelve points within ten seconds stop the plugin. So three audible gaps stop a
/// plugin at any period, and a single gap does not, unless it is longer than half a second. Three
/// overruns within eight cycles stop the plugin as well. The first half second of a plugin is not
/// judged.
///
/// If the system suspends the audio thread, every part of the callback is slow, not only one
/// plugin. For this reason each overrun of the machine subtracts four points.
package struct Watchdog: BitwiseCopyable {
    private static var slowCyclesAllowed: Int { @_noLocks get { 2 } }
    private static var maximumPeriods: Double { @_noLocks get { 10 } }
    /// The operating system may suspend any thread this long now and then, which is no error of the
    /// plugin.
    private static var suspensionSeconds: Double { @_noLocks get { 0.02 } }
    private static var audibleSeconds: Double { @_noLocks get { 0.005 } }
    private static var hangSeconds: Double { @_noLocks get { 0.5 } }
    private static var windowSeconds: Double { @_noLocks get { 10 } }
    private static var maximumPoints: Int32 { @_noLocks get { 12 } }
    private static var machinePoints: Int32 { @_noLocks get { 4 } }

    private let ticksPerFrame: Double
    private let sampleRate: Double
    private var graceFrames: Int
    /// The last eight cycles, one bit each: whether the cycle was an overrun.
    private var slowCycles: UInt8 = 0
    /// The frames of the current window, and the points in it and in the one before.
    private var windowFrames = 0
    private var points: Int32 = 0
    private var formerPoints: Int32 = 0
    /// The machine's overruns when the points were last counted.
    private var knownMachineOverruns: UInt32 = 0
    /// Whether the last judged cycle was an overrun.
    private(set) var isOverrun = false
    /// Whether the plugin has been stopped.
    package private(set) var hasStopped = false

    package init(sampleRate: Double, ticksPerFrame: Double) {
        self.ticksPerFrame = ticksPerFrame
        self.sampleRate = sampleRate
        graceFrames = Int(sampleRate / 2)
    }

    /// Judges the cost of a cycle.
    ///
    /// - Parameters:
    ///   - ticks: The time that the plugin took.
    ///   - frames: The number of frames in the cycle.
    ///   - machineOverruns: The total number of overruns that the machine itself has caused.
    /// - Returns: The time of the cycle in periods if this cycle stops the plugin, otherwise 0.
    @_noLocks
    package mutating func judge(_ ticks: UInt64, frames: Int, machineOverruns: UInt32) -> Double {
        let took = Double(ticks) / ticksPerFrame
        let periods = took / Double(frames)
        isOverrun = periods > 1
        if graceFrames > 0 {
            graceFrames -= frames
            return 0
        }
        windowFrames += frames
        slowCycles = slowCycles &<< 1 | (isOverrun ? 1 : 0)
        guard isOverrun else { return 0 }
        startWindowIfOver()
        subtractMachinePoints(machineOverruns)
        points += cost(of: took / sampleRate, periods)
        guard
            points + formerPoints >= Self.maximumPoints || took > Self.hangSeconds * sampleRate
                || slowCycles.nonzeroBitCount > Self.slowCyclesAllowed
        else { return 0 }
        hasStopped = true
        return periods
    }

    /// Allows a stopped plugin to run again.
    @_noLocks
    package mutating func forgive() {
        hasStopped = false
        slowCycles = 0
        points = 0
        formerPoints = 0
    }

    @_noLocks
    private func cost(of seconds: Double, _ periods: Double) -> Int32 {
        if seconds > Self.suspensionSeconds, periods > Self.maximumPeriods { return 8 }
        return seconds > Self.audibleSeconds ? 4 : 1
    }

    /// Starts a new window if the current one is over; the points of the previous window count too,
    /// so that overruns on both sides of a boundary are counted together.
    @_noLocks
    private mutating func startWindowIfOver() {
        let length = Int(Self.windowSeconds * sampleRate)
        guard windowFrames >= length else { return }
        formerPoints = windowFrames < 2 * length ? points : 0
        points = 0
        windowFrames = windowFrames < 2 * length ? windowFrames - length : 0
    }

    @_noLocks
    private mutating func subtractMachinePoints(_ machineOverruns: UInt32) {
        let new = min(machineOverruns &- knownMachineOverruns, 100)
        knownMachineOverruns = machineOverruns
        let back = Int32(new) * Self.machinePoints
        let fromFormer = min(formerPoints, back)
        formerPoints -= fromFormer
        points = max(0, points - (back - fromFormer))
    }
}
