internal import CRealtime

extension PeakMap {
    /// Sets a region's angle as if the shift had begun at a given frame.
    ///
    /// - Parameters:
    ///   - index: The index of the region.
    ///   - framesAfterTop: The position of the frame in the window, in frames after the window's
    ///     peak.
    @_noLocks
    public func strike(_ index: Int, framesAfterTop: Float) {
        let distance = Float(regions.wholes[index]) + regions.fractions[index]
        let turns = -distance * (framesAfterTop / Float(grid.transformFrames))
        regions.angles[index] = turns - Float(Int(turns))
    }

    /// Stores the angles for the next hop and converts them to complex factors.
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

    /// Moves the regions of a spectrum to another one, which is empty and has 32 more elements at
    /// both ends.
    ///
    /// Before that, it halves the bins that two regions share.
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
