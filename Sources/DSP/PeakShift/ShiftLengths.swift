/// The lengths that a spectral pitch shift works with: multiples of a step, the same in seconds at every rate.
public struct ShiftLengths: BitwiseCopyable, Sendable {
    /// Frames from one piece of work to the next: 64 at 44.1 and 48 kHz.
    public let stepFrames: Int
    /// Frames that the output's window covers, and what they delay.
    public let spanFrames: Int
    /// Frames from one transform to the next.
    public let hopFrames: Int

    /// Lengths for live playing, or longer ones that separate more partials.
    public init(sampleRate: Double, isLong: Bool) {
        var frames = 16
        var limit = 16_000.0
        while frames < 512, sampleRate >= limit {
            frames *= 2
            limit *= 2
        }
        stepFrames = frames
        spanFrames = frames * (isLong ? 32 : 16)
        hopFrames = frames * (isLong ? 4 : 2)
    }

    /// Frames that are transformed at once.
    public var transformFrames: Int { @_noLocks get { stepFrames * 64 } }
    /// The bins of their spectrum.
    public var fineGrid: SpectrumGrid { @_noLocks get { SpectrumGrid(self, isCoarse: false) } }
    /// The bins that suffice where the sound moves.
    public var movingGrid: SpectrumGrid {
        @_noLocks get { SpectrumGrid(self, isCoarse: 2 * movingFrames <= transformFrames) }
    }
    /// How many bins their spectrum has.
    public var bins: Int { @_noLocks get { fineGrid.bins } }
    /// The bins, rounded up so that passes of eight lanes fit.
    public var paddedBins: Int { @_noLocks get { fineGrid.paddedBins } }
    /// How many of the lowest bins are looked at more closely: those up to 6 kHz, where partials lie near each other.
    public var lowBins: Int { @_noLocks get { min(ShiftLengths.lowBins, transformFrames / 8) } }
    /// The most that `lowBins` can be.
    static var lowBins: Int { @_noLocks get { 512 } }
    /// Frames over which the analysis window rises where the sound is steady: all there are.
    public var steadyRiseFrames: Int { @_noLocks get { transformFrames - spanFrames / 2 } }
    /// Frames over which it rises where the sound moves.
    public var movingRiseFrames: Int { @_noLocks get { stepFrames * 24 } }
    /// Frames under the window that is used where the sound moves.
    public var movingFrames: Int { @_noLocks get { movingRiseFrames + spanFrames / 2 } }
    /// Hops in a transform: how many bins a phase can tell apart from one hop to the next.
    public var hopsPerTransform: Int { @_noLocks get { transformFrames / hopFrames } }
}
