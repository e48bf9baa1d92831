internal import CRealtime
internal import Pipelines

/// MIDI messages that wait for their frame, first in, first out.
///
/// The queue copies the bytes, because the schedule that sent them may be gone before they go out.
struct MessageQueue: BitwiseCopyable {
    /// The maximum number of waiting messages.
    private static var capacity: Int { @_noLocks get { 1024 } }
    /// The maximum number of waiting messages of more than three bytes.
    private static var longCapacity: Int { @_noLocks get { 64 } }
    private static var longBytes: Int { @_noLocks get { 1024 } }

    /// A waiting message.
    struct Entry: BitwiseCopyable {
        /// The engine slot of the MIDI output; -1 for the end of all notes on all outputs.
        var slot: Int32
        var byteCount: Int32
        /// The bytes, which are valid until the next message is added.
        var bytes: UnsafePointer<UInt8>
        /// The duration of a note in frames; 0 if it has no fixed duration.
        var noteFrames: UInt64
        /// The engine's frame from which on the message can be sent.
        var dueFrame: UInt64
        fileprivate var isLong: Bool { @_noLocks get { byteCount > 3 } }
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let shortBytes: UnsafeMutablePointer<UInt8>
    private let longMessages: UnsafeMutablePointer<UInt8>
    private var firstEntry = 0
    private(set) var count = 0
    private var firstLong = 0
    private var longCount = 0

    init(arena: Arena) {
        let capacity = Self.capacity
        shortBytes = arena.allocate(capacity * 3, 0)
        longMessages = arena.allocate(Self.longCapacity * Self.longBytes, 0)
        entries = arena.allocate(
            capacity,
            Entry(
                slot: -1, byteCount: 0, bytes: UnsafePointer(shortBytes), noteFrames: 0,
                dueFrame: 0))
    }

    /// Adds a message; returns false if there is no room for it.
    @_noLocks
    mutating func push(
        slot: Int32, _ bytes: UnsafePointer<UInt8>?, byteCount: Int32, noteFrames: UInt64,
        dueFrame: UInt64
    ) -> Bool {
        guard count < Self.capacity, Int(byteCount) <= Self.longBytes else { return false }
        let index = (firstEntry + count) % Self.capacity
        var room = shortBytes + 3 * index
        if byteCount > 3 {
            guard longCount < Self.longCapacity else { return false }
            let long = (firstLong + longCount) % Self.longCapacity
            room = longMessages + Self.longBytes * long
            longCount += 1
        }
        if let bytes { rt_copy_bytes(room, bytes, Int64(byteCount)) }
        entries[index] = Entry(
            slot: slot, byteCount: byteCount, bytes: UnsafePointer(room), noteFrames: noteFrames,
            dueFrame: dueFrame)
        count += 1
        return true
    }

    /// The oldest message; `nil` if none waits.
    var first: Entry? { @_noLocks get { count > 0 ? entries[firstEntry] : nil } }

    /// Removes the oldest message; its bytes remain valid until the next message is added.
    @_noLocks
    mutating func removeFirst() {
        guard count > 0 else { return }
        if entries[firstEntry].isLong {
            firstLong = (firstLong + 1) % Self.longCapacity
            longCount -= 1
        }
        firstEntry = (firstEntry + 1) % Self.capacity
        count -= 1
    }
}
