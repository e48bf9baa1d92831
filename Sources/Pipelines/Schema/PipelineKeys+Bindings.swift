internal import Processing

extension PipelineKeys {
    /// The keys that say on which event a binding acts: exactly one.
    static let triggers = ["cc", "note", "program"]
    /// The keys that say what a binding does: exactly one.
    static let targets = ["to", "scene", "action"]
    /// As `targets`, for a setlist's bindings.
    static let setlistTargets = targets + ["song"]
    /// The keys that only go with `to`.
    static let movements = ["range", "curve", "mode", "takeover", "encoding", "bits"]

    static let binding = KeyTable(
        "a binding",
        [
            KeyDescription("cc", .whole(0...127, .none), "The controller that triggers it."),
            KeyDescription("note", .whole(0...127, .none), "The note that triggers it."),
            KeyDescription("program", .whole(0...127, .none), "The program that triggers it."),
            KeyDescription(
                "bank", .whole(0...16383, .none),
                "The bank that must be selected: 128 times controller 0 and controller 32. Default: any."
            ),
            KeyDescription(
                "channel", .whole(1...16, .none), "The MIDI channel it listens to. Default: any."),
            KeyDescription("port", .text(.any), "The MIDI input it listens to. Default: any."),
            KeyDescription("to", .text(.any), "The address that it moves."),
            KeyDescription(
                "range", .list(of: .number(-1e9...1e9, .none), count: 2...2),
                "The values at the control's lowest and highest place. Default: the parameter's range."
            ),
            KeyDescription(
                "curve", .choice(["linear", "log"]),
                "How the value goes from one end to the other. Default: as the parameter does."),
            KeyDescription(
                "mode", .choice(Pipeline.Binding.Mode.allCases.map(\.rawValue)),
                default: "absolute", "What the event's value means."),
            KeyDescription(
                "takeover", .choice(Pipeline.Binding.Takeover.allCases.map(\.rawValue)),
                default: "jump", "What a control does whose place differs from the value."),
            KeyDescription(
                "encoding", .choice(Pipeline.Binding.Encoding.allCases.map(\.rawValue)),
                default: "twos-complement", "How a controller of the mode relative sends steps."),
            KeyDescription(
                "bits", .oneOf([7, 14]), default: 7,
                "How fine the controller is; one of 14 bits is 0…31, and sends its lower seven by the one 32 above it."
            ),
            KeyDescription("scene", .text(.any), "The scene that it puts on."),
            KeyDescription(
                "action", .choice(Pipeline.Binding.Command.allCases.map(\.rawValue)),
                "What else it does."),
        ])

    // MARK: Setlists

    /// In a setlist a song may be the target too.
    static let setlistBinding = KeyTable(
        binding.subject,
        binding.keys + [KeyDescription("song", .text(.any), "The song that it begins.")])

    static let setlist = KeyTable(
        "a setlist",
        [
            KeyDescription("$schema", .text(.any), "For editors."),
            KeyDescription(
                "version", .whole(1...1, .none), isRequired: true, "The format's version."),
            KeyDescription("setlist", .text(.filled), isRequired: true, "The setlist's name."),
            KeyDescription("description", .text(.any), default: "", "Free text."),
            KeyDescription(
                "songs", .list(of: .object(song), count: 1...1024), isRequired: true,
                "The songs in order."),
            KeyDescription(
                "midi", .list(of: .object(setlistBinding), count: 0...1024), default: [],
                "What MIDI events do, whichever song is on."),
        ])

    static let song = KeyTable(
        "a song",
        [
            KeyDescription("name", .text(.filled), "The song's name. Default: its pipeline's."),
            KeyDescription(
                "pipeline", .text(.filled), isRequired: true,
                "The pipeline's file, relative to the setlist."),
            KeyDescription("scene", .text(.any), "The scene that is on as it begins."),
        ])
}
