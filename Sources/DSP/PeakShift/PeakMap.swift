internal import CRealtime

/// The peaks of a spectrum, the region of bins around each, and the angle that it is turned by so that its partial goes on where
/// it was.
///
/// Regions meet at the weakest bin between two peaks: what lies around a peak is its window's main lobe, and moves with it. A
/// region's frequency is told by how far its peak's phase went in a hop; its angle grows by what the distance that it moves
/// amounts to in a hop. After Laroche and Dolson 1999. All channels share the map, which keeps the image.
public struct PeakMap: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    var regions: PeakRegions
    let lengths: ShiftLengths
    /// What the regions' bins are.
    var grid: SpectrumGrid
    /// At each peak, Σ X · conj X′ over the channels, X′ from the hop before.
    let along: UnsafeMutablePointer<Float>
    let across: UnsafeMutablePointer<Float>
    /// The same at each of the lowest bins, over some ten hops of steady sound.
    private let low: SplitSpectrum
    /// Pairs of regions whose partials reach into each other.
    let splits: UnsafeMutablePointer<PartialSplit>
    var splitCount = 0
    var image = MirrorImage()
    /// Regions that hold two partials each.
    let pairs: UnsafeMutablePointer<PartialPair>
    var pairCount = 0
    /// The angles of the hop before.
    var old: OldAngles
    /// Bins on their way from one region to another, and what a move reads beyond them.
    let leak: SplitSpectrum
    /// Hops until the angles are 0 again, where nothing moves any more.
    var landingHops = 0

    /// Power against the strongest bin's below which nothing is a peak.
    private static var quiet: Float { @_noLocks get { 1e-12 } }
    /// The bin from which only broad peaks count where the sound moves: low partials may be near each other even so.
    private static var wide: Int { @_noLocks get { 64 } }
    /// How near two peaks are at most for their regions to share a fine bin.
    private static var near: Int32 { @_noLocks get { 6 } }
    /// Bins past the last that stays below Nyquist where peaks are found all the same: their regions reach below it.
    private static var overhang: Int { @_noLocks get { 32 } }
    /// What share of the hops before stays in the sum that steady frequencies are told by.
    private static var kept: Float { @_noLocks get { 0.9 } }
    /// How long the angles take back to 0, in steps: 85 ms, at most 6 Hz off on the way.
    static var landingSteps: Int { @_noLocks get { 64 } }

    /// A map without peaks.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        grid = lengths.fineGrid
        regions = PeakRegions(bins: lengths.bins)
        old = OldAngles(bins: lengths.bins, capacity: regions.capacity)
        func places<Value: BitwiseCopyable & ExpressibleByIntegerLiteral>(_ count: Int)
            -> UnsafeMutablePointer<Value>
        {
            let places = UnsafeMutablePointer<Value>.allocate(capacity: count)
            places.initialize(repeating: 0, count: count)
            return places
        }
        pairs = .allocate(capacity: PeakMap.mostPairs)
        pairs.initialize(repeating: PartialPair(), count: PeakMap.mostPairs)
        leak = SplitSpectrum(
            real: places(PeakMap.imageBins + 35), imaginary: places(PeakMap.imageBins + 35))
        along = places(regions.capacity)
        across = places(regions.capacity)
        low = SplitSpectrum(
            real: places(ShiftLengths.lowBins), imaginary: places(ShiftLengths.lowBins))
        splits = .allocate(capacity: ShiftLengths.lowBins / 2)
        splits.initialize(repeating: PartialSplit(), count: ShiftLengths.lowBins / 2)
    }

    /// Frees its memory.
    public func deallocate() {
        along.deallocate()
        across.deallocate()
        low.real.deallocate()
        low.imaginary.deallocate()
        splits.deallocate()
        pairs.deallocate()
        regions.deallocate()
        old.deallocate()
        leak.real.deallocate()
        leak.imaginary.deallocate()
    }

    /// Forgets its peaks and starts from angles of 0.
    @_noLocks
    public mutating func clear() {
        regions.count = 0
        old.clear()
        landingHops = 0
    }

    /// How many peaks there are.
    public var count: Int { @_noLocks get { regions.count } }

    /// The bin of a peak.
    @_noLocks
    public func bin(_ index: Int) -> Int { Int(regions.peaks[index]) }

    /// The bin of a peak among those of the fine grid.
    @_noLocks
    public func fineBin(_ index: Int) -> Int { bin(index) << grid.shift }

    /// Takes in the lowest bins of a channel's spectrum and of that a hop before, where the sound is steady.
    ///
    /// The frequencies are told by the sum over some ten hops: where two partials beat within a bin, their phase leaps as they
    /// cancel, and such hops weigh little in it.
    ///
    /// - Parameters:
    ///   - new: The spectrum.
    ///   - old: That a hop before.
    ///   - isNew: Whether the sound was not steady until now.
    ///   - isFirst: Whether this is the first channel.
    @_noLocks
    public func compare(_ new: SplitSpectrum, _ old: SplitSpectrum, isNew: Bool, isFirst: Bool) {
        new.correlate(
            old, to: low, kept: isFirst ? (isNew ? 0 : PeakMap.kept) : 1, count: lengths.lowBins)
    }

    /// Finds the peaks of a power spectrum with two more places before it and eight behind.
    ///
    /// - Parameters:
    ///   - power: The spectrum, over all channels.
    ///   - grid: What its bins are.
    ///   - strongest: The strongest bin's power.
    ///   - ratio: By what frequencies are multiplied: what passes Nyquist needs no peaks.
    ///   - isMoving: Whether the moving window was used, whose lobes are twice as broad.
    ///   - isCompared: Whether weak peaks are to be found as well, between partials that are near each other.
    @_noLocks
    public mutating func find(
        _ power: UnsafePointer<Float>, _ grid: SpectrumGrid, strongest: Float, ratio: Double,
        isMoving: Bool, isCompared: Bool
    ) {
        self.grid = grid
        regions.bins = grid.bins
        let bins = min(grid.bins, Int(Double(grid.bins) / ratio) + PeakMap.overhang)
        let turned = RTTurned(
            along: low.real, across: low.imaginary,
            bins: isCompared ? Int32(lengths.lowBins) : 0, hop: Int32(grid.hop))
        let finder = PeakFinder(
            power: power, threshold: PeakMap.quiet * max(strongest, 1e-18),
            reach: grid.isCoarse ? 1 : 2,
            wide: isMoving ? PeakMap.wide >> grid.shift : grid.bins, turned: turned)
        regions.count = finder.find(bins: bins, to: regions.peaks)
        findBorders(power)
        splitCount = 0
        pairCount = 0
        image.count = 0
    }

    /// Takes in a channel's spectrum and that of the hop before, to tell the peaks' frequencies by.
    ///
    /// Where the old spectrum's bins are others, those nearest to the peaks are compared that are in both.
    @_noLocks
    public func correlate(
        _ new: SplitSpectrum, _ old: SplitSpectrum, _ oldGrid: SpectrumGrid, isFirst: Bool
    ) {
        if isFirst {
            rt_clear(along, Int64(count))
            rt_clear(across, Int64(count))
        }
        let (peaks, count) = (regions.peaks, count)
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

    /// Takes the lowest peaks' frequencies from what `compare` gathered.
    @_noLocks
    public func takeCompared() {
        var peak = 0
        while peak < count, bin(peak) < lengths.lowBins {
            along[peak] = low.real[bin(peak)]
            across[peak] = low.imaginary[bin(peak)]
            peak += 1
        }
    }

    /// How near two peaks are at most for their regions to share a bin: any, where a bin is a good part of a region.
    var near: Int32 { @_noLocks get { grid.isCoarse ? .max - 1 : PeakMap.near } }
}
