package import Pipelines
internal import Processing

extension Diagram {
    /// What is to be seen of a pipeline.
    package init(of pipeline: Pipeline, latencies: GraphLatencies) {
        self.init(
            title: pipeline.name, summary: pipeline.summary,
            cards: pipeline.inputs.map(Card.init(of:))
                + pipeline.nodes.enumerated().map { place, node in
                    Card(
                        of: node, in: pipeline,
                        latency: latencies.textIfAny(latencies.nodes[place].ownFrames))
                } + pipeline.outputs.map { Card(of: $0, in: pipeline) },
            wires: Wiring(of: pipeline, latencies: latencies).wires,
            scenes: pipeline.scenes.enumerated().map { pipeline.listing(of: $1, place: $0) },
            bindings: pipeline.bindings.map { pipeline.listing(of: $0) },
            latency: latencies.totalText)
    }
}

extension GraphLatencies {
    /// The time, or nothing for none.
    func textIfAny(_ frames: Int) -> String { frames > 0 ? text(frames: frames) : "" }

    /// All of the latency, in milliseconds and frames.
    var totalText: String {
        guard totalFrames > 0 else { return "no latency" }
        let rate = Unit.hertz.text(of: sampleRate)
        return "latency \(text(frames: totalFrames)) (\(totalFrames) frames at \(rate))"
    }
}

extension Card {
    /// An input.
    init(of input: Pipeline.Input) {
        self.init(
            .input, name: input.name, label: Self.channelText(input.channels),
            channels: input.channels, notes: input.connect.map(\.text))
    }

    /// An output.
    init(of output: Pipeline.Output, in pipeline: Pipeline) {
        self.init(
            .output, name: output.name, label: Self.channelText(output.channels),
            channels: output.channels,
            inlets: pipeline.feeds(of: output).map(\.inlet)
                + (output.events == nil ? [] : [Inlet(label: "events")]),
            notes: output.connect.map(\.text)
                + (output.hasLimiter || output.kind == .midi ? [] : ["limiter off"]))
    }

    /// A node.
    init(of node: Pipeline.Node, in pipeline: Pipeline, latency: String) {
        var inlets = pipeline.feeds(of: node).map(\.inlet)
        if node.events != nil { inlets.append(Inlet(label: "events")) }
        self.init(
            node.kind, name: node.id, label: node.typeText, channels: node.outputChannels,
            inlets: inlets, rows: node.changedParameters + node.settingRows,
            isBypassed: node.isBypassed, mix: Double(node.mix), latency: latency)
    }

    private static func channelText(_ channels: Int) -> String {
        switch channels {
        case 0: "MIDI"
        case 1: "mono"
        case 2: "stereo"
        default: "\(channels) channels"
        }
    }
}

extension Pipeline.Node {
    fileprivate var kind: Card.Kind {
        switch type {
        case .plugin: .plugin
        case .effect: strips.isEmpty ? .effect : .mixer
        }
    }

    /// What it is: for an effect that begins with a choice, as a filter with its shape, with what is chosen.
    fileprivate var typeText: String {
        guard let chosen = leadingChoice, let value = values.first else { return description.label }
        return "\(description.label) · \(chosen.text(of: value))"
    }

    private var leadingChoice: ParameterDescription? {
        guard case .effect = type, let first = description.parameters.first,
            case .choice = first.kind
        else { return nil }
        return first
    }

    /// The node's own parameters whose values aren't the defaults; strips are shown at their inlets.
    fileprivate var changedParameters: [Card.Row] {
        let shown = zip(description.parameters, values).dropFirst(leadingChoice == nil ? 0 : 1)
        return shown.filter { $0.defaultValue != $1 }.map { parameter, value in
            Card.Row(
                label: parameter.label, value: parameter.text(of: value),
                dial: parameter.dial(at: value))
        }
    }

    /// What the file sets, in the order of the description.
    fileprivate var settingRows: [Card.Row] {
        description.settings.compactMap { setting in
            guard let value = settings[setting.name], value != setting.defaultValue else {
                return nil
            }
            return Card.Row(label: setting.name, value: setting.text(of: value))
        }
    }
}

extension Pipeline.ConnectionRule {
    /// The rule as the file has it.
    fileprivate var text: String {
        switch self {
        case .port(let name): name
        case .pattern(let pattern): "/\(pattern)/"
        }
    }
}
