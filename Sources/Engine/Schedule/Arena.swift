/// Memory of a schedule or an engine: plain values at places that do not move, freed all at once.
///
/// What is asked for one after another lies one after another, so that the audio thread, which goes
/// through it in the same order, waits for memory as little as it can.
final class Arena {
    private var values = Slabs()
    private var sounds = Slabs()

    /// Room for values of a trivial type, each set to `value`.
    func allocate<Value: BitwiseCopyable>(_ count: Int, _ value: Value) -> UnsafeMutablePointer<
        Value
    > {
        let place = values.room(for: Value.self, max(1, count))
        place.initialize(repeating: value, count: max(1, count))
        return place
    }

    /// The values of an array, at a place that does not move.
    func copy<Value: BitwiseCopyable>(_ array: [Value]) -> UnsafeMutablePointer<Value> {
        let place = values.room(for: Value.self, max(1, array.count))
        place.initialize(from: array, count: array.count)
        return place
    }

    /// Samples, all zero, on a cache line of their own.
    func samples(_ count: Int) -> UnsafeMutablePointer<Float> {
        let place = sounds.room(for: Float.self, max(1, count), alignment: Slabs.lineBytes)
        place.initialize(repeating: 0, count: max(1, count))
        return place
    }

    deinit {
        values.deallocate()
        sounds.deallocate()
    }
}

/// Large pieces of memory that are handed out in small ones, from their beginnings to their ends.
private struct Slabs {
    static let lineBytes = 64
    /// From the first piece on they grow to this: most nodes need little, and what lies close is found sooner.
    private static let mostBytes = 1 << 14

    private var slabs: [UnsafeMutableRawPointer] = []
    private var nextBytes = 1 << 10
    private var used = 0
    private var capacity = 0

    /// Room that is not initialized.
    mutating func room<Value>(
        for type: Value.Type, _ count: Int, alignment: Int = MemoryLayout<Value>.alignment
    ) -> UnsafeMutablePointer<Value> {
        let wanted = count * MemoryLayout<Value>.stride
        var start = (used + alignment - 1) & ~(alignment - 1)
        if slabs.isEmpty || start + wanted > capacity {
            capacity = max(nextBytes, wanted)
            nextBytes = min(2 * nextBytes, Self.mostBytes)
            slabs.append(.allocate(byteCount: capacity, alignment: Self.lineBytes))
            start = 0
        }
        used = start + wanted
        return (slabs[slabs.count - 1] + start).bindMemory(to: type, capacity: count)
    }

    func deallocate() { for slab in slabs { slab.deallocate() } }
}
