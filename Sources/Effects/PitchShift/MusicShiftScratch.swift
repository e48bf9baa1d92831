internal import CRealtime
internal import DSP
internal import Realtime

/// Working memory for one hop of one channel in a polyphonic pitch shift; all channels use it in
/// turn.
struct MusicShiftScratch: ~Copyable {
    private let samples: Buffer<Float>
    private let lengths: ShiftLengths
    /// The number of bins before and after a spectrum that shifted regions may overhang.
    private static var margin: Int { @_noLocks get { 40 } }

    init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let count =
            lengths.transformFrames + 3 * (lengths.paddedBins + 2 * MusicShiftScratch.margin)
        samples = Buffer(count: count, repeating: 0)
    }

    /// The input of a transform, and the output of an inverse transform.
    var frames: UnsafeMutablePointer<Float> { @_noLocks get { samples.start } }
    /// The power spectrum of all channels together.
    var power: UnsafeMutablePointer<Float> { @_noLocks get { spectrum(0) } }
    /// A shifted spectrum.
    var shifted: SplitSpectrum {
        @_noLocks get { SplitSpectrum(real: spectrum(1), imaginary: spectrum(2)) }
    }

    @_noLocks
    private func spectrum(_ index: Int) -> UnsafeMutablePointer<Float> {
        samples.start + lengths.transformFrames + MusicShiftScratch.margin
            + index * (lengths.paddedBins + 2 * MusicShiftScratch.margin)
    }

    /// Clears the shifted spectrum, including the overhang.
    @_noLocks
    func clearShifted() {
        let count = Int64(lengths.paddedBins + 2 * MusicShiftScratch.margin)
        rt_clear(shifted.real - MusicShiftScratch.margin, count)
        rt_clear(shifted.imaginary - MusicShiftScratch.margin, count)
    }
}
