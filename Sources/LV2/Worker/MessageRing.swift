internal import CLilv
internal import Synchronization

/// A queue of messages of any length between two threads or processes.
///
/// Each end is used by one thread; neither end blocks or allocates. The ring is in memory that
/// belongs to another object, such as a `MessageQueue`.
struct MessageRing {
    // SAFETY: a message is written before the release of `written` and read after its acquire; its
    // bytes are overwritten only after the acquire of `read`.

    /// One message; valid until the next is read.
    struct Message {
        let data: UnsafeRawPointer
        let byteCount: UInt32
        /// The number with which it was written.
        let tag: UInt32
    }

    private struct Positions: ~Copyable {
        let written = Atomic<Int>(0)
        let read = Atomic<Int>(0)
    }

    /// Bytes of the header before each message: its length and its tag.
    private static var headerBytes: Int { @_noLocks get { 8 } }

    private let bytes: UnsafeMutableRawPointer
    /// The buffer for a message that wraps around the ring's end.
    private let whole: UnsafeMutableRawPointer
    private let positions: UnsafeMutablePointer<Positions>
    private let capacity: Int

    /// Bytes of the positions before the messages.
    private static var headBytes: Int { @_noLocks get { 64 } }

    /// Returns the total bytes that a ring needs in memory of another owner.
    static func memoryBytes(capacity: Int) -> Int { headBytes + capacity }

    /// Creates one end of a ring in memory that is initially zero.
    ///
    /// - Parameters:
    ///   - memory: `memoryBytes` bytes, aligned to 64.
    ///   - capacity: Bytes for messages, a power of two.
    ///   - whole: A private buffer of `capacity` bytes for this end; an end that only writes does
    ///     not use it.
    @_noLocks
    init(in memory: UnsafeMutableRawPointer, capacity: Int, whole: UnsafeMutableRawPointer) {
        self.capacity = capacity
        self.whole = whole
        // SAFETY: zeros are the positions of an empty ring, whose atomics are plain words.
        positions = memory.bindMemory(to: Positions.self, capacity: 1)
        bytes = memory + Self.headBytes
    }

    /// Writes a message; returns `false` if there is no room for it.
    @_noLocks
    func write(_ data: UnsafeRawPointer?, byteCount: UInt32, tag: UInt32 = 0) -> Bool {
        var position = positions.pointee.written.load(ordering: .relaxed)
        return write(data, byteCount: byteCount, tag: tag, at: &position)
    }

    /// Writes a message at a position that this end keeps in its own memory.
    ///
    /// Thus another process that writes arbitrary data into the ring's memory cannot make this
    /// write leave the ring.
    @_noLocks
    func write(
        _ data: UnsafeRawPointer?, byteCount: UInt32, tag: UInt32 = 0, at position: inout Int
    ) -> Bool {
        let used = position &- positions.pointee.read.load(ordering: .acquiring)
        guard used >= 0, used <= capacity, Self.occupiedBytes(byteCount) <= capacity - used else {
            return false
        }
        var header = UInt64(tag) << 32 | UInt64(byteCount)
        copyIn(&header, Self.headerBytes, at: position)
        if let data { copyIn(data, Int(byteCount), at: position &+ Self.headerBytes) }
        position &+= Self.occupiedBytes(byteCount)
        positions.pointee.written.store(position, ordering: .releasing)
        return true
    }

    /// Returns the tag of the message at this end's position; `nil` if the ring is empty.
    @_noLocks
    func nextTag(at position: Int) -> UInt32? { header(at: position).map { UInt32($0 >> 32) } }

    /// Removes and returns the oldest message; `nil` if the ring is empty.
    @_noLocks
    func read() -> Message? {
        var position = positions.pointee.read.load(ordering: .relaxed)
        return read(at: &position)
    }

    /// Removes and returns the message at a position that this end keeps in its own memory.
    ///
    /// - Parameter position: The position, which advances to the next message.
    /// - Returns: The message; `nil` if the ring is empty.
    @_noLocks
    func read(at position: inout Int) -> Message? {
        guard let header = header(at: position) else { return nil }
        let byteCount = UInt32(truncatingIfNeeded: header)
        copyOut(Int(byteCount), at: position &+ Self.headerBytes)
        position &+= Self.occupiedBytes(byteCount)
        positions.pointee.read.store(position, ordering: .releasing)
        return Message(
            data: UnsafeRawPointer(whole), byteCount: byteCount, tag: UInt32(header >> 32))
    }

    /// Reads the header at a position; `nil` if the ring is empty or contains invalid data.
    @_noLocks
    private func header(at position: Int) -> UInt64? {
        let used = positions.pointee.written.load(ordering: .acquiring) &- position
        guard used > 0, used <= capacity, position & (Self.headerBytes - 1) == 0 else { return nil }
        // Headers are aligned to their own length, so none wraps around the end.
        let header = bytes.load(fromByteOffset: position & (capacity - 1), as: UInt64.self)
        return Self.occupiedBytes(UInt32(truncatingIfNeeded: header)) <= used ? header : nil
    }

    /// Returns the bytes of a message, including its header and padding.
    @_noLocks
    private static func occupiedBytes(_ byteCount: UInt32) -> Int {
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
