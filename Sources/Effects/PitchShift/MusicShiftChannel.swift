internal import CRealtime
internal import DSP
internal import Realtime

/// The state of one channel of a polyphonic pitch shift: its latest two spectra, and what older
/// frames have left.
struct MusicShiftChannel: ~Copyable {
    /// Two spectra, each with its real parts before its imaginary parts.
    private let spectra: Buffer<Float>
    /// The level of the input over the newest span.
    let envelope: AttackEnvelope
    /// The input of the list of partials.
    var low: LowBand
    /// The lowest bins of older spectra.
    var past: SpectrumRing
    private let lengths: ShiftLengths

    /// Creates a silent channel.
    init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        spectra = Buffer(count: 4 * lengths.paddedBins + 8, repeating: 0)
        low = LowBand(lengths)
        past = SpectrumRing(lengths)
        envelope = AttackEnvelope(lengths)
    }

    /// Makes the channel silent.
    @_noLocks
    mutating func clear() {
        low.clear()
        past.clear()
        rt_clear(spectra.start, Int64(spectra.count))
    }

    /// Returns one of the two spectra.
    @_noLocks
    func spectrum(_ index: Int) -> SplitSpectrum {
        let real = spectra.start + 2 * index * lengths.paddedBins
        return SplitSpectrum(real: real, imaginary: real + lengths.paddedBins)
    }
}
