internal import CRealtime
internal import DSP
internal import Realtime

/// The state of one channel of the fast pitch shift: its newest frames, its latest two spectra, what
/// the partials leave of the newest one, and its growing output.
struct FastShiftChannel: ~Copyable {
    /// A ring of the newest input frames.
    let history: Buffer<Float>
    /// A ring of the next output frames.
    let output: Buffer<Float>
    /// Three spectra, each with its real parts before its imaginary parts.
    private let spectra: Buffer<Float>
    /// The level of the input over the newest span.
    let envelope: AttackEnvelope
    private let room: Int

    /// Creates a silent channel.
    init(_ lengths: ShiftLengths) {
        history = Buffer(count: lengths.transformFrames, repeating: 0)
        output = Buffer(count: lengths.spanFrames, repeating: 0)
        room = lengths.paddedBins + 2 * PartialWindows.margin
        spectra = Buffer(count: 6 * room, repeating: 0)
        envelope = AttackEnvelope(lengths)
    }

    /// Makes the channel silent.
    @_noLocks
    func clear() {
        rt_clear(history.start, Int64(history.count))
        rt_clear(output.start, Int64(output.count))
        rt_clear(spectra.start, Int64(spectra.count))
    }

    /// Returns one of the two spectra.
    @_noLocks
    func spectrum(_ index: Int) -> SplitSpectrum {
        let real = spectra.start + 2 * index * room + PartialWindows.margin
        return SplitSpectrum(real: real, imaginary: real + room)
    }

    /// What the partials leave of the newest spectrum.
    var rest: SplitSpectrum { @_noLocks get { spectrum(2) } }

    /// Makes the rest equal to a spectrum.
    @_noLocks
    func beginRest(_ spectrum: SplitSpectrum, bins: Int) {
        rt_copy(rest.real, spectrum.real, Int64(bins))
        rt_copy(rest.imaginary, spectrum.imaginary, Int64(bins))
    }
}
