internal import CRealtime
internal import DSP

/// What a channel of a polyphonic pitch shift keeps: its newest frames, its latest two spectra, and its output as it grows.
struct MusicShiftChannel: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// A ring of the newest frames that came in.
    let history: UnsafeMutablePointer<Float>
    /// A ring of the frames that go out next.
    let output: UnsafeMutablePointer<Float>
    /// Two spectra, real parts before imaginary ones.
    private let spectra: UnsafeMutablePointer<Float>
    /// How loud the input was in the course of the newest span.
    let envelope: AttackEnvelope
    /// What the list of partials is made of.
    var low: LowBand
    /// The lowest bins of older spectra.
    var past: SpectrumRing
    private let lengths: ShiftLengths

    /// A silent channel.
    init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        history = .allocate(capacity: lengths.transformFrames)
        output = .allocate(capacity: lengths.spanFrames)
        spectra = .allocate(capacity: 4 * lengths.paddedBins + 8)
        low = LowBand(lengths)
        past = SpectrumRing(lengths)
        envelope = AttackEnvelope(lengths)
        history.initialize(repeating: 0, count: lengths.transformFrames)
        output.initialize(repeating: 0, count: lengths.spanFrames)
        spectra.initialize(repeating: 0, count: 4 * lengths.paddedBins + 8)
    }

    func deallocate() {
        history.deallocate()
        output.deallocate()
        spectra.deallocate()
        low.deallocate()
        past.deallocate()
        envelope.deallocate()
    }

    /// Makes it silent.
    @_noLocks
    mutating func clear() {
        low.clear()
        past.clear()
        rt_clear(history, Int64(lengths.transformFrames))
        rt_clear(output, Int64(lengths.spanFrames))
        rt_clear(spectra, Int64(4 * lengths.paddedBins + 8))
    }

    /// One of the two spectra.
    @_noLocks
    func spectrum(_ index: Int) -> SplitSpectrum {
        let real = spectra + 2 * index * lengths.paddedBins
        return SplitSpectrum(real: real, imaginary: real + lengths.paddedBins)
    }
}
