internal import CRealtime
internal import Realtime

/// The MIDI notes that are held by keys or by the sustain pedal, on all channels together.
struct HeldNotes: BitwiseCopyable {
    /// Bit n of a pair of words stands for the note n.
    private var pressed: (UInt64, UInt64) = (0, 0)
    private var sustained: (UInt64, UInt64) = (0, 0)
    private var isPedalDown = false

    /// Whether no note is held.
    var isEmpty: Bool {
        @_noLocks get { pressed.0 | pressed.1 | sustained.0 | sustained.1 == 0 }
    }

    /// Returns whether a note from 0 to 127 is held.
    @_noLocks
    func contains(_ note: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: note & 63)
        return note < 64
            ? (pressed.0 | sustained.0) & bit != 0 : (pressed.1 | sustained.1) & bit != 0
    }

    /// The held notes without their octaves.
    var classes: NoteSet {
        @_noLocks get {
            var members: UInt16 = 0
            for note in 0..<128 where contains(note) {
                members |= 1 << UInt16(truncatingIfNeeded: note % 12)
            }
            return NoteSet(members: members)
        }
    }

    /// The number of words of `note`.
    static var noteWords: Int { 5 }

    /// Writes the held notes.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(pressed.0)
        notes.pointee.put(pressed.1)
        notes.pointee.put(sustained.0)
        notes.pointee.put(sustained.1)
        notes.pointee.put(isPedalDown ? 1 : 0)
    }

    /// Holds the noted notes.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        pressed = (notes.pointee.pop(), notes.pointee.pop())
        sustained = (notes.pointee.pop(), notes.pointee.pop())
        isPedalDown = notes.pointee.pop(from: 0, through: 1) == 1
    }

    /// Releases all notes.
    @_noLocks
    mutating func clear() { self = HeldNotes() }

    /// Follows the messages of a block before one of its frames, up to the first one that can change
    /// the held notes.
    ///
    /// - Parameters:
    ///   - messages: All messages of the block; `nil` without any.
    ///   - index: The number of the first message that was not followed yet.
    ///   - frame: The frame.
    /// - Returns: Whether there was such a message.
    @_noLocks
    mutating func receive(_ messages: RTMessages?, from index: inout Int, until frame: Int) -> Bool
    {
        guard let messages, let first = messages.first else { return false }
        while index < Int(messages.count), Int(first[index].frame - messages.startFrame) < frame {
            index += 1
            if receive(first[index - 1]) { return true }
        }
        return false
    }

    /// Follows a message; returns whether it is one that changes the held notes.
    @_noLocks
    private mutating func receive(_ message: RTMessage) -> Bool {
        guard message.byteCount >= 3 else { return false }
        let (first, second) = (Int(message.bytes[1] & 0x7f), message.bytes[2] & 0x7f)
        switch message.bytes[0] & 0xf0 {
        case 0x90 where second > 0: press(first)
        case 0x80, 0x90: release(first)
        case 0xb0: return control(first, second)
        default: return false
        }
        return true
    }

    /// Follows a control message: the sustain pedal, all sound off, and all notes off.
    @_noLocks
    private mutating func control(_ number: Int, _ value: UInt8) -> Bool {
        switch number {
        case 64:
            isPedalDown = value >= 64
            if !isPedalDown { sustained = (0, 0) }
        case 120:
            clear()
        case 123:
            if isPedalDown {
                sustained = (sustained.0 | pressed.0, sustained.1 | pressed.1)
            }
            pressed = (0, 0)
        default: return false
        }
        return true
    }

    @_noLocks
    private mutating func press(_ note: Int) {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: note & 63)
        if note < 64 { pressed.0 |= bit } else { pressed.1 |= bit }
    }

    @_noLocks
    private mutating func release(_ note: Int) {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: note & 63)
        if isPedalDown && contains(note) {
            if note < 64 { sustained.0 |= bit } else { sustained.1 |= bit }
        }
        if note < 64 { pressed.0 &= ~bit } else { pressed.1 &= ~bit }
    }
}
