internal import CRealtime

extension PeakMap {
    /// Joins side lobes with the tone that they are of, by their frequencies.
    @_noLocks
    public mutating func joinSideLobes(_ power: UnsafePointer<Float>) {
        rt_angles(along, across, regions.angles, Int64(count))
        rt_join_side_lobes(&regions, hop, power, along, across)
        rt_find_borders(power, regions.peaks, Int64(count), regions.borders)
        rt_share_borders(&regions, near)
    }

    /// Measures the peaks' frequencies and finds how far each region moves, and the angle that it reaches by that.
    @_noLocks
    public mutating func advance(ratio: Double) {
        rt_angles(along, across, regions.angles, Int64(count))
        let kept = keptShare(ratio: ratio)
        rt_advance_regions(&regions, hop, Int32(grid.shift), ratio - 1, kept)
        advancePairs(stretch: ratio - 1, kept: kept)
    }

    /// Finds the regions whose partials reach into each other, after `advance`.
    ///
    /// - Parameter oldestHops: How many hops the oldest spectrum that is known is old.
    @_noLocks
    public mutating func findSplits(oldestHops: Int) {
        splitCount = Int(
            rt_find_splits(&regions, hop, Int32(oldestHops), Int32(lengths.lowBins), splits))
        image = rt_find_image(&regions, hop, Int32(oldestHops))
    }

    /// Sets a region's angle to what it would be had the shift begun at a frame of its own.
    ///
    /// - Parameters:
    ///   - index: Which region.
    ///   - framesAfterTop: The frame's place in the window, from its top.
    @_noLocks
    public func strike(_ index: Int, framesAfterTop: Float) {
        let distance = Float(regions.wholes[index]) + regions.fractions[index]
        let turns = -distance * (framesAfterTop / Float(grid.transformFrames))
        regions.angles[index] = turns - Float(Int(turns))
    }

    /// Keeps the angles for the next hop, and makes directions of them.
    @_noLocks
    public mutating func settle() {
        if count == 0 { regions.angles[0] = 0 }
        rt_settle_regions(&regions, Int32(grid.shift))
        rt_copy(oldFrequencies, regions.frequencies, Int64(count))
        oldCount = count
    }

    /// Gives each region the level that an envelope has where its frequency, times a scale, is.
    @_noLocks
    func shape(envelope: UnsafePointer<Float>, points: Int, scale: Float, most: Float) {
        rt_shape(
            envelope, Int64(points), regions.frequencies, Float(1 << grid.shift) / 4, scale, most,
            regions.reals, regions.imaginaries, Int64(count))
    }

    /// Moves the regions of a spectrum to another one, which is empty and has 32 more places at both ends.
    ///
    /// The bins that two regions share are halved for it.
    @_noLocks
    public mutating func move(
        _ spectrum: SplitSpectrum, before: borrowing SpectrumRing, to shifted: SplitSpectrum
    ) {
        for index in 0..<splitCount {
            let old = before[hopsAgo: Int(splits[index].hops)]
            rt_move_split(
                &regions, splits + index, spectrum.real, spectrum.imaginary, old.real,
                old.imaginary, shifted.real, shifted.imaginary)
        }
        if image.count > 0 {
            let old = before[hopsAgo: Int(image.hops)]
            rt_move_image(
                &regions, &image, spectrum.real, spectrum.imaginary, old.real, old.imaginary,
                shifted.real, shifted.imaginary)
        }
        rt_halve_borders(&regions, spectrum.real, spectrum.imaginary)
        rt_move_regions(
            &regions, spectrum.real, spectrum.imaginary, shifted.real, shifted.imaginary)
        rt_fold(shifted.real, shifted.imaginary)
    }

    /// What share of its angle a region keeps: all of it, but where nothing moves any more it goes to 0 in a while.
    @_noLocks
    private mutating func keptShare(ratio: Double) -> Float {
        guard ratio == 1 else {
            landingHops = PeakMap.landingSteps * lengths.stepFrames / lengths.hopFrames
            return 1
        }
        guard landingHops > 0 else { return 0 }
        landingHops -= 1
        return Float(landingHops) / Float(landingHops + 1)
    }
}
