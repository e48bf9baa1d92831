internal import CRealtime
internal import Realtime

/// The regions of a spectrum, one element per region in every array; loops over four regions may
/// run past the last one.
struct PeakRegions: ~Copyable {
    /// The memory of all arrays.
    private let integers: Buffer<Int32>
    private let floats: Buffer<Float>
    // SAFETY: these pointers refer to the two buffers, which live as long as the regions.
    /// The bin of each peak.
    let peaks: UnsafeMutablePointer<Int32>
    /// The bin at which each region except the last ends and the next one begins.
    let borders: UnsafeMutablePointer<Int32>
    /// Whether the two neighbours share that bin, half each.
    let areShared: UnsafeMutablePointer<Int32>
    /// Whether each region is noise.
    let areNoise: UnsafeMutablePointer<Int32>
    /// The number of bins by which each region extends above its upper border, and the next region
    /// below it: 0 except in noise.
    let above: UnsafeMutablePointer<Int32>
    let under: UnsafeMutablePointer<Int32>
    /// Whether any region is noise.
    var hasNoise = false
    /// The number of whole bins by which each region moves up.
    let wholes: UnsafeMutablePointer<Int32>
    /// The frequency of each region, in bins.
    let frequencies: UnsafeMutablePointer<Float>
    /// The share of each region that moves one bin farther.
    let fractions: UnsafeMutablePointer<Float>
    /// Angles in turns: first the phase advance of each peak since the previous hop, then the angle
    /// by which the region is turned.
    let angles: UnsafeMutablePointer<Float>
    /// The complex factor of each region's bins.
    let reals: UnsafeMutablePointer<Float>
    let imaginaries: UnsafeMutablePointer<Float>
    var count = 0
    /// The number of bins of the spectrum.
    var bins: Int
    /// The first peak that is not needed; `nil` if there is none.
    var unneeded: Int32?
    /// The bin at which the last region ends.
    private(set) var end: Int
    /// The maximum number of regions.
    let capacity: Int

    init(bins: Int) {
        self.bins = bins
        end = bins
        // Two peaks are at least two bins apart.
        capacity = (bins / 2 / 4 + 2) * 4
        integers = Buffer(count: 7 * capacity, repeating: 0)
        floats = Buffer(count: 5 * capacity, repeating: 0)
        peaks = integers.start
        borders = integers.start + capacity
        areShared = integers.start + 2 * capacity
        wholes = integers.start + 3 * capacity
        areNoise = integers.start + 4 * capacity
        above = integers.start + 5 * capacity
        under = integers.start + 6 * capacity
        frequencies = floats.start
        fractions = floats.start + capacity
        angles = floats.start + 2 * capacity
        reals = floats.start + 3 * capacity
        imaginaries = floats.start + 4 * capacity
    }

    /// Finds the weakest bin between each two peaks, to a thousandth of its power.
    ///
    /// The last region ends before the first peak that is not needed.
    ///
    /// Two peaks may be up to 8191 bins apart, and seven more elements after the last must be
    /// readable.
    @_noLocks
    mutating func findBorders(_ power: UnsafePointer<Float>) {
        var region = 0
        while region &+ 1 < count {
            borders[region] = Int32(
                truncatingIfNeeded: border(peaks[region], peaks[region &+ 1], power))
            region &+= 1
        }
        guard count > 0, let unneeded else {
            end = bins
            return
        }
        end = border(peaks[count &- 1], unneeded, power)
    }

    /// Returns the weakest bin between two peaks.
    @_noLocks @inline(__always)
    private func border(_ peak: Int32, _ next: Int32, _ power: UnsafePointer<Float>) -> Int {
        let between = Int(peak) &+ 1
        return between &+ weakest(power + between, count: Int(next) &- between)
    }

    /// Returns the index of the weakest of `count` bins.
    @_noLocks @inline(__always)
    private func weakest(_ power: UnsafePointer<Float>, count: Int) -> Int {
        let count = Int32(truncatingIfNeeded: count)
        let high = SIMD4<Int32>(repeating: 0x7fff_e000)
        var best = SIMD4<Int32>(repeating: 0x7fff_ffff)
        var indices = SIMD4<Int32>(0, 1, 2, 3)
        var bin = 0
        // Positive floats compare like their bit patterns; the lowest bits are replaced by the
        // index.
        while bin < count {
            let upper = indices &+ 4
            let a = rt_bits(rt_load(power + bin)) & high | indices
            let b = rt_bits(rt_load(power + bin + 4)) & high | upper
            let after = (
                ~rt_below(indices, count) & 0x7fff_ffff, ~rt_below(upper, count) & 0x7fff_ffff
            )
            best = rt_least(best, rt_least(a | after.0, b | after.1))
            indices = upper &+ 4
            bin &+= 8
        }
        return Int(rt_least_lane(best) & 0x1fff)
    }

