internal import CRealtime
public import Realtime

/// The regions of what the partials leave of a spectrum: each peak moves with the bins around it.
///
/// A region in which a partial lies turns and moves with the partial, so that an imperfect prediction
/// costs no more than regions alone. A region whose power grows fast restarts at the place of the
/// attack.
public struct RestRegions: ~Copyable {
    private var regions: PeakRegions
    private var noise = NoiseRegions.none
    private let lengths: ShiftLengths
    /// The share of a turn per hop and bin.
    private let hop: Float
    /// The sum over the channels of X · conj X′ at each peak; later its angle, in turns.
    private let along: Buffer<Float>
    private let across: Buffer<Float>
    private var attacks: RegionAttacks
    private let earlier: EarlierRegions
    /// The power of the strongest partial that each region follows.
    private let strengths: Buffer<Float>
    /// Whether a partial is near each bin.
    private let hasPartial: Buffer<Bool>
    private let bins: Int

    /// The power, relative to the strongest bin, below which there is no peak: -100 dB.
    private static var floor: Float { @_noLocks get { 1e-10 } }
    /// The power of the strongest bin below which there is silence.
    private static var silence: Float { @_noLocks get { 1e-16 } }
    /// The power, relative to a tone, below which a side lobe may join it.
    private static var join: Float { @_noLocks get { 1e-2 } }
    private static var joinAnyway: Float { @_noLocks get { 1e-5 } }
    /// The bins that a region's frequency may lie off its peak, and that a partial may.
    private static var astray: Float { @_noLocks get { 1.5 } }
    /// The share of the power around a partial that was not predicted, from which an attack restarts
    /// it.
    private static var hit: Float { @_noLocks get { 0.5 } }
    /// The power, relative to the strongest peak that passes half the sample rate, below which a
    /// region may be a side lobe of it: -76 dB.
    private static var leak: Float { @_noLocks get { 2.5e-8 } }

