internal import Processing

extension PipelineKeys {
    /// The keys for the kind of an outgoing message; exactly one must be present.
    static let messageKinds = ["program", "cc", "note", "sysex"]
    /// The keys of an outgoing message that require another key.
    static let messageRequirements = [
        "bank": "program", "value": "cc", "velocity": "note", "duration": "note",
    ]

    /// Returns the key for messages that scenes or songs send.
    static func send(_ summary: String) -> KeyDescription {
        KeyDescription("send", .list(of: .object(message), count: 0...64), default: [], summary)
    }

    static let message = KeyTable(
        "a message",
        [
            KeyDescription(
                "port", .text(.filled), isRequired: true,
                "The MIDI output that sends the message."),
            KeyDescription(
                "channel", .whole(1...16, .none), default: 1, "The MIDI channel of the message."),
            KeyDescription("program", .whole(0...127, .none), "The program to select."),
            KeyDescription(
                "bank", .whole(0...16383, .none),
                "The bank that is selected before the program: 128 × controller 0 + controller 32."
            ),
            KeyDescription("cc", .whole(0...127, .none), "The number of the controller to set."),
            KeyDescription("value", .whole(0...127, .none), "The value of the controller."),
            KeyDescription("note", .whole(0...127, .none), "The note to start or to end."),
            KeyDescription(
                "velocity", .whole(0...127, .none), default: 100,
                "The velocity of the note; 0 ends the note."),
            KeyDescription(
                "duration", .number(0.001...3600, .seconds),
                "The duration of the note. Default: until another message or the end of the song ends it."
            ),
            KeyDescription(
                "sysex", .text(.systemExclusive),
                "A system exclusive message, as hexadecimal bytes from F0 to F7."),
        ])
}

extension TextForm {
    /// A system exclusive message.
    static let systemExclusive = TextForm(
        demand:
            "must be hexadecimal bytes from F0 to F7 with bytes below 80 between them, at most \(Pipeline.Message.maximumBytes) bytes",
        pattern:
            "^[ \\t\\r\\n]*[Ff]0([ \\t\\r\\n]*[0-7][0-9A-Fa-f]){1,\(Pipeline.Message.maximumBytes - 2)}[ \\t\\r\\n]*[Ff]7[ \\t\\r\\n]*$"
    ) { SystemExclusive.bytes(of: $0) != nil }
}
