internal import CLilv
internal import Synchronization

/// A queue of messages of any length between two threads, one at each end, that neither waits nor allocates.
///
/// Freed by its owner with `deallocate`.
struct MessageRing {
    // SAFETY: a message is written before the release of `written` and read after the acquire of it; its place is
    // written again only after the acquire of `read`.

    /// One message; valid until the next is read.
    struct Message {
        let data: UnsafeRawPointer
        let byteCount: UInt32
    }

    private struct Positions: ~Copyable {
        let written = Atomic<Int>(0)
        let read = Atomic<Int>(0)
    }

    /// Bytes before each message: its length, padded.
    private static var headerBytes: Int { @_noLocks get { 8 } }

    private let bytes: UnsafeMutableRawPointer
    /// Where a message is put together that lies around the ring's end.
    private let whole: UnsafeMutableRawPointer
    private let positions: UnsafeMutablePointer<Positions>
    private let capacity: Int

    /// An empty ring of some bytes, a power of two.
    init(capacity: Int) {
        self.capacity = capacity
        bytes = .allocate(byteCount: capacity, alignment: 16)
        whole = .allocate(byteCount: capacity, alignment: 16)
        positions = .allocate(capacity: 1)
        positions.initialize(to: Positions())
    }

    func deallocate() {
        bytes.deallocate()
        whole.deallocate()
        positions.deinitialize(count: 1)
        positions.deallocate()
    }

    /// Puts a message in, or returns false where there is no room for it.
    @_noLocks
    func write(_ data: UnsafeRawPointer?, byteCount: UInt32) -> Bool {
        let written = positions.pointee.written.load(ordering: .relaxed)
        let used = written &- positions.pointee.read.load(ordering: .acquiring)
        guard Self.place(byteCount) <= capacity - used else { return false }
        var header = UInt64(byteCount)
        copyIn(&header, Self.headerBytes, at: written)
        if let data { copyIn(data, Int(byteCount), at: written &+ Self.headerBytes) }
        positions.pointee.written.store(written &+ Self.place(byteCount), ordering: .releasing)
        return true
    }

    /// Takes the oldest message out; nil where the ring is empty.
    @_noLocks
    func read() -> Message? {
        let read = positions.pointee.read.load(ordering: .relaxed)
        guard positions.pointee.written.load(ordering: .acquiring) != read else { return nil }
        // Headers are aligned to their own length, so none lies around the end.
        let byteCount = UInt32(bytes.load(fromByteOffset: read & (capacity - 1), as: UInt64.self))
        copyOut(Int(byteCount), at: read &+ Self.headerBytes)
        positions.pointee.read.store(read &+ Self.place(byteCount), ordering: .releasing)
        return Message(data: UnsafeRawPointer(whole), byteCount: byteCount)
    }

    /// Bytes that a message takes with its header.
    @_noLocks
    private static func place(_ byteCount: UInt32) -> Int {
        headerBytes + (Int(byteCount) + headerBytes - 1) & ~(headerBytes - 1)
    }

    @_noLocks
    private func copyIn(_ data: UnsafeRawPointer, _ byteCount: Int, at position: Int) {
        let start = position & (capacity - 1)
        let first = min(byteCount, capacity - start)
        plugin_copy(bytes + start, data, first)
        plugin_copy(bytes, data + first, byteCount - first)
    }

    @_noLocks
    private func copyOut(_ byteCount: Int, at position: Int) {
        let start = position & (capacity - 1)
        let first = min(byteCount, capacity - start)
        plugin_copy(whole, bytes + start, first)
        plugin_copy(whole + first, bytes, byteCount - first)
    }
}
