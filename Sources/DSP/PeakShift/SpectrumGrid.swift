/// The spacing of the bins of a hop's spectrum: fine for the whole window, or twice as wide if only
/// the frames of the moving window, half as many, are transformed.
///
/// A coarse bin has the same phase as the fine bin of the same frequency: both refer to the
/// window's peak.
public struct SpectrumGrid: BitwiseCopyable, Equatable, Sendable {
    /// The frames per transform.
    public let transformFrames: Int
    /// The exponent of the factor from a bin's number to the fine bin's: a power of two.
    public let shift: Int
    /// The hop, in 64ths of the transform.
    public let hop: Int

    @_noLocks
    init(_ lengths: ShiftLengths, isCoarse: Bool) {
        shift = isCoarse ? 1 : 0
        transformFrames = lengths.transformFrames >> shift
        hop = (lengths.hopFrames / lengths.stepFrames) << shift
    }

    /// Whether the spectrum has only every second bin.
    public var isCoarse: Bool { @_noLocks get { shift > 0 } }
    /// The number of bins.
    public var bins: Int { @_noLocks get { transformFrames / 2 + 1 } }
    /// The number of bins, padded so that loops over eight lanes fit.
    public var paddedBins: Int { @_noLocks get { transformFrames / 2 + 8 } }
}