    /// Marks the borders whose bins two regions share: those between peaks at most `near` bins
    /// apart.
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

// Loops over about 300 short runs of bins, with hardly any branch that depends on the data.
extension PeakRegions {
    /// The number of bins below 0 Hz to which bins may move before they are folded back.
    static var below: Int { @_noLocks @inline(__always) get { 24 } }

    /// Adds the turned and moved regions to another spectrum, which needs 32 more elements at both
    /// ends.
    @_noLocks
    func move(_ spectrum: SplitSpectrum, to shifted: SplitSpectrum) {
        // Every second region first: neighbours overlap, so each would have to wait for the other's
        // store.
        for parity in 0..<2 {
            var region = parity
            while region < count {
                let first = region == 0 ? 0 : Int(borders[region &- 1] &- under[region &- 1])
                let end =
                    region &+ 1 == count
                    ? self.end : Int(borders[region] &+ areShared[region] &+ above[region])
                moveRun(region, 1, first, end, spectrum, to: shifted, at: first)
                region &+= 2
            }
        }
    }

    /// Adds a run of bins to another spectrum, turned and moved like a region, times a sign;
    /// `index` is the index of the first bin in the source.
    @_noLocks @inline(__always)
    func moveRun(
        _ region: Int, _ sign: Float, _ first: Int, _ end: Int, _ source: SplitSpectrum,
        to shifted: SplitSpectrum, at index: Int
    ) {
        let whole = Int(wholes[region])
        // Bins that move far below 0 Hz or above Nyquist are left out.
        let skipped = max(0, -PeakRegions.below &- whole &- first)
        let count = min(end, bins &- whole) &- first &- skipped
        guard count > 0 else { return }
        let from = SplitSpectrum(
            real: source.real + (index &+ skipped),
            imaginary: source.imaginary + (index &+ skipped))
        let target = first &+ skipped &+ whole
        let to = SplitSpectrum(
            real: shifted.real + target, imaginary: shifted.imaginary + target)
        var run = MovingRun(
            real: sign * reals[region], imaginary: sign * imaginaries[region],
            fraction: fractions[region])
        // A run writes one bin more than it reads. Most regions fit in the first eight bins, which
        // need no branch.
        run.move(from, 0, left: count, to: to)
        run.move(from, 4, left: count &- 4, to: to)
        var bin = 8
        while bin <= count {
            run.move(from, bin, left: count &- bin, to: to)
            bin &+= 4
        }
    }
}

/// A run of bins that is being moved.
private struct MovingRun {
    private let turnReal: SIMD4<Float>
    private let turnImaginary: SIMD4<Float>
    let fraction: SIMD4<Float>
    /// The previous four bins.
    private var lastReal = SIMD4<Float>.zero
    var lastImaginary = SIMD4<Float>.zero

    @_noLocks @inline(__always)
    init(real: Float, imaginary: Float, fraction: Float) {
        turnReal = SIMD4(repeating: real)
        turnImaginary = SIMD4(repeating: imaginary)
        self.fraction = SIMD4(repeating: fraction)
    }

    /// Adds four turned bins.
    @_noLocks @inline(__always)
    mutating func move(
        _ from: SplitSpectrum, _ bin: Int, left: Int, to: SplitSpectrum
    ) {
        var x = rt_first_lanes(rt_load(from.real + bin), Int32(truncatingIfNeeded: left))
        var y = rt_first_lanes(rt_load(from.imaginary + bin), Int32(truncatingIfNeeded: left))
        let (u, v) = (rt_one_later(lastReal, x), rt_one_later(lastImaginary, y))
        (lastReal, lastImaginary) = (x, y)
        // The larger share moves by whole bins, the fraction one bin farther.
        x += (u - x) * fraction
        y += (v - y) * fraction
        let (real, imaginary) = (to.real + bin, to.imaginary + bin)
        rt_store(real, rt_load(real) + (x * turnReal - y * turnImaginary))
        rt_store(imaginary, rt_load(imaginary) + (x * turnImaginary + y * turnReal))
    }
}
