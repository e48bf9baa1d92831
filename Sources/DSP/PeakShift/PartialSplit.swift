internal import CRealtime
internal import Realtime

/// Two neighbouring regions whose partials leak into each other's bins.
///
/// The two are separated by how far each turned since an older spectrum: X = P + Q now and
/// X′ = P / p + Q / q then, where p and q are the turns of the two partials. P and Q follow for
/// every bin.
struct PartialSplit: BitwiseCopyable {
    /// The lower region.
    var region = 0
    /// The age of the older spectrum, in hops.
    var hops = 0
    /// The turns of the lower and of the upper partial since then.
    var lower = RTDirection()
    var upper = RTDirection()
    /// Half the cotangent of half the angle between the two turns.
    var cotangent: Float = 0
}

extension PeakMap {
    /// The maximum distance between the peaks of two regions, in bins, at which their partials are
    /// separated.
    private static var farthest: Int { @_noLocks get { 12 } }

    /// Finds the regions whose partials leak into each other, and assigns each of their border bins
    /// to one region; call it after `advance`.
    ///
    /// - Parameter oldestHops: The age of the oldest known spectrum, in hops.
    @_noLocks
    public mutating func findSplits(oldestHops: Int) {
        splitCount = 0
        var region = 0
        while region + 1 < count, bin(region + 1) < lengths.lowBins - 4 {
            if let split = split(above: region, oldestHops) {
                splits[splitCount] = split
                splitCount += 1
                regions.areShared[region] = 0
            }
            region += 1
        }
        findImage(oldestHops: oldestHops)
    }

    /// Returns how to separate a region from the next one, or `nil` if they are not separated.
    @_noLocks
    private func split(above region: Int, _ oldestHops: Int) -> PartialSplit? {
        let binsApart = bin(region + 1) - bin(region)
        let (low, high) = (regions.frequencies[region], regions.frequencies[region + 1])
        let apart = high - low
        let isPair = binsApart <= PeakMap.farthest && apart >= 0.8 && apart <= Float(binsApart + 3)
        guard isPair, isNearPeak(region), isNearPeak(region + 1) else { return nil }
        // The age at which the two have turned apart by half a circle.
        let hops = max(1, Int(32 / Float(grid.hop) / apart + 0.5))
        guard hops <= oldestHops else { return nil }
        let step = Double(hops * grid.hop) / 64
        let half = rt_direction(-0.5 * apart * Float(step))
        return PartialSplit(
            region: region, hops: hops, lower: PeakMap.direction(Double(low) * step),
            upper: PeakMap.direction(Double(high) * step),
            cotangent: 0.5 * half.real / half.imaginary)
    }

    /// Returns whether a region's frequency is within four bins of its peak.
    @_noLocks
    private func isNearPeak(_ region: Int) -> Bool {
        abs(regions.frequencies[region] - Float(bin(region))) <= 4
    }

    /// Returns the direction of an angle in turns, of any size.
    @_noLocks
    static func direction(_ turns: Double) -> RTDirection {
        rt_direction(Float(turns - rt_floor(turns)))
    }

    /// Moves the share of each partial in the other region's bins together with its own region.
    @_noLocks
    func move(
        _ split: PartialSplit, _ spectrum: SplitSpectrum, before: SplitSpectrum,
        to shifted: SplitSpectrum
    ) {
        let (first, end) = (bin(split.region), bin(split.region + 1) + 1)
        let border = Int(regions.borders[split.region])
        let isLower = SIMD4<Int32>(0, 1, 2, 3)
        var bin = first
        while bin < end {
            let condition = rt_below(isLower, Int32(truncatingIfNeeded: border - bin))
            let turn = SplitLanes(
                condition, real: (split.lower.real, split.upper.real),
                imaginary: (split.lower.imaginary, split.upper.imaginary))
            let rest = turn.rest(spectrum, before, at: bin)
            let half = rt_where(condition, SIMD4(repeating: -0.5), SIMD4(repeating: 0.5))
            rt_store(leak.real + (bin - first), rest.x * half + rest.y * split.cotangent)
            rt_store(leak.imaginary + (bin - first), rest.y * half - rest.x * split.cotangent)
            bin += 4
        }
        regions.moveRun(split.region, 1, first, end, leak.spectrum, to: shifted, at: 0)
        regions.moveRun(split.region + 1, -1, first, end, leak.spectrum, to: shifted, at: 0)
    }
}

/// The turns of the partials in four bins.
private struct SplitLanes {
    let real: SIMD4<Float>
    let imaginary: SIMD4<Float>

    @_noLocks @inline(__always)
    init(_ condition: SIMD4<Int32>, real: (Float, Float), imaginary: (Float, Float)) {
        self.real = rt_where(condition, SIMD4(repeating: real.0), SIMD4(repeating: real.1))
        self.imaginary = rt_where(
            condition, SIMD4(repeating: imaginary.0), SIMD4(repeating: imaginary.1))
    }

    /// Returns a spectrum minus an older one that is turned.
    @_noLocks @inline(__always)
    func rest(
        _ spectrum: SplitSpectrum, _ old: SplitSpectrum, at bin: Int
    ) -> (x: SIMD4<Float>, y: SIMD4<Float>) {
        let (u, v) = (rt_load(old.real + bin), rt_load(old.imaginary + bin))
        return (
            rt_load(spectrum.real + bin) - (u * real - v * imaginary),
            rt_load(spectrum.imaginary + bin) - (u * imaginary + v * real)
        )
    }
}
