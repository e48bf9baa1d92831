internal import Processing

/// Plugins that have only descriptions.
struct FakePlugins: PluginSource {
    func description(ofPlugin uri: String) throws(PluginError) -> NodeDescription {
        if uri == "urn:fake:broken" { throw PluginError("its library cannot be opened") }
        guard let found = Self.all.first(where: { $0.name == uri }) else {
            throw PluginError("there is no plugin \"\(uri)\"", isMissing: true)
        }
        return found
    }

    func installedPlugins() -> [String] { Self.all.map(\.name) }

    func plugins(named name: String) -> [String] {
        if name == "Twins" { return ["urn:fake:amp", "urn:fake:sum"] }
        return Self.all.filter { $0.label.lowercased() == name.lowercased() }.map(\.name)
    }

    func hasPlugins(matching word: String) -> Bool {
        Self.all.contains { $0.label.lowercased().contains(word.lowercased()) }
    }

    func parameters(
        ofPreset preset: String, ofPlugin uri: String
    ) throws(PluginError) -> [String: Float] {
        if preset == "Flood" { return ["decay": 50, "taps": 17] }
        guard preset == "Hall" else {
            throw PluginError("there is no preset \"\(preset)\"; there is \"Hall\"")
        }
        return ["decay": 5, "taps": 7, "unheard-of": 1]
    }

    func makeProcessor(
        forPlugin uri: String, _ request: ProcessorRequest
    ) throws(PluginError) -> Processor {
        throw PluginError("no test here plays")
    }

    private static let all = [amp, reverb, sum, compressor, needy, synth, duck, sink, arp, blender]

    private static func ports(
        _ inputs: [String], _ outputs: [String], optional: [String] = []
    ) -> ChannelRule {
        .ports(
            inputs: inputs.map { PortDescription(symbol: $0, label: $0) }
                + optional.map { PortDescription(symbol: $0, label: $0, isOptional: true) },
            outputs: outputs.map { PortDescription(symbol: $0, label: $0) })
    }

    private static let amp = NodeDescription(
        name: "urn:fake:amp", label: "Amp", summary: "One in, one out.",
        channels: ports(["in"], ["out"]),
        parameters: [
            ParameterDescription("gain", unit: .decibels, range: -90...24, default: 0)
        ])

    private static let reverb = NodeDescription(
        name: "urn:fake:reverb", label: "Reverb", summary: "Two in, two out.",
        channels: ports(["in_l", "in_r"], ["out_l", "out_r"]),
        parameters: [
            ParameterDescription("decay", unit: .seconds, range: 0.1...15, default: 1.5),
            ParameterDescription(
                "room",
                kind: .choice([.init("Small", 0), .init("Large", 2), .init("Huge", 2.5)]),
                range: 0...2.5, default: 0),
            ParameterDescription("taps", kind: .integer, range: 1...16, default: 4),
            .toggle("freeze"),
            ParameterDescription(
                "damp", unit: .hertz, kind: .continuous(.logarithmic), range: 0.001...0.5,
                default: 6000, rangeScalesWithRate: true),
        ])

    private static let blender = NodeDescription(
        name: "urn:fake:blender", label: "Blender", summary: "Parameters named like ours.",
        channels: ports(["in"], ["out"]),
        parameters: [
            ParameterDescription("mix", unit: .percent, range: 0...100, default: 50),
            .toggle("bypass"), ParameterDescription("speed", range: 0...9, default: 1),
        ])

    private static let sum = NodeDescription(
        name: "urn:fake:sum", label: "Sum", summary: "Two in, one out.",
        channels: ports(["a", "b"], ["out"]))

    private static let compressor = NodeDescription(
        name: "urn:fake:compressor", label: "Compressor", summary: "With a side chain.",
        channels: ports(["in_l", "in_r"], ["out_l", "out_r"], optional: ["sc_l", "sc_r"]))

    private static let duck = NodeDescription(
        name: "urn:fake:duck", label: "Duck", summary: "Three in, three out.",
        channels: ports(["a", "b", "c"], ["x", "y", "z"]))

    private static let sink = NodeDescription(
        name: "urn:fake:sink", label: "Sink", summary: "Two in, none out.",
        channels: ports(["in_l", "in_r"], []))

    private static let needy = NodeDescription(
        name: "urn:fake:needy", label: "Needy", summary: "Needs much.",
        channels: ports(["in"], ["out"]), missingFeatures: ["urn:feature:worker", "urn:feature:ui"])

    private static let arp = NodeDescription(
        name: "urn:fake:arp", label: "Arp", summary: "Plays others' notes.",
        channels: ports([], []), receivesEvents: true, sendsEvents: true)

    private static let synth = NodeDescription(
        name: "urn:fake:synth", label: "Synth", summary: "Plays notes.",
        channels: ports([], ["out_l", "out_r"]), receivesEvents: true)
}
