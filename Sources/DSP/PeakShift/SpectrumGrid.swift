/// How far apart the bins of a hop's spectrum are: as the whole window's, or twice as far where only the moving one's frames, half
/// as many, are transformed.
///
/// A coarse bin has the same phase as the fine one of the same frequency: both see it from the window's top.
public struct SpectrumGrid: BitwiseCopyable, Equatable, Sendable {
    /// Frames that are transformed.
    public let transformFrames: Int
    /// The power of two by which a bin's number is multiplied for that of a fine one.
    public let shift: Int
    /// The hop, in 64ths of the transform.
    public let hop: Int

    @_noLocks
    init(_ lengths: ShiftLengths, isCoarse: Bool) {
        shift = isCoarse ? 1 : 0
        transformFrames = lengths.transformFrames >> shift
        hop = (lengths.hopFrames / lengths.stepFrames) << shift
    }

    /// Whether only every second bin is there.
    public var isCoarse: Bool { @_noLocks get { shift > 0 } }
    /// How many bins there are.
    public var bins: Int { @_noLocks get { transformFrames / 2 + 1 } }
    /// The bins, rounded up so that passes of eight lanes fit.
    public var paddedBins: Int { @_noLocks get { transformFrames / 2 + 8 } }
}
