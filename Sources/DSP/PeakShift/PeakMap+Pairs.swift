internal import CRealtime
internal import Realtime

/// Two partials in one peak of a spectrum.
struct PartialPair: BitwiseCopyable {
    /// The region that contains both; after it is split, the region of the lower one.
    var region = 0
    /// The frequencies of the two partials, in bins.
    var lower: Float = 0
    var upper: Float = 0
    /// The first bin of the upper partial.
    var border: Int32 = 0
    /// The sum and the product of the two turns between two spectra.
    var sum = SIMD2<Float>.zero
    var product = SIMD2<Float>.zero
    /// The energy that the two partials do not explain, and the total energy.
    var rest: Float = 0
    var total: Float = 0
}

// The spectrum X of two partials satisfies X = (p + q) X′ - p q X″. X′ and X″ are the spectra one
// and two intervals earlier; p and q are the turns of the partials per interval. If the equation
// holds, the peak contains exactly the two partials of the list.
extension PeakMap {
    /// The maximum number of pairs.
    static var maximumPairs: Int { @_noLocks get { 48 } }
    /// The maximum distance of a partial from its peak, in bins.
    private static var farthest: Float { @_noLocks get { 3.5 } }
    /// The minimum distance between two partials, in bins.
    private static var nearest: Float { @_noLocks get { 0.8 } }
    /// The level below the stronger partial at which a partial does not count: -25 dB, as a base-2
    /// logarithm of power.
    private static var quiet: Float { @_noLocks get { 8.3 } }
    /// The maximum share of the energy that two partials may leave unexplained.
    private static var most: Float { @_noLocks get { 0.1 } }
    /// The number of hops between the spectra that test the pairs.
    public var pairHops: Int { @_noLocks get { 16 / grid.hop } }

    /// Finds the regions that contain exactly two partials of the list, except those with an
    /// attack.
    @_noLocks
    public mutating func findPairs(_ list: borrowing PartialList, _ attacks: borrowing AttackBands)
    {
        pairCount = 0
        var (region, start, partial): (Int, Float, Int) = (0, 0, 0)
        while region + 1 < count, partial < list.count, pairCount < PeakMap.maximumPairs,
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

    /// Adds a pair if exactly two partials of a range are in a region, near its peak.
    @_noLocks
    private mutating func findPair(
        _ region: Int, _ start: Float, _ list: borrowing PartialList, _ range: Range<Int>
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

    /// Calculates the turns of a pair's partials between two spectra.
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

    /// Measures how well the pairs explain a channel's spectrum and its earlier spectra.
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

    /// Splits each region that contains two partials into two regions.
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

    /// Moves a range of regions to higher indices.
    @_noLocks
    private func raise(_ range: Range<Int>, by distance: Int) {
        for region in stride(from: range.upperBound - 1, through: range.lowerBound, by: -1) {
            regions.peaks[region + distance] = regions.peaks[region]
            regions.borders[region + distance] = regions.borders[region]
            regions.areShared[region + distance] = regions.areShared[region]
            along[region + distance] = along[region]
            across[region + distance] = across[region]
        }
    }

    /// Splits a region into two; `raise` moved it one index higher to make room for the lower one.
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

    /// Sets the movement and the angle of the pairs' regions from the frequencies of their
    /// partials.
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
            old.phase(at: bin(region), near: frequency) * kept + Float(turns - Double(Int(turns)))
        regions.frequencies[region] = frequency
        regions.wholes[region] = Int32(whole)
        regions.fractions[region] = Float(distance - Double(whole))
        regions.angles[region] = angle - Float(Int(angle + (angle < 0 ? -0.5 : 0.5)))
    }
}
