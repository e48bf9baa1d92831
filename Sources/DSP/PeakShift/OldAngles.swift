internal import CRealtime

/// The angles and frequencies that the regions had in the hop before, found by their bins.
struct OldAngles: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    /// One bit a fine bin, set where a region began.
    private let starts: UnsafeMutablePointer<UInt64>
    /// How many regions began before each 64 bins.
    private let ranks: UnsafeMutablePointer<Int32>
    private let angles: UnsafeMutablePointer<Float>
    private let frequencies: UnsafeMutablePointer<Float>
    private let words: Int
    private var count = 0

    /// Angles of 0.
    init(bins: Int, capacity: Int) {
        words = bins / 64 + 1
        // Lanes behind the last coarse peak may hold a fine one's bin, and look twice as far.
        starts = .allocate(capacity: 2 * words)
        ranks = .allocate(capacity: 2 * words)
        angles = .allocate(capacity: 2 * capacity)
        frequencies = angles + capacity
        starts.initialize(repeating: 0, count: 2 * words)
        ranks.initialize(repeating: 0, count: 2 * words)
        angles.initialize(repeating: 0, count: 2 * capacity)
    }

    func deallocate() {
        starts.deallocate()
        ranks.deallocate()
        angles.deallocate()
    }

    /// Starts from one angle of 0.
    @_noLocks
    mutating func clear() {
        for word in 0..<words {
            starts[word] = 0
            ranks[word] = 0
        }
        angles[0] = 0
        count = 0
    }

    /// Keeps what regions have; `shift` is the power of two by which a bin's number is multiplied for that of a fine one.
    @_noLocks
    mutating func keep(_ regions: PeakRegions, shift: Int) {
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
        // One at least: where there is no region, there is one angle.
        rt_copy(angles, regions.angles, Int64(max(1, regions.count)))
        rt_copy(frequencies, regions.frequencies, Int64(regions.count))
        count = regions.count
    }

    /// The region that a fine bin was in.
    @_noLocks @inline(__always)
    private func region(_ bin: Int) -> Int {
        let before = starts[bin &>> 6] & (~UInt64(0) &>> UInt64(63 &- (bin & 63)))
        return Int(ranks[bin &>> 6]) &+ before.nonzeroBitCount
    }

    /// The angle at a fine bin.
    subscript(bin: Int) -> Float {
        @_noLocks @inline(__always) get { angles[region(bin)] }
    }

    /// The angle of the region whose frequency was nearest to a partial's, or else of its bin's.
    @_noLocks
    func angle(at bin: Int, near frequency: Float) -> Float {
        let own = region(bin)
        var (found, least): (Int, Float) = (own, 0.5)
        for region in max(0, own - 2)..<max(0, min(count, own + 3)) {
            let off = abs(frequencies[region] - frequency)
            if off <= least { (found, least) = (region, off) }
        }
        return angles[found]
    }
}
