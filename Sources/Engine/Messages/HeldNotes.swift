/// The notes that songs and scenes have started and not ended yet.
struct HeldNotes: BitwiseCopyable {
    /// The maximum number of notes.
    static var capacity: Int { @_noLocks get { 256 } }

    /// A note that sounds.
    struct Note: BitwiseCopyable {
        /// The engine slot of the MIDI output.
        var slot: Int32
        /// 0 through 15.
        var channel: UInt8
        var number: UInt8
        /// The engine's frame at which it ends; `.max` without a fixed end.
        var endFrame: UInt64
    }

    private let notes: UnsafeMutablePointer<Note>
    private(set) var count = 0

    init(arena: Arena) {
        notes = arena.allocate(
            Self.capacity, Note(slot: 0, channel: 0, number: 0, endFrame: 0))
    }

    var isFull: Bool { @_noLocks get { count == Self.capacity } }

    /// Adds a note, if there is room.
    @_noLocks
    mutating func insert(_ note: Note) {
        guard count < Self.capacity else { return }
        notes[count] = note
        count += 1
    }

    /// Removes and returns a note; `nil` if it does not sound.
    @_noLocks
    mutating func remove(slot: Int32, channel: UInt8, number: UInt8) -> Note? {
        for index in 0..<count
        where notes[index].slot == slot && notes[index].channel == channel
            && notes[index].number == number
        {
            return remove(at: index)
        }
        return nil
    }

    /// Removes and returns a note that ends before a frame; `nil` if no note does.
    @_noLocks
    mutating func removeEnded(before frame: UInt64) -> Note? {
        for index in 0..<count where notes[index].endFrame < frame { return remove(at: index) }
        return nil
    }

    /// Removes and returns any note; `nil` if none sounds.
    @_noLocks
    mutating func removeAny() -> Note? { count > 0 ? remove(at: count - 1) : nil }

    @_noLocks
    private mutating func remove(at index: Int) -> Note {
        let note = notes[index]
        count -= 1
        notes[index] = notes[count]
        return note
    }
}
