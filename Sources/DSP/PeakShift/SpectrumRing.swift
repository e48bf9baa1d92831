internal import CRealtime

/// The lowest bins of a channel's latest spectra.
public struct SpectrumRing: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let places: UnsafeMutablePointer<Float>
    private let bins: Int
    private var newest = 0

    /// How many hops old the oldest spectrum is: two partials turn apart by half a circle in that, 0.8 bins from each other.
    public static var oldestHops: Int { @_noLocks get { 20 } }
    private static var slots: Int { @_noLocks get { oldestHops + 1 } }

    /// A ring of silence.
    public init(_ lengths: ShiftLengths) {
        bins = lengths.lowBins
        // The last bins' passes read a little farther.
        places = .allocate(capacity: SpectrumRing.slots * 2 * bins + 16)
        places.initialize(repeating: 0, count: SpectrumRing.slots * 2 * bins + 16)
    }

    /// Frees its memory.
    public func deallocate() { places.deallocate() }

    /// Starts from silence.
    @_noLocks
    public mutating func clear() {
        rt_clear(places, Int64(SpectrumRing.slots * 2 * bins))
        newest = 0
    }

    /// Takes the next hop's spectrum.
    @_noLocks
    public mutating func push(_ spectrum: SplitSpectrum) {
        newest = (newest + 1) % SpectrumRing.slots
        rt_copy(self[hopsAgo: 0].real, spectrum.real, Int64(bins))
        rt_copy(self[hopsAgo: 0].imaginary, spectrum.imaginary, Int64(bins))
    }

    /// The spectrum so many hops before the newest one.
    public subscript(hopsAgo hops: Int) -> SplitSpectrum {
        @_noLocks get {
            let slot = newest >= hops ? newest - hops : newest - hops + SpectrumRing.slots
            let real = places + slot * 2 * bins
            return SplitSpectrum(real: real, imaginary: real + bins)
        }
    }
}
