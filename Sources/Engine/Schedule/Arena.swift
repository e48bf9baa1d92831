internal import Realtime

/// Memory of a schedule or an engine: plain values at constant addresses, all freed together.
///
/// Consecutive requests receive consecutive addresses. The audio thread goes through the memory in
/// the same order, so it waits for memory as little as possible.
final class Arena {
    private var values = Slabs()
    private var sounds = Slabs()

    /// Allocates room for values of a trivial type, each set to `value`.
    func allocate<Value: BitwiseCopyable>(_ count: Int, _ value: Value) -> UnsafeMutablePointer<
        Value
    > {
        let pointer = values.room(for: Value.self, max(1, count))
        pointer.initialize(repeating: value, count: max(1, count))
        return pointer
    }

    /// Copies an array to a constant address.
    func copy<Value: BitwiseCopyable>(_ array: [Value]) -> UnsafeMutablePointer<Value> {
        let pointer = values.room(for: Value.self, max(1, array.count))
        pointer.initialize(from: array, count: array.count)
        return pointer
    }

    /// Allocates samples, all zero, that start at the beginning of a cache line.
    func samples(_ count: Int) -> UnsafeMutablePointer<Float> {
        let pointer = sounds.room(for: Float.self, max(1, count), alignment: Slabs.lineBytes)
        pointer.initialize(repeating: 0, count: max(1, count))
        return pointer
    }
}

/// Large blocks of memory, handed out in small parts from start to end.
private struct Slabs: ~Copyable {
    static let lineBytes = 64
    /// The maximum size to which the blocks grow: most nodes need little, and data that is close
    /// together is in the cache sooner.
    private static let maximumBytes = 1 << 14

    private var slabs: [Slab] = []
    private var nextBytes = 1 << 10
    private var used = 0
    private var capacity = 0

    /// Returns uninitialized room.
    mutating func room<Value>(
        for type: Value.Type, _ count: Int, alignment: Int = MemoryLayout<Value>.alignment
    ) -> UnsafeMutablePointer<Value> {
        let wanted = count * MemoryLayout<Value>.stride
        var start = (used + alignment - 1) & ~(alignment - 1)
        if slabs.isEmpty || start + wanted > capacity {
            capacity = max(nextBytes, wanted)
            nextBytes = min(2 * nextBytes, Self.maximumBytes)
            slabs.append(Slab(bytes: capacity))
            start = 0
        }
        used = start + wanted
        return (slabs[slabs.count - 1].start + start).bindMemory(to: type, capacity: count)
    }
}

/// One block of memory, which begins at the beginning of a cache line.
private final class Slab {
    /// As long as a cache line.
    private typealias Line = SIMD16<Float>

    private let lines: Buffer<Line>

    /// Allocates a block of at least this size.
    init(bytes: Int) {
        let lineBytes = MemoryLayout<Line>.stride
        lines = Buffer(uninitializedCount: (bytes + lineBytes - 1) / lineBytes)
    }

    var start: UnsafeMutableRawPointer { UnsafeMutableRawPointer(lines.start) }
}
