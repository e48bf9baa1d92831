internal import CLilv
internal import Synchronization

/// A queue of messages of any length between two threads or processes, one at each end, that neither waits nor allocates.
///
/// Freed by its owner with `deallocate`, save where it lies in memory of somebody else's.
struct MessageRing {
    // SAFETY: a message is written before the release of `written` and read after the acquire of it; its place is
    // written again only after the acquire of `read`.

    /// One message; valid until the next is read.
    struct Message {
        let data: UnsafeRawPointer
        let byteCount: UInt32
        /// The number that it was written with.
        let tag: UInt32
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

    /// Bytes of a ring's memory before its messages.
    private static var headBytes: Int { @_noLocks get { 64 } }

    /// Bytes that a ring needs in memory of somebody else's.
    static func memoryBytes(capacity: Int) -> Int { headBytes + capacity }

    /// An empty ring of some bytes, a power of two.
    init(capacity: Int) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Self.memoryBytes(capacity: capacity), alignment: 64)
        memory.initializeMemory(
            as: UInt8.self, repeating: 0, count: Self.memoryBytes(capacity: capacity))
        self.init(
            in: memory, capacity: capacity, whole: .allocate(byteCount: capacity, alignment: 16))
    }

    /// One end of a ring in memory that began as zeros.
    ///
    /// - Parameters:
    ///   - memory: Of `memoryBytes`, at a multiple of 64.
    ///   - capacity: Bytes for messages, a power of two.
    ///   - whole: As many bytes, this end's own; an end that only writes leaves them alone.
    @_noLocks
    init(in memory: UnsafeMutableRawPointer, capacity: Int, whole: UnsafeMutableRawPointer) {
        self.capacity = capacity
        self.whole = whole
        // SAFETY: zeros are the positions of an empty ring, whose atomics are plain words.
        positions = memory.assumingMemoryBound(to: Positions.self)
        bytes = memory + Self.headBytes
    }

    func deallocate() {
        UnsafeMutableRawPointer(positions).deallocate()
        whole.deallocate()
    }

    /// Puts a message in, or returns false where there is no room for it.
    @_noLocks
    func write(_ data: UnsafeRawPointer?, byteCount: UInt32, tag: UInt32 = 0) -> Bool {
        let written = positions.pointee.written.load(ordering: .relaxed)
        let used = written &- positions.pointee.read.load(ordering: .acquiring)
        guard Self.place(byteCount) <= capacity &- used else { return false }
        var header = UInt64(tag) << 32 | UInt64(byteCount)
        copyIn(&header, Self.headerBytes, at: written)
        if let data { copyIn(data, Int(byteCount), at: written &+ Self.headerBytes) }
        positions.pointee.written.store(written &+ Self.place(byteCount), ordering: .releasing)
        return true
    }

    /// The number of the oldest message; nil where the ring is empty.
    var nextTag: UInt32? { @_noLocks get { header.map { UInt32($0 >> 32) } } }

    /// Takes the oldest message out; nil where the ring is empty.
    @_noLocks
    func read() -> Message? {
        guard let header else { return nil }
        let read = positions.pointee.read.load(ordering: .relaxed)
        let byteCount = UInt32(truncatingIfNeeded: header)
        copyOut(Int(byteCount), at: read &+ Self.headerBytes)
        positions.pointee.read.store(read &+ Self.place(byteCount), ordering: .releasing)
        return Message(
            data: UnsafeRawPointer(whole), byteCount: byteCount, tag: UInt32(header >> 32))
    }

    /// What stands before the oldest message; nil also where another process wrote what cannot be.
    private var header: UInt64? {
        @_noLocks get {
            let read = positions.pointee.read.load(ordering: .relaxed)
            let used = positions.pointee.written.load(ordering: .acquiring) &- read
            guard used > 0, used <= capacity, read & (Self.headerBytes - 1) == 0 else { return nil }
            // Headers are aligned to their own length, so none lies around the end.
            let header = bytes.load(fromByteOffset: read & (capacity - 1), as: UInt64.self)
            return Self.place(UInt32(truncatingIfNeeded: header)) <= used ? header : nil
        }
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
