internal import Processing

/// The keys of pipeline files: the one list from which files are checked and the JSON Schema is made.
enum PipelineKeys {
    /// The most nodes of a pipeline.
    static let maximumNodes = 4096
    /// The most channels of an input, an output or a mixer.
    static let channels = 1...64

    static let pipeline = KeyTable(
        "a pipeline",
        [
            KeyDescription("$schema", .text(.any), "The schema's place, for editors."),
            KeyDescription(
                "version", .whole(1...1, .none), isRequired: true, "The format's version."),
            KeyDescription(
                "name", .text(.filled),
                "The pipeline's name, and the default JACK client name. Default: the file's name."),
            KeyDescription("description", .text(.any), default: "", "Free text."),
            KeyDescription(
                "inputs", .map(.signalName, to: .object(input)),
                default: ["in": ["channels": 2]], "Signals that come in, by name."),
            KeyDescription(
                "outputs", .map(.signalName, to: .object(output)),
                default: ["out": ["channels": 2]], "Signals that go out, by name."),
            KeyDescription(
                "nodes", .list(of: .node, count: 0...maximumNodes), default: [],
                "Effects and plugins in listening order."),
            KeyDescription(
                "scenes", .map(.filled, to: .map(.any, to: .scalar)), default: [:],
                "Sets of values by name: address to value. A scene sets only what it names."),
            KeyDescription("scene", .text(.any), "The scene that is on at load."),
            KeyDescription(
                "midi", .list(of: .object(binding), count: 0...1024), default: [],
                "What MIDI events do."),
            KeyDescription(
                "tempo", .number(1...999, .beatsPerMinute), default: 120,
                "Beats a minute, for plugins, delays and tap tempo."),
            KeyDescription(
                "tail", .number(0...60, .seconds), default: 4,
                "How long what was replaced may ring on."),
        ])

    // MARK: Signals

    private static let signal = [
        KeyDescription(
            "kind", .choice(Pipeline.SignalKind.allNames), default: "audio",
            "What the signal carries."),
        KeyDescription(
            "channels", .whole(channels, .none), default: 1, "How many JACK ports it has."),
        KeyDescription(
            "connect", .list(of: .text(.filled), count: 0...channels.upperBound), default: [],
            "JACK ports to connect to, one a channel, or one /regular expression/ that matches several in order."
        ),
    ]

    static let input = KeyTable("an input", signal)

    static let output = KeyTable(
        "an output",
        signal + [
            KeyDescription("from", from, "What it plays. Default: the last node."),
            KeyDescription(
                "limiter", .toggle, default: true, "A safety limiter at -0.3 dBFS."),
        ])

    /// A signal reference, or several whose channels lie side by side.
    private static let from = Shape.either([
        .text(.filled), .list(of: .text(.filled), count: 1...256),
    ])

    // MARK: Nodes

    static let effectNode = KeyTable(
        "a built-in effect",
        [
            KeyDescription(
                "id", .text(.identifier), isRequired: true,
                "The node's name in references and addresses, unique in the file."),
            KeyDescription(
                "type", .text(.any), isRequired: true, "A built-in effect's name, or lv2."),
            KeyDescription(
                "from", from,
                "What feeds it: a node or an input, \"name:2\" for its channel 2. Default: the node before."
            ),
            KeyDescription(
                "parameters", .map(.any, to: .scalar), default: [:],
                "Values that may change live."),
            KeyDescription(
                "settings", .map(.any, to: .either([.scalar, playlist])), default: [:],
                "Values that are fixed while the node lives."),
            KeyDescription(
                "bypass", .toggle, default: false, "Passes the dry signal, delayed alike."),
            KeyDescription("mix", .number(0...1, .none), default: 1, "Wet share."),
        ])

    /// What a setting that names several sounds looks like.
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
                            "How much louder it is."),
                    ])),
        ]), count: 1...1000)

    static let pluginNode = KeyTable(
        "an lv2 node",
        effectNode.keys + [
            KeyDescription("uri", .text(.filled), isRequired: true, "The plugin's URI."),
            KeyDescription(
                "ports", .map(.any, to: .text(.filled)),
                "Audio input port symbol to signal reference, in place of from."),
            KeyDescription("events", .text(.any), "The MIDI input that feeds its events."),
            KeyDescription(
                "isolate", .either([.toggle, .choice(["same-cycle"])]), default: false,
                "Whether the plugin runs in a process of its own."),
        ])

    /// Keys of a plugin's node of which only one may be there: both say what feeds it.
    static let exclusive = ["from", "ports"]

    /// For nodes whose type is not known: every key of any node.
    static let anyNode = KeyTable(
        "a node",
        pluginNode.keys.map { key in
            var key = key
            if key.name == "uri" { key.isRequired = false }
            return key
        })

    /// The type of nodes that are plugins.
    static let pluginType = "lv2"
    /// The setting of plugin nodes that names one of the plugin's presets.
    static let preset = SettingDescription(
        "preset", summary: "A preset of the plugin; the node's parameters go over it.", kind: .text)

    // MARK: Addresses

    /// What every node has beside its parameters.
    static let bypassName = "bypass"
    static let mixName = "mix"
    /// The wet share as a parameter.
    static let mixParameter = ParameterDescription(mixName, range: 0...1, default: 1)
    static let bypassParameter = ParameterDescription.toggle(bypassName)
}

extension Pipeline.SignalKind {
    static let allNames = [audio, midi].map(\.rawValue)
}
