internal import CRealtime

/// Finds the peaks of a power spectrum: bins that are above so many neighbours either side, and weaker ones that are partials.
struct PeakFinder: BitwiseCopyable {
    // SAFETY: the finder lives no longer than what it looks at.
    /// With two more places before it and eight behind.
    let power: UnsafePointer<Float>
    /// Power below which nothing is a peak.
    var threshold: Float = 0
    /// How many neighbours either side a peak is above: 1 or 2.
    var reach = 2
    /// The bin, a multiple of 32, from which it is above twice as many.
    var wide = Int.max
    /// How far the lowest bins turned in a hop, where weaker peaks are looked for.
    let turned: RTTurned

    /// Writes the peaks of so many bins; returns how many there are.
    @_noLocks
    func find(bins: Int, to peaks: UnsafeMutablePointer<Int32>) -> Int {
        var (found, first) = (0, 0)
        while first < bins {
            var peakBits = self.peakBits(first, end: min(bins, first &+ 32))
            // Neither end has neighbours to be above.
            if first == 0 { peakBits &= ~3 }
            if first &+ 32 > bins &- 2 {
                let left = UInt64(max(0, bins &- 2 &- first))
                peakBits &= (UInt64(1) &<< left) &- 1
            }
            while peakBits != 0 {
                peaks[found] = Int32(
                    truncatingIfNeeded: first &+ peakBits.trailingZeroBitCount)
                found &+= 1
                peakBits &= peakBits &- 1
            }
            first &+= 32
        }
        return found
    }

    /// One bit a bin of 32, set at peaks.
    @_noLocks @inline(__always)
    private func peakBits(_ first: Int, end: Int) -> UInt64 {
        let near = first >= wide ? 2 * reach : reach
        let least = SIMD4(repeating: threshold)
        var (bits, weaker): (UInt64, UInt64) = (0, 0)
        var bin = first
        while bin < end {
            let place = power + bin
            let here = rt_load(place)
            let isHigh = aboveBoth(here, place, 1) & rt_above(here, least)
            var isPeak = isHigh
            if near > 1 { isPeak &= aboveBoth(here, place, 2) }
            if near > 2 { isPeak &= aboveBoth(here, place, 3) & aboveBoth(here, place, 4) }
            let part = UInt64(truncatingIfNeeded: bin &- first)
            bits |= rt_bits_of_mask(isPeak) &<< part
            if first < turned.bins { weaker |= rt_bits_of_mask(isHigh & ~isPeak) &<< part }
            bin &+= 4
        }
        while weaker != 0 {
            let place = weaker.trailingZeroBitCount
            if isOwnPartial(first &+ place) { bits |= UInt64(1) &<< UInt64(place) }
            weaker &= weaker &- 1
        }
        return bits
    }

    /// Which of four bins are above those a distance before, and not below those behind.
    @_noLocks @inline(__always)
    private func aboveBoth(
        _ here: SIMD4<Float>, _ place: UnsafePointer<Float>, _ distance: Int
    ) -> SIMD4<Int32> {
        rt_above(here, rt_load(place - distance)) & rt_not_below(here, rt_load(place + distance))
    }

    /// Whether a bin that is above one neighbour either side, but not above two, is a partial of its own: where its phase turns
    /// at a speed that is its own, and not that of the stronger neighbour, of which it may be a side lobe.
    @_noLocks
    private func isOwnPartial(_ bin: Int) -> Bool {
        guard bin >= 2, bin + 2 < Int(turned.bins) else { return false }
        let other = power[bin - 2] > power[bin + 2] ? bin - 2 : bin + 2
        guard power[bin] > 1e-3 * power[other] else { return false }
        let (along, across, hop) = (turned.along, turned.across, Int(turned.hop))
        let turns = rt_lanes_angles(
            SIMD4(along[bin], along[other], 0, 0), SIMD4(across[bin], across[other], 0, 0))
        let expected =
            SIMD4(Float(bin * hop & 63), Float(other * hop & 63), 0, 0) * (1.0 / 64)
        let off = rt_lanes_wrapped(turns - expected) * (64 / Float(hop))
        let difference = Float(bin - other) + off[0] - off[1]
        return abs(off[0]) <= 1.2 && abs(difference) >= 0.7
    }
}
