internal import CRealtime
public import Realtime

/// The peaks of a spectrum, the region of bins around each peak, and the angle by which each region
/// is turned so that its partial continues without a phase jump.
///
/// Two regions meet at the weakest bin between their peaks: the bins around a peak are the main
/// lobe of the window, which moves with the peak. The frequency of a region follows from the phase
/// advance of its peak over one hop. In each hop, its angle grows by the phase that corresponds to
/// its frequency shift. The method follows Laroche and Dolson (1999). All channels share the map,
/// which preserves the stereo image.
public struct PeakMap: ~Copyable {
    var regions: PeakRegions
    let lengths: ShiftLengths
    /// The bin layout of the spectrum that the regions belong to.
    var grid: SpectrumGrid
    /// The real parts of Σ X · conj X′ over the channels at each peak; X′ is the spectrum of the
    /// previous hop.
    let along: Buffer<Float>
    /// The imaginary parts of the same sums.
    let across: Buffer<Float>
    /// The same sums for each of the lowest bins, over about ten hops of steady sound.
    private let low: ComplexBuffer
    /// Pairs of neighbouring regions whose partials leak into each other's bins.
    let splits: Buffer<PartialSplit>
    var splitCount = 0
    var image = MirrorImage()
    /// Regions that contain two partials each.
    let pairs: Buffer<PartialPair>
    var pairCount = 0
    /// The angles of the previous hop.
    var old: PreviousPhases
    /// Scratch space for bins that move from one region to another, including the bins that a move
    /// reads past the end.
    let leak: ComplexBuffer
    /// Remaining hops until all angles are 0 again, after the ratio has become 1.
    var returnHops = 0

    /// The power, relative to the strongest bin, below which no bin is a peak.
    private static var quiet: Float { @_noLocks get { 1e-12 } }
    /// The bin from which a peak of moving sound must exceed twice as many neighbours.
    ///
    /// Below it, partials may lie close together even in moving sound.
    private static var wide: Int { @_noLocks get { 64 } }
    /// The maximum distance between two peaks, in fine bins, at which their regions share a bin.
    private static var near: Int32 { @_noLocks get { 6 } }
    /// The number of bins searched beyond those that stay below Nyquist after the shift: the
    /// regions of such peaks may reach below Nyquist.
    private static var overhang: Int { @_noLocks get { 32 } }
    /// The number of bins below Nyquist in which partials that move there fade out.
    private static var fadingBins: Float { @_noLocks get { 8 } }
    /// The share of the earlier hops that remains in the sum from which steady frequencies are
    /// measured.
    private static var kept: Float { @_noLocks get { 0.9 } }
    /// The time in which the angles return to 0, in steps: 85 ms, with a frequency error of at most
    /// 6 Hz meanwhile.
    static var returnSteps: Int { @_noLocks get { 64 } }

