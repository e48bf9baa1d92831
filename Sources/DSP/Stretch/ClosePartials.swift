internal import CRealtime
internal import Realtime

/// Corrections for partials close together: their frequencies, measured from their turns per hop,
/// and the share of each in the other's bins.
///
/// If the window is short compared with the beats of two partials, the two share bins. If a bin
/// turned as a whole with its nearest peak, the other partial's share would get the wrong turn:
/// noise next to each partial.
struct ClosePartials: ~Copyable {
    private let stride: Int
    private let turnedBins: Int
    /// The input's spectrum times the conjugate of the one a hop earlier, summed over the channels
    /// and the latest hops.
    private let correlation: ComplexBuffer
    private let frequencies: Buffer<Float>
    private let pairs: Buffer<RTNeighbours>
    private var pairCount = 0

    /// The share of the correlation that remains after a hop: the beats of close partials average
    /// out.
    private static var kept: Float { @_noLocks get { 0.7 } }
    /// The hop, in 64ths of the transform.
    private static var hop: Int32 { @_noLocks get { Int32(64 / StretchLengths.stageCount) } }

    /// Creates storage for the pairs of a spectrum.
    ///
    /// - Parameters:
    ///   - bins: The number of frequencies.
    ///   - stride: The room for them, a multiple of four.
    init(bins: Int, stride: Int) {
        self.stride = stride
        turnedBins = bins - 1
        correlation = ComplexBuffer(count: stride)
        frequencies = Buffer(count: bins / 2 + 8, repeating: 0)
        pairs = Buffer(count: bins / 2 + 8, repeating: RTNeighbours())
    }

    /// Adds the turn of each bin of a channel within a hop.
    ///
    /// - Parameters:
    ///   - now: The input's spectrum.
    ///   - before: The input's spectrum one hop earlier.
    ///   - isFirst: Whether this is the first channel.
    ///   - isNew: Whether the sound has just become steady.
    @_noLocks
    func compare(_ now: RTComplexArray, _ before: RTComplexArray, isFirst: Bool, isNew: Bool) {
        SplitSpectrum(now).correlate(
            SplitSpectrum(before), to: correlation.spectrum,
            kept: isFirst ? (isNew ? 0 : ClosePartials.kept) : 1, count: stride)
    }

    /// The real or the imaginary parts of the turns of the latest hops.
    @_noLocks
    func array(isReal: Bool) -> (start: UnsafeMutablePointer<Float>, count: Int) {
        (isReal ? correlation.real : correlation.imaginary, stride)
    }

    /// Returns the turns from which weak peaks are judged; no bins if the sound is not steady.
    @_noLocks
    func turned(isSteady: Bool) -> RTTurned {
        RTTurned(
            along: UnsafePointer(correlation.real), across: UnsafePointer(correlation.imaginary),
            bins: isSteady ? Int32(turnedBins) : 0, hop: ClosePartials.hop)
    }

    /// Finds the pairs among the peaks.
    @_noLocks
    mutating func find(_ peaks: borrowing SpectralPeaks, power: UnsafePointer<Float>) {
        var turned = turned(isSteady: true)
        let count = Int64(peaks.count)
        rt_partial_frequencies(&turned, peaks.bins.start, count, frequencies.start)
        pairCount = Int(
            rt_find_neighbours(
                power, peaks.bins.start, frequencies.start, count, ClosePartials.hop,
                peaks.turns.array, pairs.start))
    }

    /// Removes all pairs.
    @_noLocks
    mutating func forget() { pairCount = 0 }

    /// Turns the share of each partial in the other's bins by the partial's own turn.
    ///
    /// - Parameters:
    ///   - output: The input's spectrum with each bin turned like its peak.
    ///   - now: The input's spectrum.
    ///   - before: The input's spectrum one hop earlier.
    @_noLocks
    func part(_ output: RTComplexArray, now: RTComplexArray, before: RTComplexArray) {
        rt_part_neighbours(output, now, before, pairs.start, Int64(pairCount))
    }
}
