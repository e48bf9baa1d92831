/// The units in which a voice's pitch is tracked: steps, and samples decimated from the signal's
/// frames.
public struct TrackerScale: BitwiseCopyable {
    /// The number of frames per sample, chosen to give 8,000 to 16,500 samples per second.
    public let factor: Int
    /// Samples per second.
    let samplesPerSecond: Double

    /// Samples per step.
    static var stepSamples: Int { @_noLocks get { 16 } }
    /// The highest pitch that is searched for.
    static var highestHertz: Double { @_noLocks get { 1090 } }
    /// The lowest pitch that is searched for.
    static var lowestHertz: Double { @_noLocks get { 40 } }

    /// Creates the scale for a sample rate in frames per second.
    public init(sampleRate: Double) {
        var factor = 1
        while sampleRate / Double(factor) > 16_500 { factor *= 2 }
        self.factor = factor
        samplesPerSecond = sampleRate / Double(factor)
    }

    /// Frames per step: 64 at 44.1 and 48 kHz.
    public var stepFrames: Int { @_noLocks get { factor * TrackerScale.stepSamples } }

    /// The longest period that is reported, in frames.
    public var longestFrames: Double { @_noLocks get { Double(longestLag + 1) * Double(factor) } }

    /// The shortest lag that is examined, in samples.
    var shortestLag: Int { @_noLocks get { Int(samplesPerSecond / TrackerScale.highestHertz) } }

    /// The longest lag that is examined, in samples.
    var longestLag: Int { @_noLocks get { Int(samplesPerSecond / TrackerScale.lowestHertz) + 1 } }

    /// Returns the number of steps nearest to a duration, at least 1.
    func steps(seconds: Double) -> Int {
        max(1, Int(seconds * samplesPerSecond / Double(TrackerScale.stepSamples) + 0.5))
    }
}