    /// Creates a map without peaks.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        grid = lengths.fineGrid
        regions = PeakRegions(bins: lengths.bins)
        old = PreviousPhases(bins: lengths.bins, capacity: regions.capacity)
        pairs = Buffer(count: PeakMap.maximumPairs, repeating: PartialPair())
        leak = ComplexBuffer(count: PeakMap.imageBins + 35)
        along = Buffer(count: regions.capacity, repeating: 0)
        across = Buffer(count: regions.capacity, repeating: 0)
        low = ComplexBuffer(count: ShiftLengths.lowBins)
        splits = Buffer(count: ShiftLengths.lowBins / 2, repeating: PartialSplit())
    }

    /// Removes all peaks and resets all angles to 0.
    @_noLocks
    public mutating func clear() {
        regions.count = 0
        old.clear()
        returnHops = 0
    }

    /// The largest number of words of `note`.
    public var noteWords: Int { 1 + old.noteWords }

    /// Writes the angles of the regions.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(returnHops)
        old.note(to: notes)
    }

    /// Continues with noted angles.
    @_noLocks
    public mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        returnHops = notes.pointee.pop(from: 0, through: 1 << 16)
        old.follow(notes)
    }

    /// The number of peaks.
    public var count: Int { @_noLocks get { regions.count } }

    /// Returns the bin of a peak.
    @_noLocks
    public func bin(_ index: Int) -> Int { Int(regions.peaks[index]) }

    /// Returns the bin of a peak on the fine grid.
    @_noLocks
    public func fineBin(_ index: Int) -> Int { bin(index) << grid.shift }

    /// Adds the lowest bins of a channel's spectrum, compared with the previous hop, while the
    /// sound is steady.
    ///
    /// The frequencies are measured from the sum over about ten hops. If two partials beat within a
    /// bin, their phase jumps when they cancel; such hops have little weight in the sum.
    ///
    /// - Parameters:
    ///   - new: The spectrum of this hop.
    ///   - old: The spectrum of the previous hop.
    ///   - isNew: Whether the sound has just become steady.
    ///   - isFirst: Whether this is the first channel.
    @_noLocks
    public func compare(_ new: SplitSpectrum, _ old: SplitSpectrum, isNew: Bool, isFirst: Bool) {
        new.correlate(
            old, to: low.spectrum, kept: isFirst ? (isNew ? 0 : PeakMap.kept) : 1,
            count: lengths.lowBins)
    }

    /// Finds the peaks of a power spectrum that has two readable elements before it and eight after
    /// it.
    ///
    /// - Parameters:
    ///   - power: The power spectrum, summed over all channels.
    ///   - grid: The bin layout of the spectrum.
    ///   - strongest: The power of the strongest bin.
    ///   - ratio: The factor of all frequencies; peaks that it moves past Nyquist are not needed.
    ///   - isMoving: Whether the moving window was used, whose lobes are twice as wide.
    ///   - isCompared: Whether to find weak peaks between close partials as well.
    ///   - noise: The bands of noise; `.none` for a steady sound.
    @_noLocks
    public mutating func find(
        _ power: UnsafePointer<Float>, _ grid: SpectrumGrid, strongest: Float, ratio: Double,
        isMoving: Bool, isCompared: Bool, noise: NoiseRegions
    ) {
        self.grid = grid
        regions.bins = grid.bins
        let bins = min(grid.bins, Int(Double(grid.bins) / ratio) + PeakMap.overhang)
        let turned = RTTurned(
            along: low.real, across: low.imaginary,
            bins: isCompared ? Int32(lengths.lowBins) : 0, hop: Int32(grid.hop))
        // Noise that moves down has no gaps.
        let noise = ratio > 1 ? noise : .none
        let finder = PeakFinder(
            power: power, threshold: PeakMap.quiet * max(strongest, 1e-18),
            reach: grid.isCoarse ? 1 : 2,
            wide: isMoving ? PeakMap.wide >> grid.shift : grid.bins, turned: turned, noise: noise)
        regions.count = finder.find(bins: bins, to: regions.peaks)
        regions.unneeded =
            bins < grid.bins
            ? finder.first(from: bins - 2, bins: grid.bins) ?? Int32(truncatingIfNeeded: bins)
            : nil
        findBorders(power)
        regions.mark(noise)
        splitCount = 0
        pairCount = 0
        image.count = 0
    }

    /// Adds a channel's spectra of this hop and the previous one, from which the frequencies of the
    /// peaks are measured.
    ///
    /// If the two spectra have different grids, the bins nearest to the peaks that exist in both
    /// are compared.
    @_noLocks
    public func correlate(
        _ new: SplitSpectrum, _ old: SplitSpectrum, _ oldGrid: SpectrumGrid, isFirst: Bool
    ) {
        if isFirst {
            rt_clear(along.start, Int64(count))
            rt_clear(across.start, Int64(count))
        }
        let (peaks, count) = (regions.peaks, count)
        let (along, across) = (along.start, across.start)
        let (up, down) = (max(0, grid.shift - oldGrid.shift), max(0, oldGrid.shift - grid.shift))
        for peak in 0..<count {
            let oldBin = (Int(peaks[peak]) >> down) << up
            let bin = (oldBin << down) >> up
            let (x, y, oldX, oldY) = (
                new.real[bin], new.imaginary[bin], old.real[oldBin], old.imaginary[oldBin]
            )
            along[peak] += x * oldX + y * oldY
            across[peak] += y * oldX - x * oldY
        }
    }

    /// Copies the frequencies of the lowest peaks from the sums of `compare`.
    @_noLocks
    public func storeCompared() {
        var peak = 0
        while peak < count, bin(peak) < lengths.lowBins {
            along[peak] = low.real[bin(peak)]
            across[peak] = low.imaginary[bin(peak)]
            peak += 1
        }
    }

    /// The maximum distance between two peaks at which their regions share a bin: unlimited on the
    /// coarse grid, where one bin is a large part of a region.
    var near: Int32 { @_noLocks get { grid.isCoarse ? .max - 1 : PeakMap.near } }
}

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
    ///
    /// Regions whose partial moves past Nyquist are silent, because its mirror image would remain
    /// below Nyquist. The factors fall to 0 over the last few bins, so that a glide does not click.
    ///
    /// - Parameters:
    ///   - ratio: The factor of all frequencies.
    ///   - gain: The gain of the output.
    @_noLocks
    public mutating func settle(ratio: Double, before gain: Float) {
        if count == 0 { regions.angles[0] = 0 }
        var region = 0
        while region < count {
            let directions = rt_lanes_directions(rt_load(regions.angles + region))
            rt_store(regions.reals + region, directions.real)
            rt_store(regions.imaginaries + region, directions.imaginary)
            region &+= 4
        }
        if regions.hasNoise { regions.fillGaps(ratio: Float(ratio), before: gain) }
        if ratio > 1 { silenceHighest(ratio: Float(ratio)) }
        old.keep(regions, shift: grid.shift)
    }

    /// Scales the factors of the regions that move to Nyquist or past it.
    @_noLocks
    private mutating func silenceHighest(ratio: Float) {
        let nyquist = Float(grid.bins - 1)
        var region = count - 1
        // A measured frequency is at most a few bins away from its peak.
        while region >= 0,
            nyquist - Float(regions.peaks[region] - 4) * ratio < PeakMap.fadingBins
        {
            let left = (nyquist - regions.frequencies[region] * ratio) / PeakMap.fadingBins
            let factor = min(max(0, left), 1)
            regions.reals[region] *= factor
            regions.imaginaries[region] *= factor
            region -= 1
        }
    }

    /// Moves the regions of a spectrum to another one, which is empty and has 32 more elements at
    /// both ends.
    ///
    /// Before that, it halves the bins that two regions share.
    @_noLocks
    public func move(
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
