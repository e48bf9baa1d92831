internal import CRealtime

/// A search for the peaks of a power spectrum: bins above their nearest neighbours on both sides,
/// and weaker bins that are partials.
struct PeakFinder: BitwiseCopyable {
    // SAFETY: the finder does not outlive the spectrum that it searches.
    /// The power spectrum, with two more readable elements before it and eight after it.
    let power: UnsafePointer<Float>
    /// The power below which no bin is a peak.
    var threshold: Float = 0
    /// The number of neighbours on each side that a peak must exceed: 1 or 2.
    var reach = 2
    /// The bin, a multiple of 32, from which a peak must exceed twice as many neighbours.
    var wide = Int.max
    /// The turns of the lowest bins within a hop, where weaker peaks are searched for.
    let turned: RTTurned
    /// The regions of noise, whose middles count as peaks.
    var noise = NoiseRegions.none

    /// Writes the peaks among the first `bins` bins and returns their number.
    @_noLocks
    func find(bins: Int, to peaks: UnsafeMutablePointer<Int32>) -> Int {
        var (found, first) = (0, 0)
        while first < bins {
            var peakBits =
                noise.middles(first) ?? self.peakBits(first, end: min(bins, first &+ 32))
            // The bins at both ends lack neighbours, so they cannot be peaks.
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

    /// Returns the first peak from a bin on; `nil` if there is none.
    @_noLocks
    func first(from start: Int, bins: Int) -> Int32? {
        var first = start & ~31
        while first < bins &- 2 {
            var peakBits = self.peakBits(first, end: min(bins, first &+ 32))
            if first < start { peakBits &= UInt64.max &<< UInt64(start &- first) }
            let bin = first &+ peakBits.trailingZeroBitCount
            if peakBits != 0 { return bin < bins &- 2 ? Int32(truncatingIfNeeded: bin) : nil }
            first &+= 32
        }
        return nil
    }

    /// Returns one bit per bin of up to 32, set at peaks.
    @_noLocks @inline(__always)
    private func peakBits(_ first: Int, end: Int) -> UInt64 {
        let near = first >= wide ? 2 * reach : reach
        let least = SIMD4(repeating: threshold)
        var (bits, weaker): (UInt64, UInt64) = (0, 0)
        var bin = first
        while bin < end {
            let address = power + bin
            let here = rt_load(address)
            let isHigh = aboveBoth(here, address, 1) & rt_above(here, least)
            var isPeak = isHigh
            if near > 1 { isPeak &= aboveBoth(here, address, 2) }
            if near > 2 { isPeak &= aboveBoth(here, address, 3) & aboveBoth(here, address, 4) }
            let part = UInt64(truncatingIfNeeded: bin &- first)
            bits |= rt_bits_of_mask(isPeak) &<< part
            if first < turned.bins { weaker |= rt_bits_of_mask(isHigh & ~isPeak) &<< part }
            bin &+= 4
        }
        while weaker != 0 {
            let bit = weaker.trailingZeroBitCount
            if isOwnPartial(first &+ bit) { bits |= UInt64(1) &<< UInt64(bit) }
            weaker &= weaker &- 1
        }
        return bits
    }

    /// Returns which of four bins are above the bin at a distance before them and not below the one
    /// after them.
    @_noLocks @inline(__always)
    private func aboveBoth(
        _ here: SIMD4<Float>, _ address: UnsafePointer<Float>, _ distance: Int
    ) -> SIMD4<Int32> {
        rt_above(here, rt_load(address - distance))
            & rt_not_below(here, rt_load(address + distance))
    }

    /// Returns whether a bin above one neighbour on each side, but not above two, is a separate
    /// partial.
    ///
    /// A bin whose phase turns at the speed of the stronger neighbour may be a side lobe of it; a
    /// partial has a different speed.
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
