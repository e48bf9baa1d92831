/// Stops a plugin that takes longer than the clock allows, again and again: one late node makes the whole show stutter.
///
/// Three of the last eight cycles beyond their period are too many, and so is one of more than ten periods. A single
/// hiccup is not, nor is anything within the first half second.
package struct Watchdog: BitwiseCopyable {
    private static var slowCyclesAllowed: Int { @_noLocks get { 2 } }
    private static var mostPeriods: Double { @_noLocks get { 10 } }
    /// What the kernel may take from any thread now and then is not the plugin's.
    private static var hiccupSeconds: Double { @_noLocks get { 0.02 } }

    private let ticksPerFrame: Double
    private let sampleRate: Double
    private var graceFrames: Int
    /// The last eight cycles, a bit each: whether they were slow.
    private var slowCycles: UInt8 = 0
    /// Whether the plugin is not run any more.
    package private(set) var hasStopped = false

    package init(sampleRate: Double, ticksPerFrame: Double) {
        self.ticksPerFrame = ticksPerFrame
        self.sampleRate = sampleRate
        graceFrames = Int(sampleRate / 2)
    }

    /// Takes in what a cycle cost; the periods that it took where that was too much, else 0.
    @_noLocks
    package mutating func judge(_ ticks: UInt64, frames: Int) -> Double {
        let took = Double(ticks) / ticksPerFrame
        let periods = took / Double(frames)
        if graceFrames > 0 {
            graceFrames -= frames
            return 0
        }
        slowCycles = slowCycles &<< 1 | (periods > 1 ? 1 : 0)
        let isFarTooLong =
            periods > Self.mostPeriods && took > Self.hiccupSeconds * sampleRate
        guard isFarTooLong || slowCycles.nonzeroBitCount > Self.slowCyclesAllowed else { return 0 }
        hasStopped = true
        return periods
    }

    /// Gives the plugin another chance.
    @_noLocks
    package mutating func forgive() {
        hasStopped = false
        slowCycles = 0
    }
}
