internal import Processing

extension PipelineKeys {
    /// The keys for the event of a binding; exactly one must be present.
    static let triggers = ["cc", "note", "program"]
    /// The keys for the target of a binding; exactly one must be present.
    static let targets = ["to", "scene", "action"]
    /// The keys for the target of a setlist's binding.
    static let setlistTargets = targets + ["song"]
    /// The keys that require `to`.
    static let movements = ["range", "curve", "mode", "takeover", "encoding", "bits"]

    /// Other names of triggers, for suggestions.
    private static let triggerSynonyms = [
        "pc": "program", "program-change": "program", "control": "cc", "controller": "cc",
        "control-change": "cc",
    ]

    /// Returns the key that a synonym means; `nil` if it is no synonym in the table.
    static func key(meantBy synonym: String, in table: KeyTable) -> String? {
        table.subject == binding.subject ? triggerSynonyms[synonym] : nil
    }

    static let binding = KeyTable(
        "a binding",
        [
            KeyDescription(
                "cc", .whole(0...127, .none),
                "The number of the controller that triggers the binding."),
            KeyDescription("note", .whole(0...127, .none), "The note that triggers the binding."),
            KeyDescription(
                "program", .whole(0...127, .none), "The program that triggers the binding."),
            KeyDescription(
                "bank", .whole(0...16383, .none),
                "The bank that must be selected: 128 × controller 0 + controller 32. Default: any."
            ),
            KeyDescription(
                "channel", .whole(1...16, .none), "The MIDI channel of the event. Default: any."),
            KeyDescription(
                "port", .text(.any), "The MIDI input that receives the event. Default: any."),
            KeyDescription("to", .text(.any), "The address of the value that the binding changes."),
            KeyDescription(
                "range", .list(of: .number(-1e9...1e9, .none), count: 2...2),
                "The values at the lowest and highest position of the control. Default: the range of the parameter."
            ),
            KeyDescription(
                "curve", .choice(["linear", "log"]),
                "The curve of the value between the ends of the range. Default: the curve of the parameter."
            ),
            KeyDescription(
                "mode", .choice(Pipeline.Binding.Mode.allCases.map(\.rawValue)),
                default: "absolute", "How the value of the event is used."),
            KeyDescription(
                "takeover", .choice(Pipeline.Binding.Takeover.allCases.map(\.rawValue)),
                default: "jump",
                "What happens if the position of the control differs from the value."),
            KeyDescription(
                "encoding", .choice(Pipeline.Binding.Encoding.allCases.map(\.rawValue)),
                default: "twos-complement", "How a controller encodes steps in the mode relative."),
            KeyDescription(
                "bits", .oneOf([7, 14]), default: 7,
                "The resolution of the controller. A 14-bit controller is 0…31, and sends its lower 7 bits with the controller 32 above it."
            ),
            KeyDescription("scene", .text(.any), "The scene that the binding applies."),
            KeyDescription(
                "action", .choice(Pipeline.Binding.Command.allCases.map(\.rawValue)),
                "The action that the binding performs."),
        ])

    // MARK: Setlists

    /// The keys of a setlist's binding, which can also have a song as its target.
    static let setlistBinding = KeyTable(
        binding.subject,
        binding.keys + [KeyDescription("song", .text(.any), "The song that the binding starts.")])

    static let setlist = KeyTable(
        "a setlist",
        [
            KeyDescription("$schema", .text(.any), "The location of the JSON Schema, for editors."),
            KeyDescription(
                "version", .whole(1...1, .none), isRequired: true, "The version of the format."),
            KeyDescription("setlist", .text(.filled), isRequired: true, "The name of the setlist."),
            KeyDescription("description", .text(.any), default: "", "Free text."),
            KeyDescription(
                "songs", .list(of: .object(song), count: 1...1024), isRequired: true,
                "The songs, in order."),
            KeyDescription(
                "midi", .list(of: .object(setlistBinding), count: 0...1024), default: [],
                "The bindings of MIDI controls that apply in every song."),
            KeyDescription(
                "keep", .choice(["values", keepsNothing]), default: "values",
                "What a song keeps until it begins again: its scene and live values, or nothing."),
        ])

    /// The value of `keep` with which every song begins as in its file.
    static let keepsNothing = "nothing"

    static let song = KeyTable(
        "a song",
        [
            KeyDescription(
                "name", .text(.filled), "The name of the song. Default: the name of its pipeline."),
            KeyDescription(
                "pipeline", .text(.filled), isRequired: true,
                "The path of the pipeline file, relative to the setlist."),
            KeyDescription("scene", .text(.any), "The scene that is active when the song starts."),
        ])
}
