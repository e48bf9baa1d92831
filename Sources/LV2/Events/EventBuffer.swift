internal import CLilv
internal import CRealtime
internal import Realtime

/// The buffer of one event port: a sequence of atoms.
struct EventBuffer: ~Copyable {
    private let words: Buffer<UInt64>
    private let sequence: UnsafeMutablePointer<LV2_Atom_Sequence>
    /// Bytes of the buffer.
    private let capacity: UInt32
    let isInput: Bool
    /// Whether the port receives or sends MIDI.
    let carriesMIDI: Bool
    /// Whether the plugin receives time positions through this port.
    let receivesTime: Bool
    private let sequenceType: UInt32
    private let chunkType: UInt32

    /// Allocates a buffer with at least the size that the plugin requests.
    init(_ port: PortShape) {
        let bytes = max(PluginOptions.sequenceBytes, (port.minimumBytes + 7) & ~7)
        words = Buffer(count: bytes / 8, repeating: 0)
        sequence = UnsafeMutableRawPointer(words.start)
            .bindMemory(to: LV2_Atom_Sequence.self, capacity: 1)
        capacity = UInt32(clamping: bytes)
        isInput = port.role == .eventInput
        carriesMIDI = port.carriesMIDI
        receivesTime = isInput && port.receivesTime
        sequenceType = URIDTable.map(Namespace.atom("Sequence"))
        chunkType = URIDTable.map(Namespace.atom("Chunk"))
        clear()
    }

    /// The memory that the port is connected to.
    var memory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(sequence) }

    /// Prepares the buffer for the next run.
    ///
    /// An input becomes empty. An output becomes a chunk whose size is the available space.
    @_noLocks
    func clear() {
        sequence.pointee.atom.type = isInput ? sequenceType : chunkType
        sequence.pointee.atom.size =
            isInput ? Self.bodyHeaderBytes : capacity - Self.atomHeaderBytes
        sequence.pointee.body.unit = 0
        sequence.pointee.body.pad = 0
    }

    /// Adds an event to an input; events must be added in the order of their frames.
    ///
    /// - Parameters:
    ///   - frame: The frame in the block.
    ///   - type: The URID of the event's type.
    ///   - byteCount: Bytes of the event's body.
    /// - Returns: The address for the event's body; `nil` if it does not fit, in which case nothing
    ///   is added.
    @_noLocks
    func append(frame: Int, type: UInt32, byteCount: Int) -> UnsafeMutableRawPointer? {
        let used = Int(Self.atomHeaderBytes + sequence.pointee.atom.size)
        let wanted = Self.eventHeaderBytes + Self.padded(byteCount)
        guard byteCount >= 0, wanted <= Int(capacity) - used else { return nil }
        let event = UnsafeMutableRawPointer(sequence) + used
        event.storeBytes(of: Int64(frame), as: Int64.self)
        event.storeBytes(of: UInt32(byteCount), toByteOffset: 8, as: UInt32.self)
        event.storeBytes(of: type, toByteOffset: 12, as: UInt32.self)
        sequence.pointee.atom.size += UInt32(wanted)
        return event + Self.eventHeaderBytes
    }

    /// One event of an output.
    struct Event {
        let frame: Int64
        let type: UInt32
        let byteCount: Int32
        let body: UnsafeRawPointer
        /// The offset of the next event, in bytes from the start of the buffer.
        fileprivate let end: Int
    }

    /// Returns the first event, or the one after `last`.
    ///
    /// - Parameter last: The previous event; `nil` for the first one.
    /// - Returns: The event; `nil` at the end, or if the plugin wrote invalid data.
    @_noLocks
    func event(after last: Event?) -> Event? {
        guard sequence.pointee.atom.type == sequenceType else { return nil }
        let written = Int(Self.atomHeaderBytes) + Int(sequence.pointee.atom.size)
        let start = last?.end ?? Int(Self.atomHeaderBytes + Self.bodyHeaderBytes)
        let limit = min(written, Int(capacity))
        guard start + Self.eventHeaderBytes <= limit else { return nil }
        let event = UnsafeRawPointer(sequence) + start
        let byteCount = Int(event.load(fromByteOffset: 8, as: UInt32.self))
        guard byteCount <= limit - start - Self.eventHeaderBytes else { return nil }
        return Event(
            frame: event.load(as: Int64.self),
            type: event.load(fromByteOffset: 12, as: UInt32.self),
            byteCount: Int32(byteCount), body: event + Self.eventHeaderBytes,
            end: start + Self.eventHeaderBytes + Self.padded(byteCount))
    }

    private static var atomHeaderBytes: UInt32 { @_noLocks get { 8 } }
    private static var bodyHeaderBytes: UInt32 { @_noLocks get { 8 } }
    private static var eventHeaderBytes: Int { @_noLocks get { 16 } }

    /// Returns a size rounded up to a multiple of 8 bytes, at which each event starts.
    @_noLocks
    private static func padded(_ byteCount: Int) -> Int { (byteCount + 7) & ~7 }
}
