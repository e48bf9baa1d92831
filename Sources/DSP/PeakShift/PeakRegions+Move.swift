internal import CRealtime

// Loops over some 300 short runs of bins, written so that hardly a branch depends on the data.
extension PeakRegions {
    /// How far below 0 Hz bins may go before they are folded back.
    static var below: Int { @_noLocks @inline(__always) get { 24 } }

    /// Adds the regions to another spectrum, each turned and moved; it needs 32 more places at both ends.
    @_noLocks
    func move(_ spectrum: SplitSpectrum, to shifted: SplitSpectrum) {
        // Every second one first: neighbours overlap, and one would have to wait for what the other stored.
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

    /// Adds a run of bins, whose first has a place of its own in the source, to another spectrum, turned and moved as a region
    /// is, times a sign.
    @_noLocks @inline(__always)
    func moveRun(
        _ region: Int, _ sign: Float, _ first: Int, _ end: Int, _ source: SplitSpectrum,
        to shifted: SplitSpectrum, at place: Int
    ) {
        let whole = Int(wholes[region])
        // What goes far below 0 Hz or above Nyquist is left out.
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
        // One place more than the bins. Most regions fit in the first eight, so these take no branch.
        run.move(from, 0, left: count, to: to)
        run.move(from, 4, left: count &- 4, to: to)
        var bin = 8
        while bin <= count {
            run.move(from, bin, left: count &- bin, to: to)
            bin &+= 4
        }
    }
}

/// A run of bins on its way.
private struct MovingRun {
    let turnReal: SIMD4<Float>
    let turnImaginary: SIMD4<Float>
    let fraction: SIMD4<Float>
    /// The four bins before.
    var lastReal = SIMD4<Float>.zero
    var lastImaginary = SIMD4<Float>.zero

    @_noLocks @inline(__always)
    init(real: Float, imaginary: Float, fraction: Float) {
        turnReal = SIMD4(repeating: real)
        turnImaginary = SIMD4(repeating: imaginary)
        self.fraction = SIMD4(repeating: fraction)
    }

    /// Adds four bins, turned.
    @_noLocks @inline(__always)
    mutating func move(
        _ from: SplitSpectrum, _ bin: Int, left: Int, to: SplitSpectrum
    ) {
        var x = rt_first_lanes(rt_load(from.real + bin), Int32(truncatingIfNeeded: left))
        var y = rt_first_lanes(rt_load(from.imaginary + bin), Int32(truncatingIfNeeded: left))
        let (u, v) = (rt_one_later(lastReal, x), rt_one_later(lastImaginary, y))
        (lastReal, lastImaginary) = (x, y)
        // Most of it goes to the whole bin, the fraction one farther.
        x += (u - x) * fraction
        y += (v - y) * fraction
        let (real, imaginary) = (to.real + bin, to.imaginary + bin)
        rt_store(real, rt_load(real) + (x * turnReal - y * turnImaginary))
        rt_store(imaginary, rt_load(imaginary) + (x * turnImaginary + y * turnReal))
    }
}
