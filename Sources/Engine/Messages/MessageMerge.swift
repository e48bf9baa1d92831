internal import CRealtime

/// Merges the engine's own MIDI messages of a piece with those that nodes send to the same outputs,
/// because an output accepts messages only in the order of their frames.
///
/// For each piece: `add` the engine's messages, `intercept` the sinks of their outputs, run the
/// nodes, and `deliver`.
struct MessageMerge: BitwiseCopyable {
    /// The maximum number of the engine's messages in a piece.
    private static var capacity: Int { @_noLocks get { 2048 } }

    private struct Entry: BitwiseCopyable {
        var frame: Int32 = 0
        var slot: Int32 = 0
        var byteCount: Int32 = 0
        var bytes: UnsafePointer<UInt8>
    }

    /// The engine's messages, ordered by frame.
    private let entries: UnsafeMutablePointer<Entry>
    private let shortBytes: UnsafeMutablePointer<UInt8>
    private var count = 0
    private let nodeMessages: UnsafeMutablePointer<NodeMessages>
    private let interceptors: UnsafeMutablePointer<Interceptor>
    /// The sinks of the outputs that have messages of the engine in this piece.
    private let sinks: UnsafeMutablePointer<RTMessageSink>
    private let isUsed: UnsafeMutablePointer<Bool>

    init(arena: Arena) {
        let slots = EnginePorts.maximumMessageSignals
        shortBytes = arena.allocate(3 * Self.capacity, 0)
        entries = arena.allocate(Self.capacity, Entry(bytes: UnsafePointer(shortBytes)))
        let nodeMessages = arena.allocate(1, NodeMessages(arena: arena))
        self.nodeMessages = nodeMessages
        interceptors = arena.copy(
            (0..<slots).map { Interceptor(slot: Int32($0), messages: nodeMessages) })
        sinks = arena.allocate(slots, RTMessageSink())
        isUsed = arena.allocate(slots, false)
    }

    /// Whether the piece has no message of the engine.
    var isEmpty: Bool { @_noLocks get { count == 0 } }

    /// Adds a message behind all messages of the same frame; its bytes must be valid until
    /// `deliver`.
    @_noLocks
    mutating func add(
        _ bytes: UnsafePointer<UInt8>, byteCount: Int32, slot: Int32, frame: Int32
    ) {
        guard count < Self.capacity, slot >= 0, slot < Int32(EnginePorts.maximumMessageSignals)
        else { return }
        var index = count
        while index > 0, entries[index - 1].frame > frame {
            entries[index] = entries[index - 1]
            index -= 1
        }
        entries[index] = Entry(frame: frame, slot: slot, byteCount: byteCount, bytes: bytes)
        isUsed[Int(slot)] = true
        count += 1
    }

    /// Adds a message of one through three bytes.
    @_noLocks
    mutating func add(
        _ status: UInt8, _ first: UInt8, _ second: UInt8, byteCount: Int32 = 3, slot: Int32,
        frame: Int32
    ) {
        guard count < Self.capacity else { return }
        let room = shortBytes + 3 * count
        (room[0], room[1], room[2]) = (status, first, second)
        add(UnsafePointer(room), byteCount: byteCount, slot: slot, frame: frame)
    }

    /// Replaces the sinks of the outputs that have messages of the engine.
    @_noLocks
    func intercept(_ given: UnsafeMutablePointer<RTMessageSink>) {
        guard count > 0 else { return }
        nodeMessages.pointee.removeAll()
        for slot in 0..<EnginePorts.maximumMessageSignals where isUsed[slot] {
            sinks[slot] = given[slot]
            given[slot] = RTMessageSink(
                receive: receiveNodeMessage, context: interceptors + slot, startFrame: 0)
        }
    }

    /// Sends all messages of the piece in the order of their frames, the engine's first, and
    /// restores the sinks.
    @_noLocks
    mutating func deliver(_ given: UnsafeMutablePointer<RTMessageSink>) {
        guard count > 0 else { return }
        var (own, other) = (0, 0)
        let others = nodeMessages.pointee.count
        while own < count || other < others {
            let isOwn =
                other == others
                || (own < count && entries[own].frame <= nodeMessages.pointee.frame(other))
            if isOwn {
                let entry = entries[own]
                _ = rt_give_message(
                    sinks[Int(entry.slot)], entry.frame, entry.bytes, entry.byteCount)
                own += 1
            } else {
                nodeMessages.pointee.give(other, to: sinks)
                other += 1
            }
        }
        for slot in 0..<EnginePorts.maximumMessageSignals where isUsed[slot] {
            given[slot] = sinks[slot]
            isUsed[slot] = false
        }
        count = 0
    }
}

/// The sink of nodes for one output.
private struct Interceptor: BitwiseCopyable {
    let slot: Int32
    let messages: UnsafeMutablePointer<NodeMessages>
}

/// The messages of nodes in a piece, with their bytes.
private struct NodeMessages: BitwiseCopyable {
    private static var capacity: Int { @_noLocks get { 4096 } }
    private static var byteCapacity: Int { @_noLocks get { 1 << 16 } }

    private struct Entry: BitwiseCopyable {
        var frame: Int32 = 0
        var slot: Int32 = 0
        var start = 0
        var byteCount: Int32 = 0
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let bytes: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var usedBytes = 0

    init(arena: Arena) {
        entries = arena.allocate(Self.capacity, Entry())
        bytes = arena.allocate(Self.byteCapacity, 0)
    }

    @_noLocks
    mutating func removeAll() { (count, usedBytes) = (0, 0) }

    @_noLocks
    mutating func add(
        _ given: UnsafePointer<UInt8>, byteCount: Int32, slot: Int32, frame: Int32
    ) -> Bool {
        guard count < Self.capacity, byteCount > 0,
            Int(byteCount) <= Self.byteCapacity - usedBytes
        else { return false }
        rt_copy_bytes(bytes + usedBytes, given, Int64(byteCount))
        entries[count] = Entry(frame: frame, slot: slot, start: usedBytes, byteCount: byteCount)
        usedBytes += Int(byteCount)
        count += 1
        return true
    }

    @_noLocks
    func frame(_ index: Int) -> Int32 { entries[index].frame }

    @_noLocks
    func give(_ index: Int, to sinks: UnsafeMutablePointer<RTMessageSink>) {
        let entry = entries[index]
        _ = rt_give_message(
            sinks[Int(entry.slot)], entry.frame, bytes + entry.start, entry.byteCount)
    }
}

/// Keeps the message of a node until `MessageMerge.deliver`; the context is an `Interceptor`.
@_noLocks
private func receiveNodeMessage(
    _ context: UnsafeMutableRawPointer, _ frame: Int32, _ bytes: UnsafePointer<UInt8>,
    _ byteCount: Int32
) -> Bool {
    // SAFETY: the context is an interceptor of the engine's arena, which outlives the call.
    let interceptor = context.assumingMemoryBound(to: Interceptor.self).pointee
    return interceptor.messages.pointee.add(
        bytes, byteCount: byteCount, slot: interceptor.slot, frame: frame)
}
