internal import CRealtime
internal import DSP
internal import Realtime

/// The state of one channel of a polyphonic pitch shift: its newest frames, its latest two spectra,
/// and its growing output.
struct MusicShiftChannel: ~Copyable {
    /// A ring of the newest input frames.
    let history: Buffer<Float>
    /// A ring of the next output frames.
    let output: Buffer<Float>
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
        history = Buffer(count: lengths.transformFrames, repeating: 0)
        output = Buffer(count: lengths.spanFrames, repeating: 0)
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
        rt_clear(history.start, Int64(history.count))
        rt_clear(output.start, Int64(output.count))
        rt_clear(spectra.start, Int64(spectra.count))
    }

    /// Returns one of the two spectra.
    @_noLocks
    func spectrum(_ index: Int) -> SplitSpectrum {
        let real = spectra.start + 2 * index * lengths.paddedBins
        return SplitSpectrum(real: real, imaginary: real + lengths.paddedBins)
    }
}
