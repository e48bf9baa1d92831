internal import Processing

/// Effects and plugins that exist for these tests alone: descriptions of every kind, and processors that are never made.
enum FakeCatalogue {
    static let catalogue = Catalogue(
        effects: [gain, mixer, filter, delay, recorder].map { description in
            Effect(description: description) { _ in fatalError("no test here plays") }
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
        ])
}
