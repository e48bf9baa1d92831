internal import LV2
internal import Pipelines
internal import Processing

/// The page about an LV2 plugin, for people and for scripts.
struct PluginPage {
    let description: NodeDescription
    let summary: PluginSummary
    let presets: [PluginPreset]
    /// The result of the trial; `nil` if it could not be tried.
    let verdict: PluginVerdict?

    /// The page, without a line break at its end.
    var text: String {
        let parts = [
            heading,
            NodePage.section("Audio inputs", inputs.map(\.row)),
            NodePage.section("Audio outputs", outputs.map(\.row)),
            NodePage.section(
                "Parameters, which can change while it runs", description.parameters.map(\.row)),
            NodePage.section("Settings, fixed while it runs", description.settings.map(\.row)),
            NodePage.section("Reports", description.allReports.map(\.row)),
            NodePage.section("Presets", presets.map { [$0.label, $0.uri] }),
            "To paste into \"nodes\":\n\n" + node.indentedText,
        ]
        return parts.compactMap { $0 }.joined(separator: "\n\n")
    }

    /// The page for scripts, with the node to paste under `node`.
    var json: JSONValue {
        [
            "uri": .string(summary.uri), "name": .string(summary.name),
            "author": .string(summary.author), "category": .string(summary.category),
            "summary": .string(description.summary), "bundle": .string(summary.bundlePath),
            "missing_features": .array(summary.missingFeatures.map { .string($0) }),
            "inputs": .array(inputs.map(\.json)), "outputs": .array(outputs.map(\.json)),
            "takes_events": .bool(description.receivesEvents),
            "gives_events": .bool(description.sendsEvents), "verdict": verdict?.json ?? .null,
            "parameters": .array(description.parameters.map(\.portJSON)),
            "settings": .array(description.settings.map(\.json)),
            "reports": .array(description.allReports.map(\.json)),
            "presets": .array(
                presets.map { ["label": .string($0.label), "uri": .string($0.uri)] }),
            "node": node,
        ]
    }

    private var heading: String {
        let facts = [
            summary.name.printable, description.summary, summary.uri.printable,
            [summary.category, summary.author].filter { !$0.isEmpty }.joined(separator: ", by ")
                .printable,
            summary.bundlePath.printable,
            description.receivesEvents
                ? "Receives MIDI: set its \"events\" to an input of kind midi" : "",
            description.sendsEvents
                ? "Sends MIDI: set the \"from\" of an output of kind midi to it" : "",
            verdict.map { "Tried: \($0)" } ?? "",
            summary.missingFeatures.isEmpty
                ? "" : "Not usable: needs " + summary.missingFeatures.joined(separator: ", "),
            CrashWarning.text(ofPlugin: summary.uri) ?? "",
        ]
        return facts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var inputs: [PortDescription] {
        if case .ports(let inputs, _) = description.channels { inputs } else { [] }
    }

    private var outputs: [PortDescription] {
        if case .ports(_, let outputs) = description.channels { outputs } else { [] }
    }

    /// The node with all parameters at their defaults.
    private var node: JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(id)), .init("type", "lv2"), .init("uri", .string(summary.uri)),
        ]
        let parameters = description.parameters.map {
            JSONValue.Member($0.name, $0.json(of: $0.defaultValue))
        }
        if !parameters.isEmpty { members.append(.init("parameters", .object(parameters))) }
        return .object(members)
    }

    /// The plugin's name with hyphens for the characters that an id must not have.
    private var id: String {
        let words = summary.name.lowercased().split { !("a"..."z" ~= $0 || "0"..."9" ~= $0) }
        let id = words.joined(separator: "-")
        return id.first.map { "a"..."z" ~= $0 } == true ? id : "plugin"
    }
}

extension ParameterDescription {
    /// The members as for effects, and `times_sample_rate`: whether `minimum` and `maximum` are
    /// multiples of the sample rate.
    fileprivate var portJSON: JSONValue {
        guard case .object(let members) = json else { return json }
        return .object(members + [.init("times_sample_rate", .bool(rangeScalesWithRate))])
    }
}

extension PortDescription {
    /// The cells of a table row: the symbol, then the label.
    fileprivate var row: [String] {
        [
            symbol,
            label + (isControlVoltage ? "; control voltage" : "")
                + (isOptional ? "; may stay unconnected" : ""),
        ]
    }

    /// `{"symbol", "label", "optional", "control_voltage"}`.
    fileprivate var json: JSONValue {
        [
            "symbol": .string(symbol), "label": .string(label), "optional": .bool(isOptional),
            "control_voltage": .bool(isControlVoltage),
        ]
    }
}
