internal import CRealtime
internal import DSP

/// Room for one hop of one channel on its way through a polyphonic pitch shift, used by each in turn.
struct MusicShiftScratch: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    private let places: UnsafeMutablePointer<Float>
    private let lengths: ShiftLengths
    /// Room before and behind a spectrum, for what overhangs.
    private static var margin: Int { @_noLocks get { 40 } }

    init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let count =
            lengths.transformFrames + 3 * (lengths.paddedBins + 2 * MusicShiftScratch.margin)
        places = .allocate(capacity: count)
        places.initialize(repeating: 0, count: count)
    }

    func deallocate() { places.deallocate() }

    /// The frames that are transformed, and those that an inverse transform gave.
    var frames: UnsafeMutablePointer<Float> { @_noLocks get { places } }
    /// The power spectrum of all channels together.
    var power: UnsafeMutablePointer<Float> { @_noLocks get { spectrum(0) } }
    /// A shifted spectrum.
    var shifted: SplitSpectrum {
        @_noLocks get { SplitSpectrum(real: spectrum(1), imaginary: spectrum(2)) }
    }

    @_noLocks
    private func spectrum(_ index: Int) -> UnsafeMutablePointer<Float> {
        places + lengths.transformFrames + MusicShiftScratch.margin
            + index * (lengths.paddedBins + 2 * MusicShiftScratch.margin)
    }

    /// Empties the shifted spectrum, with what overhangs.
    @_noLocks
    func clearShifted() {
        let count = Int64(lengths.paddedBins + 2 * MusicShiftScratch.margin)
        rt_clear(shifted.real - MusicShiftScratch.margin, count)
        rt_clear(shifted.imaginary - MusicShiftScratch.margin, count)
    }
}
