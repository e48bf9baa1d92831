internal import Processing

/// Effects and plugins for these tests: descriptions of every kind, and processors that are never
/// made.
enum FakeCatalogue {
    static let catalogue = Catalogue(
        effects: [gain, mixer, filter, delay, recorder, player].map { description in
            Effect(description: description, inspect: inspect) { _ in
                fatalError("no test here plays")
            }
        }, plugins: FakePlugins())

    private static let gainParameter = ParameterDescription(
        "gain", summary: "Level.", unit: .decibels, range: -120...24, default: 0)

    static let gain = NodeDescription(
        name: "gain", label: "Gain", summary: "Changes the level.",
        parameters: [
            gainParameter, ParameterDescription("pan", range: -1...1, default: 0),
            .toggle("mute"), .toggle("invert"),
        ])

    static let mixer = NodeDescription(
        name: "mixer", label: "Mixer", summary: "Sums strips.", channels: .mixer,
        parameters: [gainParameter],
        stripParameters: [
            gainParameter, ParameterDescription("pan", range: -1...1, default: 0),
            .toggle("mute"), .toggle("solo"), .toggle("invert"),
        ],
        settings: [
            SettingDescription("channels", summary: "Width.", kind: .integer(1...64)),
            SettingDescription(
                "pan-law", unit: .decibels, kind: .numberChoice([-3, -4.5, -6, 0]),
                default: .number(-3)),
        ])

    static let filter = NodeDescription(
        name: "filter", label: "Filter", summary: "Shapes the spectrum.",
        parameters: [
            .choice("shape", of: ["highpass", "lowpass", "bandpass", "notch", "peak"]),
            ParameterDescription(
                "frequency", unit: .hertz, kind: .continuous(.logarithmic), range: 10...20_000,
                default: 1000),
            ParameterDescription("gain", unit: .decibels, range: -36...36, default: 0),
            ParameterDescription(
                "q", kind: .continuous(.logarithmic), range: 0.1...40, default: 0.7071),
            ParameterDescription("order", kind: .integer, range: 1...8, default: 2),
        ])

    static let delay = NodeDescription(
        name: "delay", label: "Delay", summary: "Echoes.",
        parameters: [
            ParameterDescription("time", unit: .seconds, range: 0...10, default: 0.25),
            ParameterDescription("feedback", range: 0...0.99, default: 0.3),
        ],
        settings: [SettingDescription("maximum", unit: .seconds, kind: .number(0...10))])

    static let recorder = NodeDescription(
        name: "recorder", label: "Recorder", summary: "Writes a file.",
        parameters: [.toggle("recording")],
        settings: [
            SettingDescription("file", kind: .path),
            SettingDescription(
                "format", kind: .choice(["wav", "flac", "ogg"]), default: .text("wav")),
            SettingDescription("bits", kind: .numberChoice([16, 24, 32]), default: .number(24)),
            SettingDescription("dither", kind: .toggle, default: .toggle(false)),
            SettingDescription("title", kind: .text),
            SettingDescription("take", kind: .newPath),
        ])

    static let player = NodeDescription(
        name: "player", label: "Player", summary: "Plays files.", channels: .source,
        parameters: [
            gainParameter,
            ParameterDescription("rate", unit: .ratio, range: 0.25...4, default: 1),
            .toggle("playing", default: true), .toggle("loop"),
            .trigger("trigger", label: "trigger", summary: "Starts."),
            ParameterDescription("item", kind: .integer, range: 0...10_000, default: 0),
        ],
        settings: [
            SettingDescription("file", kind: .path), SettingDescription("files", kind: .playlist),
            SettingDescription("url", kind: .url),
            SettingDescription("channels", kind: .integer(1...64)),
        ], requiredSettings: ["file", "files", "url"], hasEnd: true)

    /// Returns facts: every sound has two channels and lasts three seconds, unless its name
    /// contains "gone".
    @Sendable
    private static func inspect(
        _ settings: [String: SettingValue]
    ) throws(SettingError) -> SettingFacts {
        if let path = settings["file"]?.text, path.contains("gone") {
            throw SettingError("file", .file, "cannot read '\(path)': No such file or directory")
        }
        for (index, item) in (settings["files"]?.playlist ?? []).enumerated()
        where item.path.contains("gone") {
            throw SettingError(
                "files", item: index, .file, "cannot read '\(item.path)': it is gone")
        }
        return SettingFacts(outputChannels: 2, durationSeconds: 3)
    }
}
