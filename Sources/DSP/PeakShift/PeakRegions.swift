internal import CRealtime

/// The regions of a spectrum, one place each in every array; there is room for three more than a multiple of four.
struct PeakRegions: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// The bin of each peak.
    let peaks: UnsafeMutablePointer<Int32>
    /// The bin that ends each region but the last; the next one begins with it.
    let borders: UnsafeMutablePointer<Int32>
    /// Whether that bin goes half with either region.
    let areShared: UnsafeMutablePointer<Int32>
    /// How many whole bins up each goes.
    let wholes: UnsafeMutablePointer<Int32>
    /// The frequency of each, in bins.
    let frequencies: UnsafeMutablePointer<Float>
    /// What share of it goes one bin farther.
    let fractions: UnsafeMutablePointer<Float>
    /// Angles in turns: at first that of each peak against the hop before, then what the region is turned by.
    let angles: UnsafeMutablePointer<Float>
    /// What each bin is multiplied by.
    let reals: UnsafeMutablePointer<Float>
    let imaginaries: UnsafeMutablePointer<Float>
    var count = 0
    /// How many bins the spectrum has.
    var bins: Int
    /// How many regions there is room for.
    let capacity: Int

    init(bins: Int) {
        self.bins = bins
        // A peak is two bins from the next at least.
        capacity = (bins / 2 / 4 + 2) * 4
        let integers = UnsafeMutablePointer<Int32>.allocate(capacity: 4 * capacity)
        let floats = UnsafeMutablePointer<Float>.allocate(capacity: 5 * capacity)
        integers.initialize(repeating: 0, count: 4 * capacity)
        floats.initialize(repeating: 0, count: 5 * capacity)
        peaks = integers
        borders = integers + capacity
        areShared = integers + 2 * capacity
        wholes = integers + 3 * capacity
        frequencies = floats
        fractions = floats + capacity
        angles = floats + 2 * capacity
        reals = floats + 3 * capacity
        imaginaries = floats + 4 * capacity
    }

    func deallocate() {
        // The others lie in the same places.
        peaks.deallocate()
        frequencies.deallocate()
    }

    /// Tells which borders' bins go half with either region: those between peaks that are so many bins from each other at most.
    @_noLocks
    func shareBorders(near: Int32) {
        var region = 0
        while region < count {
            let apart = rt_load_integers(peaks + region + 1) &- rt_load_integers(peaks + region)
            rt_store_integers(areShared + region, rt_below(apart, near + 1) & 1)
            region &+= 4
        }
    }

    /// Halves the bins that two regions share.
    @_noLocks
    func halveBorders(_ spectrum: SplitSpectrum) {
        var region = 0
        while region &+ 1 < count {
            let share = 1 - 0.5 * Float(areShared[region])
            spectrum.real[Int(borders[region])] *= share
            spectrum.imaginary[Int(borders[region])] *= share
            region &+= 1
        }
    }
}
