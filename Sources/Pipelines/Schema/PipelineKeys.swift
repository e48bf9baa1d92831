internal import Processing

/// The keys of pipeline files, from which both the check and the JSON Schema are derived.
enum PipelineKeys {
    /// The largest number of nodes in a pipeline.
    static let maximumNodes = 4096
    /// The allowed numbers of channels of an input, an output or a mixer.
    static let channels = 1...64
    /// The range of the latency of an input or an output, in ms.
    static let latency = 0.0...1000

    static let pipeline = KeyTable(
        "a pipeline",
        [
            KeyDescription("$schema", .text(.any), "The location of the JSON Schema, for editors."),
            KeyDescription(
                "version", .whole(1...1, .none), isRequired: true, "The version of the format."),
            KeyDescription(
                "name", .text(.filled),
                "The name of the pipeline, and the default name of the JACK client. Default: the file name without its extension."
            ),
            KeyDescription("description", .text(.any), default: "", "Free text."),
            KeyDescription(
                "inputs", .map(.signalName, to: .object(input)),
                default: ["in": ["channels": 2]], "The input signals, by name."),
            KeyDescription(
                "outputs", .map(.signalName, to: .object(output)),
                default: ["out": ["channels": 2]], "The output signals, by name."),
            KeyDescription(
                "nodes", .list(of: .node, count: 0...maximumNodes), default: [],
                "The effects and plugins, in signal order."),
            KeyDescription(
                "scenes", .map(.filled, to: .open(scene, others: .scalar)), default: [:],
                "Named sets of values: each maps addresses to values, and settings such as amp.preset to their values. A scene changes only what it contains; the values can take a time. As a cue, it can have a number, a text, and a scene that follows by itself."
            ),
            KeyDescription("scene", .text(.any), "The scene that is active at load."),
            send("The MIDI messages that are sent when the pipeline starts as a song."),
            KeyDescription(
                "midi", .list(of: .object(binding), count: 0...1024), default: [],
                "The bindings of MIDI controls."),
            KeyDescription(
                "tempo", .number(1...999, .beatsPerMinute), default: 120,
                "The tempo for plugins, delays and tap tempo."),
            KeyDescription(
                "tail", .number(0...60, .seconds), default: 4,
                "The longest time for which replaced nodes ring out."),
            KeyDescription(
                "cores", .either([.whole(1...32, .none), .choice(["auto"])]), default: 1,
                "The number of cores that run the nodes; auto uses more than one only while it pays. The sound does not depend on it. It applies when the program starts."
            ),
            followed, bridges,
        ])

    /// The bridges of a pipeline or a setlist.
    static let bridges = KeyDescription(
        "bridges", .list(of: .object(bridge), count: 0...16), default: [],
        "The programs that exchange audio with other machines; run starts them.")

    private static let bridge = KeyTable(
        "a bridge",
        [
            KeyDescription(
                "program", .choice(Bridge.Program.allCases.map(\.rawValue)), isRequired: true,
                "zita-j2n sends to another machine, zita-n2j receives from one, and netmanager accepts JACK servers with the driver net."
            ),
            KeyDescription(
                "host", .text(.filled),
                "For zita-j2n: the machine that receives. For zita-n2j: the own address to listen at; default: all."
            ),
            KeyDescription(
                "port", .whole(1...65_535, .none),
                "The UDP port. Default: 30042, or 19000 for netmanager."),
            KeyDescription(
                "channels", .whole(channels, .none), default: 2,
                "The number of channels, each with a JACK port."),
            KeyDescription(
                "buffer", .number(0...100, .milliseconds), default: 10,
                "For zita-n2j: the additional buffer against an uneven network."),
            KeyDescription(
                "name", .text(.filled),
                "The name of the JACK client. Default: the name of the program."),
        ])

    /// The session that a pipeline or a setlist follows.
    static let followed = KeyDescription(
        "follow", .text(.filled),
        "The OSC server of a session, as osc://HOST:PORT, whose song, scene, tempo and mute this session follows."
    )

    // MARK: Signals

    private static let signal = [
        KeyDescription(
            "kind", .choice(Pipeline.SignalKind.allNames), default: "audio",
            "The kind of data in the signal."),
        KeyDescription(
            "channels", .whole(channels, .none), default: 1,
            "The number of channels, each with a JACK port."),
        KeyDescription(
            "connect", .list(of: .text(.any), count: 0...channels.upperBound), default: [],
            "The JACK ports to connect to: one per channel, or one /regular expression/ that matches several in order. An empty text leaves its channel unconnected."
        ),
    ]

    static let input = KeyTable(
        "an input",
        signal + [
            KeyDescription(
                "clock", .toggle, default: false,
                "For a MIDI input: whether the tempo follows the MIDI clock that it receives."),
            KeyDescription(
                "latency", .number(latency, .milliseconds),
                "For an audio input: the time since its sound was captured. The signals that it meets wait for it. Default: the latency that JACK reports, and no signal waits."
            ),
        ])

    /// An input of a setlist.
    static let setlistInput = KeyTable(
        input.subject,
        input.keys + [
            KeyDescription(
                "songs", from,
                "The signal that the songs receive from their input of this name, such as a node of before. Default: the input itself."
            )
        ])

