/// Memory of a schedule or an engine: plain values at places that do not move, freed all at once.
final class Arena {
    // SAFETY: whoever takes a place from here lives no longer than the arena, which its owner keeps; plain values need no
    // deinitialising.
    private var frees: [() -> Void] = []

    /// Room for values of a trivial type, each set to `value`.
    func allocate<Value: BitwiseCopyable>(_ count: Int, _ value: Value) -> UnsafeMutablePointer<
        Value
    > {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: max(1, count))
        place.initialize(repeating: value, count: max(1, count))
        frees.append { place.deallocate() }
        return place
    }

    /// The values of an array, at a place that does not move.
    func copy<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: max(1, values.count))
        place.initialize(from: values, count: values.count)
        frees.append { place.deallocate() }
        return place
    }

    /// Samples, all zero, on a cache line of their own.
    func samples(_ count: Int) -> UnsafeMutablePointer<Float> {
        let place = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, count) * MemoryLayout<Float>.stride, alignment: 64
        ).bindMemory(to: Float.self, capacity: max(1, count))
        place.initialize(repeating: 0, count: max(1, count))
        frees.append { place.deallocate() }
        return place
    }

    deinit { for free in frees { free() } }
}