    /// Creates regions of silence.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        bins = lengths.bins
        hop = 1 / Float(lengths.hopsPerTransform)
        regions = PeakRegions(bins: bins)
        let capacity = regions.capacity
        attacks = RegionAttacks(lengths, capacity: capacity)
        earlier = EarlierRegions(bins: bins, capacity: capacity)
        along = Buffer(count: capacity, repeating: 0)
        across = Buffer(count: capacity, repeating: 0)
        strengths = Buffer(count: capacity, repeating: 0)
        hasPartial = Buffer(count: bins, repeating: false)
    }

    /// Restarts from silence.
    @_noLocks
    public mutating func clear() {
        regions.count = 0
        earlier.clear()
        attacks.clear()
    }

    /// The largest number of words of `note`.
    public var noteWords: Int { regions.capacity + 2 }

    /// Writes the angles of the regions, and the ages of their attacks.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        attacks.note(to: notes)
        earlier.note(to: notes)
    }

    /// Continues with noted angles.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        attacks.follow(notes)
        earlier.follow(notes)
    }

    /// Returns the angle at a frequency in bins, in turns, that the regions of the hop before had.
    @_noLocks
    func angle(at frequency: Float) -> Float { earlier.angle(at: frequency) }

    /// Whether the newest span of frames contains an attack that is not small.
    public var isAttackInSpan: Bool { @_noLocks get { attacks.isInSpan } }
    /// Whether the frames under the window contain one.
    public var isAttackInWindow: Bool { @_noLocks get { attacks.isInWindow } }

    /// Finds the peaks.
    ///
    /// - Parameters:
    ///   - power: The power of all channels together, with two more readable elements before it and
    ///     32 after it.
    ///   - noise: The bands of noise, if the sound moves up.
    /// - Returns: Whether there is any sound.
    @_noLocks
    public mutating func findPeaks(_ power: UnsafePointer<Float>, noise: NoiseRegions) -> Bool {
        self.noise = noise
        regions.count = 0
        let strongest = strongest(power, count: bins)
        guard strongest >= RestRegions.silence else { return false }
        let threshold = strongest * RestRegions.floor
        let finder = PeakFinder(
            power: power, threshold: threshold,
            turned: RTTurned(along: along.start, across: across.start, bins: 0, hop: 0),
            noise: noise)
        let hasLowest = power[0] > power[1] && power[0] > power[2] && power[0] > threshold
        if hasLowest { regions.peaks[0] = 0 }
        let first = hasLowest ? 1 : 0
        regions.count = first + finder.find(bins: bins, to: regions.peaks + first)
        return regions.count > 0
    }

    /// Adds a channel's phase advances and delays at the peaks.
    @_noLocks
    public func measure(_ spectrum: SplitSpectrum, before old: SplitSpectrum, isFirst: Bool) {
        for region in 0..<regions.count {
            let peak = Int(regions.peaks[region])
            let (here, before) = (spectrum[peak], old[peak])
            let x = here.x * before.x + here.y * before.y
            let y = here.y * before.x - here.x * before.y
            along[region] = isFirst ? x : along[region] + x
            across[region] = isFirst ? y : across[region] + y
        }
    }

    /// Joins side lobes to their tones, finds the borders, and measures frequencies and attacks.
    ///
    /// - Parameters:
    ///   - power: The power of all channels together.
    ///   - partials: The partials.
    ///   - ratio: The factor of all frequencies.
    ///   - kept: The share of its angle that each region keeps.
    @_noLocks
    public mutating func find(
        _ power: UnsafePointer<Float>, _ partials: borrowing TrackedPartials, ratio: Float,
        kept: Float
    ) {
        for region in stride(from: 0, to: regions.count, by: 4) {
            rt_store(
                along.start + region,
                rt_lanes_angles(rt_load(along.start + region), rt_load(across.start + region)))
        }
        let isCompared = attacks.isCompared
        if isCompared { joinSideLobes(power, partials) }
        regions.unneeded = nil
        regions.findBorders(power)
        // A bin is a large part of a region: neighbours share the bin at their border.
        regions.shareBorders(near: .max - 1)
        regions.mark(noise)
        var old = 0
        for region in 0..<regions.count {
            let peak = Float(regions.peaks[region])
            let expected = peak * hop
            let off = isCompared ? along[region] - expected : 0
            let apart = off.wrappedTurns / hop
            let frequency =
                regions.peaks[region] == 0 || regions.areNoise[region] != 0
                ? peak : peak + min(max(apart, -RestRegions.astray), RestRegions.astray)
            regions.frequencies[region] = frequency
            old = earlier.region(at: regions.peaks[region], from: old)
            regions.angles[region] = kept * earlier.angles[old] + frequency * (ratio - 1) * hop
            attacks.begin(region, age: earlier.ages[old])
            strengths[region] = 0
        }
        var first = 0
        for region in 0..<regions.count {
            attacks.find(region, power, bins: first..<end(region))
            first = end(region)
        }
        attacks.settle()
    }

    /// The end of a region.
    @_noLocks @inline(__always)
    private func end(_ region: Int) -> Int {
        region + 1 == regions.count ? bins : Int(regions.borders[region])
    }

    /// Side lobes, weaker and turning as fast, without a partial of their own, join the tone below or
    /// above them.
    @_noLocks
    private mutating func joinSideLobes(
        _ power: UnsafePointer<Float>, _ partials: borrowing TrackedPartials
    ) {
        for bin in 0..<bins { hasPartial[bin] = false }
        for index in 0..<partials.count {
            let top = partials.top(index)
            let first = max(0, Int(top - 0.5))
            for bin in first..<min(bins, first + 4)
            where abs(Float(bin) - top) < RestRegions.astray {
                hasPartial[bin] = true
            }
        }
        var kept = 0
        for region in 0..<regions.count {
            let isNoise = noise.contains(Int(regions.peaks[region]))
            if kept > 0, !isNoise, isSideLobe(region, of: kept - 1, power) { continue }
            while kept > 0, !isNoise, isSideLobe(kept - 1, of: region, power) { kept -= 1 }
            regions.peaks[kept] = regions.peaks[region]
            along[kept] = along[region]
            kept += 1
        }
        regions.count = kept
    }

    /// Returns whether a region is a side lobe of the next stronger one.
    @_noLocks @inline(__always)
    private func isSideLobe(_ region: Int, of tone: Int, _ power: UnsafePointer<Float>) -> Bool {
        let (peak, tonePeak) = (Int(regions.peaks[region]), Int(regions.peaks[tone]))
        let drop = power[peak] / power[tonePeak]
        guard drop < RestRegions.join, !hasPartial[peak] else { return false }
        let apart = abs((along[region] - along[tone]).wrappedTurns) / hop
        return apart < (drop > RestRegions.joinAnyway ? 0.15 : 0.5)
    }

    /// Adds a channel's delays around the peaks of the regions with an attack.
    @_noLocks
    public func measureDelays(_ spectrum: SplitSpectrum) {
        for region in 0..<regions.count where attacks.isStruck(region) {
            attacks.measureDelay(region, spectrum, around: Int(regions.peaks[region]))
        }
    }

    /// Finds the angle and the distance by which each region is turned and moved.
    ///
    /// - Parameters:
    ///   - power: The power of all channels together.
    ///   - partials: The partials; those that an attack hits restart.
    ///   - ratio: The factor of all frequencies.
    ///   - gain: The gain of the output.
    @_noLocks
    public mutating func settle(
        _ power: UnsafePointer<Float>, _ partials: borrowing TrackedPartials, ratio: Float,
        before gain: Float
    ) {
        for region in 0..<regions.count where attacks.isStruck(region) {
            regions.angles[region] =
                -(ratio - 1) * regions.frequencies[region] * attacks.locate(region)
        }
        var region = 0
        for index in 0..<partials.count {
            region = self.region(at: min(bins - 1, Int(partials.top(index) + 0.5)), from: region)
            follow(index, in: region, partials, ratio)
        }
        for region in 0..<regions.count {
            // The conversion rounds towards 0, and the distance is never below -8192 bins.
            let distance = regions.frequencies[region] * (ratio - 1)
            let whole = Int32(distance + 8192) - 8192
            regions.wholes[region] = whole
            regions.fractions[region] = distance - Float(whole)
        }
        for region in stride(from: 0, to: regions.count, by: 4) {
            let turns = rt_lanes_wrapped(rt_load(regions.angles + region))
            rt_store(earlier.angles.start + region, turns)
            let direction = rt_lanes_directions(turns)
            rt_store(regions.reals + region, direction.real)
            rt_store(regions.imaginaries + region, direction.imaginary)
        }
        if regions.hasNoise { regions.fillGaps(ratio: ratio, before: gain) }
        silenceLost(power, ratio: ratio)
        for region in 0..<regions.count {
            earlier.ends[region] = Int32(truncatingIfNeeded: end(region))
            earlier.ages[region] = attacks.age(region)
        }
        attacks.remember(power)
    }

    /// Leaves out what would pass half the sample rate, and what may be a side lobe of it.
    @_noLocks
    private func silenceLost(_ power: UnsafePointer<Float>, ratio: Float) {
        let limit = Float(bins - 2)
        var lost: Float = 0
        var region = regions.count
        while region > 0, regions.frequencies[region &- 1] * ratio >= limit {
            region &-= 1
            lost = max(lost, power[Int(regions.peaks[region])])
            regions.reals[region] = 0
            regions.imaginaries[region] = 0
        }
        guard lost > 0 else { return }
        while region > 0 {
            region &-= 1
            guard power[Int(regions.peaks[region])] < RestRegions.leak * lost else { continue }
            regions.reals[region] = 0
            regions.imaginaries[region] = 0
        }
    }

    /// Changes the levels of the regions and of the partials, so that each gets the level that the
    /// envelope has at another frequency.
    ///
    /// - Parameters:
    ///   - envelope: The envelope of the spectrum.
    ///   - partials: The partials.
    ///   - scale: The factor from a sound's frequency to the frequency at which the envelope is read.
    ///   - power: The power of all channels together.
    ///   - ratio: The factor of all frequencies.
    @_noLocks
    public func shape(
        _ envelope: borrowing SpectralEnvelope, _ partials: borrowing TrackedPartials,
        scale: Float, power: UnsafePointer<Float>, ratio: Double
    ) {
        let floor = envelope.floor(power, bins: bins, ratio: ratio)
        envelope.shape(regions, fineBinsPerBin: 1, scale: scale, power: power, floor: floor)
        partials.shape(envelope, scale: scale, power: power, floor: floor)
    }

    /// Lets the region of a partial follow it, if no stronger partial lies there.
    @_noLocks @inline(__always)
    private func follow(
        _ index: Int, in region: Int, _ partials: borrowing TrackedPartials, _ ratio: Float
    ) {
        let top = partials.top(index)
        if attacks.isStruck(region), partials.misfit(index) > RestRegions.hit {
            partials.strike(index, distance: attacks.distance(region), ratio: ratio)
        }
        guard regions.areNoise[region] == 0,
            abs(top - Float(regions.peaks[region])) < RestRegions.astray,
            !partials.isDropped(index)
        else { return }
        let strength = partials.strength(index)
        guard strength >= strengths[region] else { return }
        strengths[region] = strength
        regions.angles[region] = partials.turn(index)
        regions.frequencies[region] = top
    }

    /// Returns the region of a bin; the search begins at another one, which is near because partials
    /// are nearly in order.
    @_noLocks @inline(__always)
    private func region(at bin: Int, from near: Int) -> Int {
        var region = near
        while region > 0, Int(regions.borders[region &- 1]) > bin { region &-= 1 }
        while region &+ 1 < regions.count, Int(regions.borders[region]) <= bin { region &+= 1 }
        return region
    }

    /// Ends a silent hop.
    @_noLocks
    public mutating func rest(_ power: UnsafePointer<Float>) {
        earlier.clear()
        attacks.remember(power)
    }

    /// Adds the turned and moved regions to another spectrum, which needs `PartialWindows.margin`
    /// more elements at both ends; what crosses 0 Hz is left out.
    ///
    /// Before that, it halves the bins that two regions share.
    @_noLocks
    public func move(_ rest: SplitSpectrum, to shifted: SplitSpectrum) {
        regions.halveBorders(rest)
        regions.move(rest, to: shifted)
        rt_clear(shifted.real - PeakRegions.below, Int64(PeakRegions.below))
        rt_clear(shifted.imaginary - PeakRegions.below, Int64(PeakRegions.below))
    }
}
