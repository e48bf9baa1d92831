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
