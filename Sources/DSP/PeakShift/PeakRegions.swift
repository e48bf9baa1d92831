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

    /// Finds the weakest bin between each two peaks, to a thousandth of its power.
    ///
    /// There may be 8191 bins between two peaks, and seven more places behind the last.
    @_noLocks
    func findBorders(_ power: UnsafePointer<Float>) {
        var region = 0
        while region &+ 1 < count {
            let between = Int(peaks[region]) &+ 1
            borders[region] = Int32(
                truncatingIfNeeded: between
                    &+ weakest(power + between, count: Int(peaks[region &+ 1]) &- between))
            region &+= 1
        }
    }

    /// Which of so many bins is the weakest.
    @_noLocks @inline(__always)
    private func weakest(_ power: UnsafePointer<Float>, count: Int) -> Int {
        let count = Int32(truncatingIfNeeded: count)
        let high = SIMD4<Int32>(repeating: 0x7fff_e000)
        var best = SIMD4<Int32>(repeating: 0x7fff_ffff)
        var places = SIMD4<Int32>(0, 1, 2, 3)
        var bin = 0
        // Floats of one sign compare like their bits; the lowest bits make room for the place.
        while bin < count {
            let upper = places &+ 4
            let a = rt_bits(rt_load(power + bin)) & high | places
            let b = rt_bits(rt_load(power + bin + 4)) & high | upper
            let after = (
                ~rt_below(places, count) & 0x7fff_ffff, ~rt_below(upper, count) & 0x7fff_ffff
            )
            best = rt_least(best, rt_least(a | after.0, b | after.1))
            places = upper &+ 4
            bin &+= 8
        }
        return Int(rt_least_lane(best) & 0x1fff)
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
