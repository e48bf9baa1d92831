/// The values that presses select in turn.
struct ValueCycle: BitwiseCopyable {
    private let values: UnsafePointer<Float>
    private let count: Int32
    private let wraps: Bool

    /// Creates a cycle of at least one value; a list that wraps continues at its beginning.
    init(_ values: [Float], wraps: Bool, arena: Arena) {
        self.values = UnsafePointer(arena.copy(values))
        count = Int32(clamping: values.count)
        self.wraps = wraps
    }

    /// Returns the index of the entry after a value.
    ///
    /// - Parameters:
    ///   - value: The current value.
    ///   - last: The entry that was selected last. It decides if the value is in the list several
    ///     times.
    /// - Returns: The index of the next entry; 0 if the value is not in the list.
    @_noLocks
    func next(after value: Float, last: Int32) -> Int32 {
        guard let index = index(of: value, last) else { return 0 }
        if index + 1 < count { return index + 1 }
        return wraps ? 0 : index
    }

    /// Returns the value of an entry.
    @_noLocks
    func value(at index: Int32) -> Float { values[Int(max(0, min(index, count - 1)))] }

    @_noLocks
    private func index(of value: Float, _ last: Int32) -> Int32? {
        if last >= 0, last < count, values[Int(last)] == value { return last }
        for index in 0..<count where values[Int(index)] == value { return index }
        return nil
    }
}
