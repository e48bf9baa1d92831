internal import CRealtime

/// A MIDI message that may trigger a binding.
struct ControlMessage: BitwiseCopyable {
    /// The kind of message.
    enum Kind: Int32, BitwiseCopyable { case controller, noteOn, noteOff, program }

    let kind: Kind
    /// 0 through 15.
    let channel: Int32
    /// The number of the controller, note or program.
    let number: Int32
    /// The value of the controller, or the velocity of the note; 0 for a program change.
    let value: Int32

    /// Parses a message; returns `nil` if no binding can use it, or if it is incomplete.
    @_noLocks
    init?(_ message: RTMessage) {
        guard message.byteCount == 2 || message.byteCount == 3 else { return nil }
        let status = message.bytes[0]
        let number = message.bytes[1]
        let value = message.byteCount == 3 ? message.bytes[2] : 0
        guard number < 128, value < 128 else { return nil }
        switch (status >> 4, message.byteCount) {
        case (0x8, 3): kind = .noteOff
        // A note-on with velocity 0 ends the note.
        case (0x9, 3): kind = value == 0 ? .noteOff : .noteOn
        case (0xB, 3): kind = .controller
        case (0xC, 2): kind = .program
        default: return nil
        }
        channel = Int32(status & 0xF)
        self.number = Int32(number)
        self.value = Int32(value)
    }
}
