internal import CRealtime

// The frequencies of noise move apart when it moves up, and gaps between the regions sound like
// tones: if each region is Gaussian and fills a share s of the time and band, the kurtosis of the
// bins is 2 / s. So each region of noise extends into its neighbours until it meets the moved
// neighbour. All its bins move by the same distance, so that it remains what it is: noise.
extension PeakRegions {
    /// Marks the regions of noise and sets the borders between them; call it after `findBorders`.
    @_noLocks
    mutating func mark(_ noise: NoiseRegions) {
        if hasNoise {
            for region in 0..<capacity {
                areNoise[region] = 0
                above[region] = 0
                under[region] = 0
            }
        }
        hasNoise = noise.areNoise != nil
        guard hasNoise else { return }
        for region in 0..<count where noise.contains(Int(peaks[region])) { areNoise[region] = 1 }
        var region = 0
        while region &+ 1 < count {
            if areNoise[region] & areNoise[region &+ 1] != 0 {
                borders[region] = (peaks[region] &+ peaks[region &+ 1]) / 2
                areShared[region] = 0
            }
            region &+= 1
        }
    }

    /// Extends the regions of noise that move apart, and lowers them so that the energy remains the
    /// same.
    ///
    /// - Parameters:
    ///   - ratio: The factor of all frequencies, above 1.
    ///   - gain: A gain that follows, which noise does not need.
    @_noLocks
    func fillGaps(ratio: Float, before gain: Float) {
        let factor = Float(1 / (rt_sqrt(Double(ratio)) * Double(gain)))
        for region in 0..<count {
            let isNoise = areNoise[region] != 0
            if isNoise {
                // The interpolation between two bins loses up to 0.35 dB.
                let fraction = fractions[region]
                let raised = factor * (1 + 0.16 * fraction * (1 - fraction))
                reals[region] *= raised
                imaginaries[region] *= raised
            }
            guard region &+ 1 < count, isNoise || areNoise[region &+ 1] != 0 else { continue }
            extend(region, ratio: ratio)
        }
    }

    /// Fills the gap between a region and the next one.
    ///
    /// Between noise and another sound, only noise is copied: the region of the other sound extends
    /// into the noise, by a part of the gap that keeps the energy.
    @_noLocks @inline(__always)
    private func extend(_ region: Int, ratio: Float) {
        let gap =
            Float(wholes[region &+ 1] &- wholes[region]) + fractions[region &+ 1]
            - fractions[region]
        let bins = max(0, gap)
        var (up, down): (Int32, Int32) = (0, 0)
        if areNoise[region] & areNoise[region &+ 1] != 0 {
            let whole = Int32(bins + 0.5)
            (up, down) = (whole / 2, whole &- whole / 2)
        } else if areNoise[region] != 0 {
            down = Int32(bins / ratio)
        } else {
            up = Int32(bins / ratio)
        }
        above[region] = min(up, Int32(truncatingIfNeeded: self.bins) &- borders[region])
        under[region] = min(down, borders[region])
    }
}
