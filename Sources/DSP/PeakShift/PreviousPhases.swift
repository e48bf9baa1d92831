internal import CRealtime
internal import Realtime

/// The previous phases: the angles and frequencies that the regions had in the previous hop, found
/// by bin.
struct PreviousPhases: ~Copyable {
    /// One bit per fine bin, set where a region began.
    private let starts: Buffer<UInt64>
    /// The number of regions that began before each group of 64 bins.
    private let ranks: Buffer<Int32>
    /// The angles of the regions, then their frequencies.
    private let phases: Buffer<Float>
    // SAFETY: the pointer refers to the second half of `phases`, which lives as long as this value.
    private let frequencies: UnsafeMutablePointer<Float>
    private let words: Int
    private var count = 0

    /// Creates angles of 0.
    init(bins: Int, capacity: Int) {
        words = bins / 64 + 1
        // SIMD lanes after the last coarse peak may contain a fine bin, whose lookup reaches twice
        // as far.
        starts = Buffer(count: 2 * words, repeating: 0)
        ranks = Buffer(count: 2 * words, repeating: 0)
        phases = Buffer(count: 2 * capacity, repeating: 0)
        frequencies = phases.start + capacity
    }

    /// Restarts with a single angle of 0.
    @_noLocks
    mutating func clear() {
        for word in 0..<words {
            starts[word] = 0
            ranks[word] = 0
        }
        phases[0] = 0
        count = 0
    }

    /// Stores the state of the regions; a bin's number times 2 to the power of `shift` is the
    /// number of the fine bin.
    @_noLocks
    mutating func keep(_ regions: borrowing PeakRegions, shift: Int) {
        let (starts, ranks) = (starts.start, ranks.start)
        for word in 0..<words { starts[word] = 0 }
        var region = 0
        while region &+ 1 < regions.count {
            let border = Int(regions.borders[region]) &<< shift
            starts[border &>> 6] |= UInt64(1) &<< UInt64(border & 63)
            region &+= 1
        }
        var rank: Int32 = 0
        for word in 0..<words {
            ranks[word] = rank
            rank &+= Int32(truncatingIfNeeded: starts[word].nonzeroBitCount)
        }
        // At least one: without regions, there is still one angle.
        rt_copy(phases.start, regions.angles, Int64(max(1, regions.count)))
        rt_copy(frequencies, regions.frequencies, Int64(regions.count))
        count = regions.count
    }

    /// The largest number of words of `note`.
    var noteWords: Int { 1 + words + phases.count / 2 }

    /// Writes the angles and frequencies, and the bins at which their regions began.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(count)
        for word in 0..<words { notes.pointee.put(starts[word]) }
        for region in 0..<max(1, count) {
            notes.pointee.put(phases[region], frequencies[region])
        }
    }

    /// Continues with noted angles; with a single angle of 0 if they do not fit the regions.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        count = notes.pointee.pop(from: 0, through: phases.count / 2)
        var rank: Int32 = 0
        for word in 0..<words {
            starts[word] = notes.pointee.pop()
            ranks[word] = rank
            rank &+= Int32(truncatingIfNeeded: starts[word].nonzeroBitCount)
        }
        for region in 0..<max(1, count) {
            (phases[region], frequencies[region]) = notes.pointee.popNumbers(within: 1e6)
        }
        if Int(rank) >= max(1, count) { clear() }
    }

    /// Returns the region that contained a fine bin.
    @_noLocks @inline(__always)
    private func region(_ bin: Int) -> Int {
        let before = starts[bin &>> 6] & (~UInt64(0) &>> UInt64(63 &- (bin & 63)))
        return Int(ranks[bin &>> 6]) &+ before.nonzeroBitCount
    }

    /// The angle at a fine bin.
    subscript(bin: Int) -> Float {
        @_noLocks @inline(__always) get { phases[region(bin)] }
    }

    /// Returns the previous angle of the region nearest to a partial in frequency, or of the region
    /// at its bin if none was within half a bin.
    @_noLocks
    func phase(at bin: Int, near frequency: Float) -> Float {
        let own = region(bin)
        var (found, least): (Int, Float) = (own, 0.5)
        for region in max(0, own - 2)..<max(0, min(count, own + 3)) {
            let off = abs(frequencies[region] - frequency)
            if off <= least { (found, least) = (region, off) }
        }
        return phases[found]
    }
}
