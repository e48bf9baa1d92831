/// Counts the overruns that the machine caused: evidence that an overrun in a plugin may not be the
/// plugin's own.
///
/// It counts two kinds of cycles: overruns in which no plugin took longer than the period (the
/// built-in effects never wait), and cycles that started more than two periods after the previous
/// one. A late start soon after an overrun does not count, because it is the JACK server that
/// recovers from the overrun.
package struct MachineWatch: BitwiseCopyable {
    private static var recoverySeconds: Double { @_noLocks get { 0.5 } }

    /// The number of overruns that the machine caused; it wraps around.
    package private(set) var overruns: UInt32 = 0
    private var lastStart: UInt64 = 0
    /// The number of frames since the last overrun, minus the recovery time.
    private var punctualFrames = 0

    package init() {}

    /// Records the start of a real-time cycle.
    ///
    /// - Parameters:
    ///   - start: The time, in ticks.
    ///   - frames: The number of frames in the cycle.
    ///   - ticksPerFrame: The duration of a frame, in ticks.
    @_noLocks
    package mutating func begin(at start: UInt64, frames: Int, ticksPerFrame: Double) {
        let passed = Double(start &- lastStart)
        let startsLate = lastStart != 0 && passed > 2 * Double(max(1, frames)) * ticksPerFrame
        lastStart = start
        if startsLate, punctualFrames > 0 { overruns &+= 1 }
    }

    /// Records the end of a cycle.
    ///
    /// - Parameters:
    ///   - frames: The number of frames in the cycle.
    ///   - isOverrun: Whether the cycle took longer than its period.
    ///   - hasPluginOverrun: Whether a single plugin took longer than the period.
    ///   - sampleRate: In Hz.
    @_noLocks
    package mutating func end(
        frames: Int, isOverrun: Bool, hasPluginOverrun: Bool, sampleRate: Double
    ) {
        guard isOverrun || hasPluginOverrun else { return punctualFrames += frames }
        if !hasPluginOverrun { overruns &+= 1 }
        punctualFrames = -Int(Self.recoverySeconds * sampleRate)
    }
}
