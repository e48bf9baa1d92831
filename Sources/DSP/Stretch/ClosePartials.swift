internal import CRealtime

/// Partials near each other: their frequencies from how they turn from hop to hop, and what each leaves in the other's bins.
///
/// Under a window that is short against their beats, two partials lie in each other's bins. Turned as one with the peak they
/// are next to, the one in the other's bins would be turned wrongly: a noise at each partial's side. It owns its memory without
/// freeing it: whoever made it calls `deallocate`.
struct ClosePartials: BitwiseCopyable {
    private let stride: Int
    private let turnedBins: Int
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// Sums over the channels and the last hops of the input's spectrum times the conjugate of that a hop before.
    private let correlation: RTComplexArray
    private let frequencies: UnsafeMutablePointer<Float>
    private let pairs: UnsafeMutablePointer<RTNeighbours>
    private var pairCount = 0

    /// How much of the correlation is left after a hop: the beats of close partials even out.
    private static var kept: Float { @_noLocks get { 0.7 } }
    /// The hop, in 64ths of the transform.
    private static var hop: Int32 { @_noLocks get { Int32(64 / StretchLengths.stageCount) } }

    /// - Parameters:
    ///   - bins: Frequencies.
    ///   - stride: Room for them, a multiple of four.
    init(bins: Int, stride: Int) {
        self.stride = stride
        turnedBins = bins - 1
        correlation = complexZeros(stride)
        frequencies = zeros(bins / 2 + 8)
        pairs = .allocate(capacity: bins / 2 + 8)
        pairs.initialize(repeating: RTNeighbours(), count: bins / 2 + 8)
    }

    func deallocate() {
        deallocateComplex(correlation)
        frequencies.deallocate()
        pairs.deallocate()
    }

    /// Listens to how far each bin of a channel turned within a hop.
    ///
    /// - Parameters:
    ///   - now: The input's spectrum.
    ///   - before: That a hop before.
    ///   - isFirst: Whether this is the first channel.
    ///   - isNew: Whether the sound was not steady until now.
    @_noLocks
    func compare(_ now: RTComplexArray, _ before: RTComplexArray, isFirst: Bool, isNew: Bool) {
        SplitSpectrum(now).correlate(
            SplitSpectrum(before), to: SplitSpectrum(correlation),
            kept: isFirst ? (isNew ? 0 : ClosePartials.kept) : 1, count: stride)
    }

    /// What weak peaks are judged by; nothing where the sound is not steady.
    @_noLocks
    func turned(isSteady: Bool) -> RTTurned {
        RTTurned(
            along: UnsafePointer(correlation.real), across: UnsafePointer(correlation.imaginary),
            bins: isSteady ? Int32(turnedBins) : 0, hop: ClosePartials.hop)
    }

    /// Finds the pairs among peaks.
    @_noLocks
    mutating func find(_ peaks: SpectralPeaks, power: UnsafePointer<Float>) {
        var turned = turned(isSteady: true)
        let count = Int64(peaks.count)
        rt_partial_frequencies(&turned, peaks.places, count, frequencies)
        pairCount = Int(
            rt_find_neighbours(
                power, peaks.places, frequencies, count, ClosePartials.hop, peaks.turns, pairs))
    }

    /// Finds none.
    @_noLocks
    mutating func forget() { pairCount = 0 }

    /// Gives what each partial has in the other's bins its own turn.
    ///
    /// - Parameters:
    ///   - output: The input's spectrum with each bin turned as its peak is.
    ///   - now: The input's spectrum.
    ///   - before: That a hop before.
    @_noLocks
    func part(_ output: RTComplexArray, now: RTComplexArray, before: RTComplexArray) {
        rt_part_neighbours(output, now, before, pairs, Int64(pairCount))
    }
}
