internal import CRealtime

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
                let first = region == 0 ? 0 : Int(borders[region &- 1])
                let end =
                    region &+ 1 == count
                    ? bins : Int(borders[region]) &+ Int(areShared[region])
                moveRun(region, 1, first, end, spectrum, to: shifted, at: first)
                region &+= 2
            }
        }
    }

    /// Adds a run of bins to another spectrum, turned and moved like a region, times a sign;
    /// `place` is the index of the first bin in the source.
    @_noLocks @inline(__always)
    func moveRun(
        _ region: Int, _ sign: Float, _ first: Int, _ end: Int, _ source: SplitSpectrum,
        to shifted: SplitSpectrum, at place: Int
    ) {
        let whole = Int(wholes[region])
        // Bins that move far below 0 Hz or above Nyquist are left out.
        let skipped = max(0, -PeakRegions.below &- whole &- first)
        let count = min(end, bins &- whole) &- first &- skipped
        guard count > 0 else { return }
        let from = SplitSpectrum(
            real: source.real + (place &+ skipped),
            imaginary: source.imaginary + (place &+ skipped))
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
    let turnReal: SIMD4<Float>
    let turnImaginary: SIMD4<Float>
    let fraction: SIMD4<Float>
    /// The previous four bins.
    var lastReal = SIMD4<Float>.zero
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
