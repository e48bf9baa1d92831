internal import CRealtime

extension PeakMap {
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
        var region = 0
        while region < count {
            let directions = rt_lanes_directions(rt_load(regions.angles + region))
            rt_store(regions.reals + region, directions.real)
            rt_store(regions.imaginaries + region, directions.imaginary)
            region &+= 4
        }
        old.keep(regions, shift: grid.shift)
    }

    /// Moves the regions of a spectrum to another one, which is empty and has 32 more places at both ends.
    ///
    /// The bins that two regions share are halved for it.
    @_noLocks
    public mutating func move(
        _ spectrum: SplitSpectrum, before: borrowing SpectrumRing, to shifted: SplitSpectrum
    ) {
        for index in 0..<splitCount {
            move(
                splits[index], spectrum, before: before[hopsAgo: splits[index].hops], to: shifted)
        }
        if image.count > 0 {
            moveImage(spectrum, before: before[hopsAgo: image.hops], to: shifted)
        }
        regions.halveBorders(spectrum)
        regions.move(spectrum, to: shifted)
        fold(shifted)
    }
}
