internal import Processing

extension PipelineKeys {
    /// The keys for the event of a binding; exactly one must be present.
    static let triggers = ["cc", "note", "program", "bend", "pressure", "key-pressure", "key"]
    /// The triggers that send positions and no presses.
    static let positionTriggers = ["bend", "pressure", "key-pressure"]
    /// The keys that a binding to a computer key cannot have.
    static let midiFilters = ["channel", "port"]
    /// The keys for the target of a binding; exactly one must be present.
    static let targets = ["to", "scene", "action", "cycle", "cue"]
    /// The keys for the target of a setlist's binding.
    static let setlistTargets = targets + ["song"]
    /// The keys that require `to`.
    static let movements = [
        "range", "curve", "taper", "values", "mode", "takeover", "encoding", "bits",
    ]
    /// The keys that belong to one address.
    static let addressMovements = ["range", "curve", "taper", "values"]
    /// The times of a kind of press, with the word of `press` that each requires.
    static let pressTimes = [("hold", "long"), ("window", "double")]

    /// Other names of triggers, for suggestions.
    private static let triggerSynonyms = [
        "pc": "program", "program-change": "program", "control": "cc", "controller": "cc",
        "control-change": "cc",
    ]

    /// Returns the key that a synonym means; `nil` if it is no synonym in the table.
    static func key(meantBy synonym: String, in table: KeyTable) -> String? {
        table.subject == binding.subject ? triggerSynonyms[synonym] : nil
    }

    private static let range = KeyDescription(
        "range", .list(of: .number(-1e9...1e9, .none), count: 2...2),
        "The values at the lowest and highest position of the control. Default: the range of the parameter."
    )
    private static let curve = KeyDescription(
        "curve", .choice(["linear", "log"]),
        "The curve of the value between the ends of the range. Default: the curve of the parameter."
    )
    private static let taper = KeyDescription(
        "taper", .choice(["audio"]),
        "The law of a volume pedal: the amplitude is the fourth power of the position. Replaces curve."
    )
    private static let values = KeyDescription(
        "values", .list(of: .scalar, count: 2...64),
        "The values that presses select in turn.")

    /// An address of a binding with several addresses.
    private static let boundAddress = KeyTable(
        "an address of a binding",
        [
            KeyDescription(
                "address", .text(.any), isRequired: true,
                "The address of the value that the binding changes."),
            range, curve, taper, values,
        ])

    static let binding = KeyTable(
        "a binding",
        [
            KeyDescription(
                "cc", .whole(0...127, .none),
                "The number of the controller that triggers the binding."),
            KeyDescription("note", .whole(0...127, .none), "The note that triggers the binding."),
            KeyDescription(
                "program", .whole(0...127, .none), "The program that triggers the binding."),
            KeyDescription("bend", .toggle, "true: the pitch bend wheel moves the value."),
            KeyDescription("pressure", .toggle, "true: the channel pressure moves the value."),
            KeyDescription(
                "key-pressure", .whole(0...127, .none),
                "The note whose key moves the value by its pressure."),
            KeyDescription(
                "key", .text(.filled),
                "The key of the computer that triggers the binding: a character, or a name such as space."
            ),
            KeyDescription(
                "bank", .whole(0...16383, .none),
                "The bank that must be selected: 128 × controller 0 + controller 32. Default: any."
            ),
            KeyDescription(
                "channel", .whole(1...16, .none), "The MIDI channel of the event. Default: any."),
            KeyDescription(
                "port", .text(.any), "The MIDI input that receives the event. Default: any."),
            KeyDescription(
                "to", .either([.text(.any), .list(of: .object(boundAddress), count: 1...16)]),
                "The address of the value that the binding changes, or a list of addresses with their ranges."
            ),
            range, curve, taper, values,
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
            KeyDescription(
                "cycle", .list(of: .text(.any), count: 2...64),
                "The scenes that presses apply in turn."),
            KeyDescription(
                "cue", .text(.filled),
                "The player and the number of the item that the binding plays from its start, such as fx:2."
            ),
            KeyDescription(
                "wrap", .toggle,
                "Whether the step after the last entry leads to the first one. Default: true for cycle and values, false for actions."
            ),
            KeyDescription(
                "press", .choice(["short", "long", "double"]), default: "short",
                "The kind of press that the binding acts on."),
            KeyDescription(
                "hold", .number(0.05...10, .seconds), default: 0.5,
                "How long a long press lasts."),
            KeyDescription(
                "window", .number(0.05...2, .seconds), default: 0.3,
                "The longest time from the first to the second press of a double press."),
            KeyDescription(
                "guard", .number(0...10, .seconds), default: 0,
                "The time after a press in which further presses have no effect."),
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
                "inputs", .map(.signalName, to: .object(setlistInput)), default: [:],
                "The inputs of the setlist, by name. A song that has an input of the same name receives its signal."
            ),
            KeyDescription(
                "outputs", .map(.signalName, to: .object(output)), default: [:],
                "The outputs of the setlist, by name. An output of the songs with the same name goes only to the nodes and outputs of the setlist."
            ),
            KeyDescription(
                "before", .list(of: .node, count: 0...maximumNodes), default: [],
                "The nodes between the inputs of the setlist and the songs, in signal order; they continue when the song changes."
            ),
            KeyDescription(
                "after", .list(of: .node, count: 0...maximumNodes), default: [],
                "The nodes between the songs and the outputs of the setlist, in signal order; they continue when the song changes."
            ),
            KeyDescription(
                "midi", .list(of: .object(setlistBinding), count: 0...1024), default: [],
                "The bindings of MIDI controls that apply in every song."),
            KeyDescription(
                "keep", .choice(["values", keepsNothing]), default: "values",
                "What a song keeps until it begins again: its scene and live values, or nothing."),
            followed, bridges,
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
            KeyDescription(
                "gain", .number(-60...24, .decibels), default: 0,
                "The gain of all audio outputs of the song."),
            KeyDescription(
                "tempo", .number(1...999, .beatsPerMinute),
                "The tempo of the song. Default: the tempo of its pipeline."),
            KeyDescription(
                "notes", .text(.notes), default: "", "Free text that displays show during the song."
            ),
            KeyDescription(
                "color", .text(.color),
                "The color of the song on displays: # and six hexadecimal digits."),
            send(
                "The MIDI messages that are sent when the song starts, after those of its pipeline."
            ),
        ])
}