    static let output = KeyTable(
        "an output",
        signal + [
            KeyDescription("from", from, "The source of the output. Default: the last node."),
            KeyDescription(
                "limiter", .toggle, default: true,
                "Whether a safety limiter limits peaks to -0.3 dBFS."),
            KeyDescription(
                "clock", .toggle, default: false,
                "For a MIDI output: whether it sends a MIDI clock with the tempo."),
            KeyDescription(
                "latency", .number(latency, .milliseconds),
                "For an audio output: the time until its sound is heard. Default: the latency that JACK reports."
            ),
        ])

    /// A signal reference, or several whose channels are combined in order.
    private static let from = Shape.either([
        .text(.filled), .list(of: reference, count: 1...256),
    ])

    /// A signal reference: its text, or an object that says whether the signal is aligned.
    private static let reference = Shape.either([
        .text(.filled),
        .object(
            KeyTable(
                "a signal",
                [
                    KeyDescription(
                        "signal", .text(.filled), isRequired: true,
                        "A node or an input; \"name:2\" selects its channel 2."),
                    KeyDescription(
                        "align", .toggle, default: true,
                        "Whether the signal is aligned with the other signals that it meets."),
                ])),
    ])

    // MARK: Nodes

    static let effectNode = KeyTable(
        "a built-in effect",
        [
            KeyDescription(
                "id", .text(.identifier), isRequired: true,
                "The name of the node in references and addresses; unique in the file."),
            KeyDescription(
                "type", .text(.any), isRequired: true, "The name of a built-in effect, or lv2."),
            KeyDescription(
                "from", from,
                "The source of the node: a node or an input; \"name:2\" selects its channel 2. Default: the previous node."
            ),
            KeyDescription(
                "parameters", .map(.any, to: .scalar), default: [:],
                "Values that can change while the node runs."),
            KeyDescription(
                "settings", .map(.any, to: .either([.scalar, playlist])), default: [:],
                "Values that are fixed while the node runs."),
            KeyDescription(
                "bypass", .toggle, default: false,
                "Whether the node passes the dry signal, with the same latency."),
            KeyDescription(
                "mix", .number(0...1, .none), default: 1,
                "The share of the effect in the output of the node."),
            KeyDescription(
                whenLateName, .object(whenLate),
                "The cheaper variant that plays while the machine is too slow."),
        ])

    /// The key of a node for its cheaper variant.
    static let whenLateName = "when-late"

    /// The keys of the cheaper variant of a node.
    static let whenLate = KeyTable(
        "when-late",
        [
            KeyDescription(
                "rank", .whole(WhenLate.ranks, .none), default: .integer(WhenLate.standardRank),
                "The order in which nodes give way: 1 first, and nodes of equal rank in the order of the file."
            ),
            KeyDescription(
                "settings", .map(.any, to: .scalar),
                "The settings that replace those of the node; the others remain."),
            KeyDescription(
                "bypass", .toggle, default: false,
                "Whether the node is bypassed and does not run; instead of settings."),
        ])

    /// The shape of a setting with several sounds.
    static let playlist = Shape.list(
        of: .either([
            .text(.filled),
            .object(
                KeyTable(
                    "an item of a playlist",
                    [
                        KeyDescription(
                            "file", .text(.filled), isRequired: true, "The sound file."),
                        KeyDescription(
                            "gain", .number(PlaylistItem.gainRange, .decibels), default: 0,
                            "The gain of this file."),
                    ])),
        ]), count: 1...1000)

    /// Returns the keys of nodes of a built-in effect.
    static func effectNode(_ description: NodeDescription) -> KeyTable {
        description.receivesEvents ? playedEffectNode : effectNode
    }

    private static let events = KeyDescription(
        "events", .text(.any), "The MIDI input that plays the node.")

    /// The keys of a built-in effect that receives MIDI.
    private static let playedEffectNode = KeyTable(
        effectNode.subject, effectNode.keys + [events])

    static let pluginNode = KeyTable(
        "an lv2 node",
        effectNode.keys + [
            KeyDescription("uri", .text(.filled), isRequired: true, "The URI of the plugin."),
            KeyDescription(
                "ports", .map(.any, to: reference),
                "The source of each audio input, by the symbol of its port; replaces from."),
            events,
            KeyDescription(
                "isolate", .either([.toggle, .choice(["same-cycle"])]), default: false,
                "Whether the plugin runs in its own process."),
            KeyDescription(
                "sandbox", .toggle, default: true,
                "Whether a sandbox keeps that process from other files, processes and machines."),
        ])

    /// The keys of a plugin node that exclude each other, because both select its signals.
    static let exclusive = ["from", "ports"]

    /// All keys of any node, for nodes whose type is not known.
    static let anyNode = KeyTable(
        "a node",
        pluginNode.keys.map { key in
            var key = key
            if key.name == "uri" { key.isRequired = false }
            return key
        })

    /// The type of plugin nodes.
    static let pluginType = "lv2"
    /// The setting of plugin nodes that selects a preset of the plugin.
    static let preset = SettingDescription(
        "preset", summary: "A preset of the plugin; the parameters of the node override it.",
        kind: .text)

    // MARK: Addresses

    /// The addresses that every node has in addition to its parameters.
    static let bypassName = "bypass"
    static let mixName = "mix"
    /// The share of the wet signal as a parameter.
    static let mixParameter = ParameterDescription(mixName, range: 0...1, default: 1)
    static let bypassParameter = ParameterDescription.toggle(bypassName)
}

extension Pipeline.SignalKind {
    static let allNames = [audio, midi].map(\.rawValue)
}
