internal import CRealtime

/// A MIDI message that a binding may listen to.
struct ControlMessage: BitwiseCopyable {
    /// What it is.
    enum Kind: Int32, BitwiseCopyable { case controller, noteOn, noteOff, program }

    let kind: Kind
    /// From 0 through 15.
    let channel: Int32
    /// Of the controller, note or program.
    let number: Int32
    /// Of the controller or the note's velocity; 0 for a program.
    let value: Int32

    /// Reads a message; nil for one that no binding listens to, and for what is not whole.
    @_noLocks
    init?(_ message: RTMessage) {
        guard message.byteCount == 2 || message.byteCount == 3 else { return nil }
        let status = message.bytes[0]
        let number = message.bytes[1]
        let value = message.byteCount == 3 ? message.bytes[2] : 0
        guard number < 128, value < 128 else { return nil }
        switch (status >> 4, message.byteCount) {
        case (0x8, 3): kind = .noteOff
        // A note on without velocity ends the note.
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
