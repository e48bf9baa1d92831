import Drawing
import Pipelines
import Processing

/// A pipeline with one of every element that a drawing shows.
///
///     mic ─▶ cut ─┬───────────────────▶┐
///                 └▶ squash ◀ band:2   sum ─▶ main
///                      └▶ verb ───────▶┘
enum SamplePipeline {
    static let cut = NodeDescription(
        name: "filter", label: "Filter", summary: "",
        parameters: [
            .choice("shape", of: ["highpass", "lowpass"]),
            .init(
                "frequency", unit: .hertz, kind: .continuous(.logarithmic), range: 10...20_000,
                default: 1000),
            .init("gain", unit: .decibels, range: -36...36, default: 0),
        ])
    static let squash = NodeDescription(
        name: "urn:squash", label: "Squash & Co", summary: "",
        channels: .ports(
            inputs: [
                .init(symbol: "in", label: "Input"),
                .init(symbol: "sc", label: "Side chain", isOptional: true),
            ], outputs: [.init(symbol: "out", label: "Output")]),
        parameters: [.toggle("soft"), .init("time", unit: .seconds, range: 0...2, default: 1)],
        receivesEvents: true)
    static let verb = NodeDescription(
        name: "urn:verb", label: "Verb", summary: "",
        channels: .ports(
            inputs: [.init(symbol: "l", label: "Left"), .init(symbol: "r", label: "Right")],
            outputs: [.init(symbol: "ol", label: "Out L"), .init(symbol: "or", label: "Out R")]))
    static let mixer = NodeDescription(
        name: "mixer", label: "Mixer", summary: "", channels: .mixer,
        parameters: [.init("gain", unit: .decibels, range: -120...24, default: 0)],
        stripParameters: [
            .init("gain", unit: .decibels, range: -120...24, default: 0),
            .init("pan", range: -1...1, default: 0), .toggle("mute"),
        ],
        settings: [
            .init("pan-law", unit: .decibels, kind: .numberChoice([-3, 0]), default: .number(-3))
        ]
    )

    static let pipeline = Pipeline(
        name: "Sample", summary: "One of everything.",
        inputs: [
            .init(name: "mic", channels: 1, kind: .audio, connect: [.port("system:capture_1")]),
            .init(name: "band", channels: 2, kind: .audio, connect: [.pattern("loop:.*")]),
            .init(name: "control", channels: 0, kind: .midi, connect: []),
        ],
        outputs: [
            .init(
                name: "main", channels: 2, kind: .audio,
                taps: [.init(.node(3), channel: 0), .init(.node(3), channel: 1)],
                hasLimiter: false, connect: [])
        ],
        nodes: [cutNode, squashNode, verbNode, sumNode],
        scenes: [
            .init(
                name: "verse",
                changes: [
                    .init(address: .init(node: 2, target: .mix), value: 0.1),
                    .init(address: .init(node: 3, target: .parameter(1)), value: -6),
                ])
        ], initialScene: 0,
        bindings: [
            .init(
                trigger: .controller(11), channel: 3, port: nil,
                action: .move(
                    .node(.init(node: 0, target: .parameter(1))), from: 20, to: 2000,
                    curve: .logarithmic, mode: .absolute, takeover: .jump)),
            .init(trigger: .program(2), channel: nil, port: 2, action: .scene(0)),
            .init(trigger: .note(60), channel: nil, port: nil, action: .perform(.tapTempo)),
        ], tempo: 120, tailSeconds: 4)

    private static let cutNode = node(
        "cut", .effect("filter"), cut, [[.init(.input(0), channel: 0)]], outputs: 1,
        values: [0, 120, 0])
    private static let squashNode = node(
        "squash", .plugin("urn:squash"), squash,
        [[.init(.node(0), channel: 0), .init(.input(1), channel: 1)]], outputs: 1,
        values: [1, 0.25], events: 2)
    private static let verbNode = node(
        "verb", .plugin("urn:verb"), verb,
        [[.init(.node(1), channel: 0), .init(.node(1), channel: 0)]], outputs: 2, values: [],
        mix: 0.35)
    private static let sumNode = Pipeline.Node(
        id: "sum", type: .effect("mixer"), description: mixer,
        instances: [
            [.init(.node(0), channel: 0), .init(.node(2), channel: 0), .init(.node(2), channel: 1)]
        ], outputChannels: 2,
        strips: [.init(name: "cut", channels: 1), .init(name: "verb", channels: 2)],
        parameters: mixer.parameters + mixer.stripParameters + mixer.stripParameters,
        values: [0, -3, -0.3, 0, 0, 0, 1], settings: ["pan-law": .number(0)], isBypassed: false,
        mix: 1, isolation: .none, events: nil)

    private static func node(
        _ id: String, _ type: Pipeline.NodeType, _ description: NodeDescription,
        _ instances: [[Pipeline.Tap?]], outputs: Int, values: [Float], mix: Float = 1,
        events: Int? = nil
    ) -> Pipeline.Node {
        Pipeline.Node(
            id: id, type: type, description: description, instances: instances,
            outputChannels: outputs, strips: [], parameters: description.parameters,
            values: values, settings: [:], isBypassed: id == "squash", mix: mix, isolation: .none,
            events: events)
    }

    /// At 48 kHz the compressor has a latency of 1 ms and the reverb of 2 ms.
    static let latencies = GraphLatencies(
        sampleRate: 48_000,
        nodes: [
            .init(ownFrames: 0, inputFrames: 0), .init(ownFrames: 48, inputFrames: 0),
            .init(ownFrames: 96, inputFrames: 48), .init(ownFrames: 0, inputFrames: 144),
        ], outputFrames: [144])
}
