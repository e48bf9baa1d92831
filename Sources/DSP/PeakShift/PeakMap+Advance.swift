internal import CRealtime
internal import Realtime

extension PeakMap {
    /// Joins peaks whose phases turn at the same speed: side lobes with the tone that they belong
    /// to.
    ///
    /// Speeds that differ by whole turns per hop are indistinguishable.
    @_noLocks
    public mutating func joinSideLobes(_ power: UnsafePointer<Float>) {
        measurePhases()
        var kept = 0
        for index in 0..<count {
            let last = kept - 1
            if kept > 0, isSameTone(index, as: last, power) {
                if power[bin(index)] <= power[bin(last)] { continue }
                kept = last
            }
            regions.peaks[kept] = regions.peaks[index]
            regions.angles[kept] = regions.angles[index]
            along[kept] = along[index]
            across[kept] = across[index]
            kept += 1
        }
        regions.count = kept
        findBorders(power)
    }

    /// Finds the borders between regions.
    @_noLocks
    mutating func findBorders(_ power: UnsafePointer<Float>) {
        regions.findBorders(power)
        regions.shareBorders(near: near)
    }

    /// Writes the phase advance of each peak since the previous hop.
    @_noLocks
    private func measurePhases() {
        var region = 0
        while region < count {
            rt_store(
                regions.angles + region,
                rt_lanes_angles(
                    rt_load(along.start + region), rt_load(across.start + region)))
            region &+= 4
        }
    }

    /// Returns whether the phases of two peaks turn at the same speed, in turns per hop,
    /// independent of their bins.
    @_noLocks
    private func isSameTone(
        _ index: Int, as other: Int, _ power: UnsafePointer<Float>
    ) -> Bool {
        var apart = regions.angles[index] - regions.angles[other]
        apart -= apart > 0.5 ? 1 : apart < -0.5 ? -1 : 0
        apart *= 64 / Float(grid.hop)
        let (here, before) = (power[bin(index)], power[bin(other)])
        // The speed of a far side lobe is less certain: the tone's image below 0 Hz reaches into
        // it.
        let isFar = here < 1e-5 * before || before < 1e-5 * here
        return abs(apart) < (isFar ? 1.0 : 0.3)
    }

    /// Measures the peaks' frequencies, and sets the distance and the new angle of each region.
    @_noLocks
    public mutating func advance(ratio: Double) {
        measurePhases()
        if regions.hasNoise { holdNoise() }
        let kept = keptShare(ratio: ratio)
        var region = 0
        while region < count {
            advanceFour(region, stretch: ratio - 1, kept: kept)
            region &+= 4
        }
        advancePairs(stretch: ratio - 1, kept: kept)
    }

    /// Sets the phase advance of each region of noise to that of a tone in its middle.
    ///
    /// The measured advance of noise is random, and would move the region to and fro.
    @_noLocks
    private func holdNoise() {
        for region in 0..<count where regions.areNoise[region] != 0 {
            regions.angles[region] = Float(bin(region) &* grid.hop & 63) * (1.0 / 64)
        }
    }

    /// Advances four regions, whose frequencies grow by `stretch` times themselves.
    @_noLocks @inline(__always)
    private func advanceFour(_ region: Int, stretch: Double, kept: Float) {
        let hop = Int32(truncatingIfNeeded: grid.hop)
        let peaks = rt_load_integers(regions.peaks + region)
        let expected = rt_floats((peaks &* hop) & 63) * (1.0 / 64)
        let off =
            rt_lanes_wrapped(rt_load(regions.angles + region) - expected) * (64 / Float(hop))
        rt_store(regions.frequencies + region, rt_floats(peaks) + off)
        let bins = rt_floats(peaks)
        let low = advanceTwo(region, rt_lower_pair(bins) + rt_lower_pair(off), stretch)
        let high = advanceTwo(region + 2, rt_upper_pair(bins) + rt_upper_pair(off), stretch)
        let turned = SIMD4(Float(low.x), Float(low.y), Float(high.x), Float(high.y))
        let old = SIMD4(
            old[Int(peaks[0]) &<< grid.shift], old[Int(peaks[1]) &<< grid.shift],
            old[Int(peaks[2]) &<< grid.shift], old[Int(peaks[3]) &<< grid.shift])
        rt_store(regions.angles + region, rt_lanes_wrapped(old * kept + turned))
    }

    /// Sets the distance of two regions and returns their turns per hop.
    @_noLocks @inline(__always)
    private func advanceTwo(
        _ region: Int, _ bins: SIMD2<Double>, _ stretch: Double
    ) -> SIMD2<Double> {
        let distance = bins * stretch
        let whole = rt_pair_floor(distance)
        let turns = distance * (Double(grid.hop) / 64)
        let fraction = distance - whole
        regions.wholes[region] = Int32(truncatingIfNeeded: Int(whole.x))
        regions.wholes[region &+ 1] = Int32(truncatingIfNeeded: Int(whole.y))
        regions.fractions[region] = Float(fraction.x)
        regions.fractions[region &+ 1] = Float(fraction.y)
        return turns - rt_pair_floor(turns)
    }

    /// Returns the share of its angle that a region keeps: 1 while regions move; after the ratio
    /// has become 1, it falls to 0 in steps.
    @_noLocks
    private mutating func keptShare(ratio: Double) -> Float {
        guard ratio == 1 else {
            returnHops = PeakMap.returnSteps * lengths.stepFrames / lengths.hopFrames
            return 1
        }
        guard returnHops > 0 else { return 0 }
        returnHops -= 1
        return Float(returnHops) / Float(returnHops + 1)
    }
}
