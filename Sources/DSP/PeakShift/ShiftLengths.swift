/// The lengths that a spectral pitch shift uses: multiples of a step, about the same in seconds at
/// every rate.
public struct ShiftLengths: BitwiseCopyable, Sendable {
    /// The frames per unit of work: 64 at 44.1 and 48 kHz.
    public let stepFrames: Int
    /// The length of the output window, which is the latency, in frames.
    public let spanFrames: Int
    /// The distance from one transform to the next, in frames.
    public let hopFrames: Int

    /// The frames per transform.
    public let transformFrames: Int

    /// What the lengths are for.
    public enum Quality: Sendable {
        /// The least latency.
        case fast
        case live
        /// Longer lengths that separate more partials.
        case high
    }

    /// Creates lengths.
    public init(sampleRate: Double, quality: Quality) {
        var frames = 16
        var limit = 16_000.0
        while frames < 512, sampleRate >= limit {
            frames *= 2
            limit *= 2
        }
        stepFrames = frames
        switch quality {
        case .fast: (spanFrames, hopFrames, transformFrames) = (frames * 8, frames * 2, frames * 32)
        case .live:
            (spanFrames, hopFrames, transformFrames) = (frames * 16, frames * 2, frames * 64)
        case .high:
            (spanFrames, hopFrames, transformFrames) = (frames * 32, frames * 4, frames * 64)
        }
    }

    /// The bins of a transform's spectrum.
    public var fineGrid: SpectrumGrid { @_noLocks get { SpectrumGrid(self, isCoarse: false) } }
    /// The coarser bins that suffice when the sound moves.
    public var movingGrid: SpectrumGrid {
        @_noLocks get { SpectrumGrid(self, isCoarse: 2 * movingFrames <= transformFrames) }
    }
    /// The number of bins of a transform's spectrum.
    public var bins: Int { @_noLocks get { fineGrid.bins } }
    /// The number of bins, padded so that loops over eight lanes fit.
    public var paddedBins: Int { @_noLocks get { fineGrid.paddedBins } }
    /// The number of lowest bins that are analysed more closely: up to 6 kHz, where partials lie
    /// close together.
    public var lowBins: Int { @_noLocks get { min(ShiftLengths.lowBins, transformFrames / 8) } }
    /// The upper limit of the instance property `lowBins`.
    static var lowBins: Int { @_noLocks get { 512 } }
    /// The frames in which the analysis window of steady sound rises: all frames before its peak.
    public var steadyRiseFrames: Int { @_noLocks get { transformFrames - spanFrames / 2 } }
    /// The frames in which the analysis window of moving sound rises.
    public var movingRiseFrames: Int { @_noLocks get { stepFrames * 24 } }
    /// The frames under the window of moving sound.
    public var movingFrames: Int { @_noLocks get { movingRiseFrames + spanFrames / 2 } }
    /// The hops per transform: the number of bins that the phase advance of one hop can tell apart.
    public var hopsPerTransform: Int { @_noLocks get { transformFrames / hopFrames } }
}
