/// The units that a voice's pitch is tracked in: the steps, and the samples that are kept of the signal's frames.
public struct TrackerScale: BitwiseCopyable {
    /// How many frames become one sample, so that there are 8 to 16.5 thousand samples a second.
    public let factor: Int
    /// Samples a second.
    let samplesPerSecond: Double

    /// Samples of a step.
    static var stepSamples: Int { @_noLocks get { 16 } }
    /// The highest pitch that is looked for.
    static var highestHertz: Double { @_noLocks get { 1090 } }
    /// The lowest pitch that is looked for.
    static var lowestHertz: Double { @_noLocks get { 59 } }

    /// The scale at a rate in frames a second.
    public init(sampleRate: Double) {
        var factor = 1
        while sampleRate / Double(factor) > 16_500 { factor *= 2 }
        self.factor = factor
        samplesPerSecond = sampleRate / Double(factor)
    }

    /// Frames of a step: 64 at 44.1 and 48 kHz.
    public var stepFrames: Int { @_noLocks get { factor * TrackerScale.stepSamples } }

    /// The longest period that is told, in frames.
    public var longestFrames: Double { @_noLocks get { Double(longestLag + 1) * Double(factor) } }

    /// The least lag looked at, in samples.
    var shortestLag: Int { @_noLocks get { Int(samplesPerSecond / TrackerScale.highestHertz) } }

    /// The largest lag looked at, in samples.
    var longestLag: Int { @_noLocks get { Int(samplesPerSecond / TrackerScale.lowestHertz) + 1 } }

    /// Steps that last about as long as this.
    func steps(seconds: Double) -> Int {
        max(1, Int(seconds * samplesPerSecond / Double(TrackerScale.stepSamples) + 0.5))
    }
}
