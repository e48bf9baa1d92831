internal import Realtime

/// The regions of the hop before: where each one ends, its angle in turns, and the hops since its last
/// attack.
struct EarlierRegions: ~Copyable {
    let ends: Buffer<Int32>
    let angles: Buffer<Float>
    let ages: Buffer<Int32>
    private let bins: Int

    /// Creates one region that covers all bins.
    init(bins: Int, capacity: Int) {
        self.bins = bins
        ends = Buffer(count: capacity, repeating: 0)
        angles = Buffer(count: capacity, repeating: 0)
        ages = Buffer(count: capacity, repeating: 0)
        clear()
    }

    /// Returns to one region that covers all bins.
    @_noLocks
    func clear() {
        ends[0] = Int32(truncatingIfNeeded: bins)
        angles[0] = 0
        ages[0] = RegionAttacks.longAgo
    }

    /// Writes the regions.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        let count = region(at: Int32(truncatingIfNeeded: bins - 1)) + 1
        notes.pointee.put(count)
        for region in 0..<count {
            notes.pointee.put(
                UInt64(UInt32(bitPattern: ends[region]) & 0xFFFF)
                    | UInt64(UInt32(bitPattern: ages[region]) & 0xFFFF) << 16
                    | UInt64(angles[region].bitPattern) << 32)
        }
    }

    /// Continues with noted regions; with one region if they do not cover all bins.
    @_noLocks
    func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let count = notes.pointee.pop(from: 1, through: ends.count)
        var (last, isValid): (Int32, Bool) = (0, true)
        for region in 0..<count {
            let word = notes.pointee.pop()
            let end = Int32(truncatingIfNeeded: word & 0xFFFF)
            let age = Int32(truncatingIfNeeded: word >> 16 & 0xFFFF)
            let angle = Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32))
            isValid =
                isValid && end >= last && angle >= -1 && angle <= 1 && age <= RegionAttacks.longAgo
            (ends[region], ages[region], angles[region]) = (end, age, angle)
            last = end
        }
        if !isValid || last != Int32(truncatingIfNeeded: bins) { clear() }
    }

    /// Finds the region that contains a bin.
    ///
    /// - Parameters:
    ///   - bin: A bin below the number of bins.
    ///   - first: A region that is not above it, from which the search begins.
    /// - Returns: The index of the region.
    @_noLocks @inline(__always)
    func region(at bin: Int32, from first: Int = 0) -> Int {
        var region = first
        while ends[region] <= bin { region += 1 }
        return region
    }

    /// Returns the angle at a frequency in bins, in turns.
    @_noLocks
    func angle(at frequency: Float) -> Float {
        angles[region(at: Int32(truncatingIfNeeded: min(bins - 1, Int(frequency + 0.5))))]
    }
}
