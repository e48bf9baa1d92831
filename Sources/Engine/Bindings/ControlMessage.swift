internal import CRealtime

/// A MIDI message that may trigger a binding.
struct ControlMessage: BitwiseCopyable {
    /// The kind of message.
    enum Kind: Int32, BitwiseCopyable {
        case controller, noteOn, noteOff, program, bend, channelPressure, keyPressure
        /// A key of the computer, which is no MIDI message.
        case key
    }

    let kind: Kind
    /// 0 through 15.
    let channel: Int32
    /// The number of the controller, note, program or key; 0 for the pitch bend and the channel
    /// pressure.
    let number: Int32
    /// The value of the controller, the pressure, the velocity of the note, or the position of the
    /// pitch bend from 0 through 16383; 0 for a program change.
    let value: Int32

    /// Creates a message; the parameters have the meaning of the properties.
    @_noLocks
    init(kind: Kind, channel: Int32, number: Int32, value: Int32) {
        self.kind = kind
        self.channel = channel
        self.number = number
        self.value = value
    }

    /// Parses a message; returns `nil` if no binding can use it, or if it is incomplete.
    @_noLocks
    init?(_ message: RTMessage) {
        guard message.byteCount == 2 || message.byteCount == 3 else { return nil }
        let status = message.bytes[0]
        let first = message.bytes[1]
        let second = message.byteCount == 3 ? message.bytes[2] : 0
        guard first < 128, second < 128 else { return nil }
        switch (status >> 4, message.byteCount) {
        case (0x8, 3): kind = .noteOff
        // A note-on with velocity 0 ends the note.
        case (0x9, 3): kind = second == 0 ? .noteOff : .noteOn
        case (0xA, 3): kind = .keyPressure
        case (0xB, 3): kind = .controller
        case (0xC, 2): kind = .program
        case (0xD, 2): kind = .channelPressure
        case (0xE, 3): kind = .bend
        default: return nil
        }
        channel = Int32(status & 0xF)
        switch kind {
        case .channelPressure: (number, value) = (0, Int32(first))
        // The lower seven bits come first.
        case .bend: (number, value) = (0, Int32(second) << 7 | Int32(first))
        default: (number, value) = (Int32(first), Int32(second))
        }
    }
}

extension ControlMessage {
    /// The kind of trigger that the message concerns; `nil` for controllers, whose positions are
    /// remembered first.
    var trigger: BindingEntry.Trigger? {
        @_noLocks get {
            switch kind {
            case .controller: nil
            case .noteOn, .noteOff: .note
            case .program: .program
            case .bend: .bend
            case .channelPressure: .channelPressure
            case .keyPressure: .keyPressure
            case .key: .key
            }
        }
    }
}
