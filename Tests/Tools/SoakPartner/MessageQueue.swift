import Synchronization

/// MIDI messages of up to three bytes from the main thread to the callback, in order.
struct MessageQueue: ~Copyable {
    private static let capacity = 256

    // SAFETY: an entry is written before `written` passes it and read before `read` does.
    private let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)

    /// Adds a message; returns `false` if there are too many.
    borrowing func add(_ bytes: [UInt8]) -> Bool {
        let end = written.load(ordering: .relaxed)
        guard (1...3).contains(bytes.count),
            end - read.load(ordering: .acquiring) < Self.capacity
        else { return false }
        let packed = bytes.enumerated().reduce(UInt32(bytes.count) << 24) {
            $0 | UInt32($1.element) << UInt32(8 * $1.offset)
        }
        entries[end % Self.capacity] = packed
        written.store(end + 1, ordering: .releasing)
        return true
    }

    /// Removes and returns the oldest message: its length in the highest byte, its first byte in
    /// the lowest; `nil` without a message.
    borrowing func next() -> UInt32? {
        let start = read.load(ordering: .relaxed)
        guard start < written.load(ordering: .acquiring) else { return nil }
        let packed = entries[start % Self.capacity]
        read.store(start + 1, ordering: .releasing)
        return packed
    }
}
