internal import CRealtime
internal import Realtime

/// The lowest bins of a channel's latest spectra.
public struct SpectrumRing: ~Copyable {
    /// The spectra, each with its real parts before its imaginary parts.
    private let spectra: Buffer<Float>
    private let bins: Int
    private var newest = 0

    /// The age of the oldest spectrum, in hops: two partials 0.8 bins apart turn apart by half a
    /// circle in this time.
    public static var oldestHops: Int { @_noLocks get { 20 } }
    private static var slots: Int { @_noLocks get { oldestHops + 1 } }

    /// Creates a ring of silence.
    public init(_ lengths: ShiftLengths) {
        bins = lengths.lowBins
        // Loops over the last bins read a little farther.
        spectra = Buffer(count: SpectrumRing.slots * 2 * bins + 16, repeating: 0)
    }

    /// Restarts from silence.
    @_noLocks
    public mutating func clear() {
        rt_clear(spectra.start, Int64(SpectrumRing.slots * 2 * bins))
        newest = 0
    }

    /// Adds the next hop's spectrum.
    @_noLocks
    public mutating func push(_ spectrum: SplitSpectrum) {
        newest = (newest + 1) % SpectrumRing.slots
        rt_copy(self[hopsAgo: 0].real, spectrum.real, Int64(bins))
        rt_copy(self[hopsAgo: 0].imaginary, spectrum.imaginary, Int64(bins))
    }

    /// The spectrum of a number of hops before the newest one.
    public subscript(hopsAgo hops: Int) -> SplitSpectrum {
        @_noLocks get {
            let slot = newest >= hops ? newest - hops : newest - hops + SpectrumRing.slots
            let real = spectra.start + slot * 2 * bins
            return SplitSpectrum(real: real, imaginary: real + bins)
        }
    }
}
