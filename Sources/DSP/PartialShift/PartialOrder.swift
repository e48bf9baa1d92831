internal import Realtime

/// The partials in the order of their frequencies, to find the one that a listed line continues.
struct PartialOrder: ~Copyable {
    private let sorted: Buffer<Int32>
    private let sortedFrequencies: Buffer<Float>
    private let taken: Buffer<Bool>
    private var count = 0

    /// Allocates the order of some partials.
    init(_ limit: Int) {
        sorted = Buffer(count: limit, repeating: 0)
        sortedFrequencies = Buffer(count: limit, repeating: 0)
        taken = Buffer(count: limit, repeating: false)
    }

    /// Sorts partials by frequency; none is taken.
    @_noLocks
    mutating func sort(_ frequencies: borrowing Buffer<Float>, count: Int) {
        self.count = count
        for index in 0..<count {
            taken[index] = false
            var place = index
            let frequency = frequencies[index]
            while place > 0, sortedFrequencies[place - 1] > frequency {
                sortedFrequencies[place] = sortedFrequencies[place - 1]
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sortedFrequencies[place] = frequency
            sorted[place] = Int32(truncatingIfNeeded: index)
        }
    }

    /// Returns the index of the partial nearest to a frequency; -1 without partials.
    @_noLocks
    func nearest(_ frequency: Float) -> Int {
        guard count > 0 else { return -1 }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if sortedFrequencies[middle] < frequency {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let (above, below) = (min(low, count - 1), max(low - 1, 0))
        let isBelow =
            abs(sortedFrequencies[below] - frequency) <= abs(sortedFrequencies[above] - frequency)
        return Int(sorted[isBelow ? below : above])
    }

    /// Whether a partial continues as a line.
    @_noLocks
    func isTaken(_ index: Int) -> Bool { taken[index] }

    /// Marks a partial as continued.
    @_noLocks
    func take(_ index: Int) { taken[index] = true }
}
