internal import CRealtime

/// Two partials that one peak of a spectrum holds.
struct PartialPair: BitwiseCopyable {
    /// The region that both are in; when it was parted, the lower one's.
    var region = 0
    /// Their frequencies, in bins.
    var lower: Float = 0
    var upper: Float = 0
    /// The first bin of the upper one.
    var border: Int32 = 0
    /// The sum and the product of what both turn by between two spectra.
    var sum = SIMD2<Float>.zero
    var product = SIMD2<Float>.zero
    /// What the two do not account for, and all there is.
    var rest: Float = 0
    var total: Float = 0
}

// A spectrum of two partials, X, goes on as X = (p + q) X′ - p q X″, with p and q what they turn by between each two: where that
// is so, the list's partials are what the peak holds.
extension PeakMap {
    /// The most pairs that are looked for.
    static var mostPairs: Int { @_noLocks get { 48 } }
    /// How far from a peak its partials are at most, in bins.
    private static var farthest: Float { @_noLocks get { 3.5 } }
    /// How near each other two partials are at least.
    private static var nearest: Float { @_noLocks get { 0.8 } }
    /// Level below the stronger one at which a partial does not count: -25 dB, as a logarithm to the base of 2.
    private static var quiet: Float { @_noLocks get { 8.3 } }
    /// The greatest share that two partials may leave over.
    private static var most: Float { @_noLocks get { 0.1 } }
    /// The hops between the spectra that pairs are told by.
    public var pairHops: Int { @_noLocks get { 16 / grid.hop } }

    /// Finds the regions that hold two partials of a list each, but where an attack is.
    @_noLocks
    public mutating func findPairs(_ list: PartialList, _ attacks: AttackBands) {
        pairCount = 0
        var (region, start, partial): (Int, Float, Int) = (0, 0, 0)
        while region + 1 < count, partial < list.count, pairCount < PeakMap.mostPairs,
            bin(region) + 1 < lengths.lowBins
        {
            let end = Float(regions.borders[region])
            let first = partial
            while partial < list.count, list.frequencies[partial] < end { partial += 1 }
            if partial - first >= 2, !attacks.isStruck(bin: bin(region)) {
                findPair(region, start, list, first..<partial)
            }
            start = end
            region += 1
        }
    }

    /// Finds whether just two of some partials are in a region and near its peak.
    @_noLocks
    private mutating func findPair(
        _ region: Int, _ start: Float, _ list: PartialList, _ range: Range<Int>
    ) {
        let peak = Float(bin(region))
        var strongest = -Float.greatestFiniteMagnitude
        for partial in range where abs(list.frequencies[partial] - peak) <= PeakMap.farthest {
            strongest = max(strongest, list.levels[partial])
        }
        var (found, pair) = (0, PartialPair())
        for partial in range where abs(list.frequencies[partial] - peak) <= PeakMap.farthest {
            guard list.levels[partial] > strongest - PeakMap.quiet else { continue }
            (pair.lower, pair.upper) = (pair.upper, list.frequencies[partial])
            found += 1
        }
        guard found == 2, pair.upper - pair.lower >= PeakMap.nearest else { return }
        pair.region = region
        pair.border = Int32(0.5 * (pair.lower + pair.upper)) + 1
        guard pair.border < regions.borders[region], Float(pair.border) > start else { return }
        turn(&pair)
        pairs[pairCount] = pair
        pairCount += 1
    }

    /// Finds what a pair's partials turn by between two spectra.
    @_noLocks
    private func turn(_ pair: inout PartialPair) {
        let step = Float(pairHops * grid.hop) / 64
        let lower = PeakMap.direction(Double(pair.lower * step))
        let upper = PeakMap.direction(Double(pair.upper * step))
        let (p, q) = (SIMD2(lower.real, lower.imaginary), SIMD2(upper.real, upper.imaginary))
        pair.sum = p + q
        pair.product = PeakMap.product(p, q)
    }

    @_noLocks @inline(__always)
    private static func product(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }

    /// Measures how well the pairs account for a channel's spectrum and what it was before.
    @_noLocks
    public func checkPairs(_ spectrum: SplitSpectrum, before: borrowing SpectrumRing) {
        let (old, oldest) = (before[hopsAgo: pairHops], before[hopsAgo: 2 * pairHops])
        for index in 0..<pairCount {
            let pair = pairs[index]
            let peak = bin(pair.region)
            for bin in max(0, peak - 1)...(peak + 1) {
                let now = spectrum[bin]
                let rest =
                    now - PeakMap.product(pair.sum, old[bin])
                    + PeakMap.product(pair.product, oldest[bin])
                pairs[index].rest += (rest * rest).sum()
                pairs[index].total += (now * now).sum()
            }
        }
    }

    /// Makes two regions of each that holds two partials.
    @_noLocks
    public mutating func partPairs() {
        var kept = 0
        for index in 0..<pairCount where pairs[index].rest < PeakMap.most * pairs[index].total {
            pairs[kept] = pairs[index]
            kept += 1
        }
        pairCount = min(kept, regions.capacity - 4 - count)
        var end = count
        for index in stride(from: pairCount - 1, through: 0, by: -1) {
            raise(pairs[index].region..<end, by: index + 1)
            end = pairs[index].region
            part(index)
        }
        regions.count += pairCount
    }

    /// Moves regions to higher places.
    @_noLocks
    private func raise(_ range: Range<Int>, by places: Int) {
        for region in stride(from: range.upperBound - 1, through: range.lowerBound, by: -1) {
            regions.peaks[region + places] = regions.peaks[region]
            regions.borders[region + places] = regions.borders[region]
            regions.areShared[region + places] = regions.areShared[region]
            along[region + places] = along[region]
            across[region + places] = across[region]
        }
    }

    /// Makes two of a region that was moved one place too high.
    @_noLocks
    private func part(_ index: Int) {
        let lower = pairs[index].region + index
        pairs[index].region = lower
        along[lower] = along[lower + 1]
        across[lower] = across[lower + 1]
        regions.peaks[lower] = Int32(pairs[index].lower + 0.5)
        regions.peaks[lower + 1] = Int32(pairs[index].upper + 0.5)
        regions.borders[lower] = pairs[index].border
        regions.areShared[lower] = 0
    }

    /// Sets what the pairs' regions move and turn by, from their own frequencies.
    @_noLocks
    func advancePairs(stretch: Double, kept: Float) {
        for index in 0..<pairCount {
            let pair = pairs[index]
            advance(pair.region, to: pair.lower, stretch, kept)
            advance(pair.region + 1, to: pair.upper, stretch, kept)
        }
    }

    @_noLocks
    private func advance(_ region: Int, to frequency: Float, _ stretch: Double, _ kept: Float) {
        let distance = Double(frequency) * stretch
        let whole = distance < 0 ? -Int(-distance) - 1 : Int(distance)
        let turns = distance * Double(grid.hop) / 64
        let angle =
            old.angle(at: bin(region), near: frequency) * kept + Float(turns - Double(Int(turns)))
        regions.frequencies[region] = frequency
        regions.wholes[region] = Int32(whole)
        regions.fractions[region] = Float(distance - Double(whole))
        regions.angles[region] = angle - Float(Int(angle + (angle < 0 ? -0.5 : 0.5)))
    }
}
