internal import CRealtime
internal import DSP
internal import Realtime

/// The state of one channel of the fast pitch shift: its latest two spectra, and what the partials
/// leave of the newest one.
struct FastShiftChannel: ~Copyable {
    /// Three spectra, each with its real parts before its imaginary parts.
    private let spectra: Buffer<Float>
    /// The level of the input over the newest span.
    let envelope: AttackEnvelope
    private let room: Int

    /// Creates a silent channel.
    init(_ lengths: ShiftLengths) {
        room = lengths.paddedBins + 2 * PartialWindows.margin
        spectra = Buffer(count: 6 * room, repeating: 0)
        envelope = AttackEnvelope(lengths)
    }

    /// Makes the channel silent.
    @_noLocks
    func clear() {
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
