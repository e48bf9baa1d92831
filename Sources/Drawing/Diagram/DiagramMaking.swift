package import Pipelines
internal import Processing

extension Diagram {
    /// Creates the diagram of a pipeline.
    package init(of pipeline: Pipeline, latencies: GraphLatencies) {
        self.init(
            title: pipeline.name, summary: pipeline.summary,
            cards: pipeline.inputCards + pipeline.nodeCards(latencies)
                + pipeline.outputCards(latencies),
            wires: Wiring(of: pipeline, latencies: latencies).wires,
            scenes: pipeline.scenes.enumerated().map { pipeline.listing(of: $1, place: $0) },
            bindings: pipeline.bindings.map { pipeline.listing(of: $0) },
            latency: latencies.totalText)
    }
}

extension Pipeline {
    fileprivate var inputCards: [Card] {
        inputs.enumerated().map { place, input in
            var card = Card(of: input)
            card.isOuter = outer?.inputs.contains(place) ?? false
            return card
        }
    }

    fileprivate func nodeCards(_ latencies: GraphLatencies) -> [Card] {
        nodes.enumerated().map { place, node in
            var card = Card(of: node, in: self, latency: latencies.text(ofNode: place))
            card.isOuter = isOuter(node: place)
            return card
        }
    }

    fileprivate func outputCards(_ latencies: GraphLatencies) -> [Card] {
        outputs.enumerated().map { place, output in
            var card = Card(
                of: output, in: self, causes: latencies.rows(ofOutput: place, self))
            card.isOuter = isOuter(output: place)
            return card
        }
    }
}

extension GraphLatencies {
    /// Returns a time as text, or an empty string for 0 frames.
    func textIfAny(_ frames: Int) -> String { frames > 0 ? text(frames: frames) : "" }

    /// Returns the own latency of a node as text, or an empty string without latency.
    fileprivate func text(ofNode place: Int) -> String {
        let text = textIfAny(nodes[place].ownFrames)
        return nodes[place].isSkipped && !text.isEmpty ? text + " if switched on" : text
    }

    /// Returns the nodes that make an output late, as rows of its card.
    fileprivate func rows(ofOutput place: Int, _ pipeline: Pipeline) -> [Card.Row] {
        guard causes.indices.contains(place) else { return [] }
        return causes[place].map { cause in
            Card.Row(
                label: "late by \(pipeline.nodes[cause.node].id)",
                value: "\(text(frames: cause.ownFrames)), without it "
                    + text(frames: cause.withoutFrames))
        }
    }

    /// The total latency as text, in milliseconds and frames.
    var totalText: String {
        guard totalFrames > 0 else { return "no latency" }
        let rate = Unit.hertz.text(of: sampleRate)
        return "latency \(text(frames: totalFrames)) (\(totalFrames) frames at \(rate))"
    }
}

extension Card {
    /// Creates the card of an input.
    init(of input: Pipeline.Input) {
        self.init(
            .input, name: input.name, label: Self.channelText(input.channels),
            channels: input.channels, notes: input.connect.filter { $0 != .nothing }.map(\.text))
    }

    /// Creates the card of an output.
    init(of output: Pipeline.Output, in pipeline: Pipeline, causes: [Row]) {
        self.init(
            .output, name: output.name, label: Self.channelText(output.channels),
            channels: output.channels,
            inlets: pipeline.feeds(of: output).map(\.inlet)
                + (output.events == nil ? [] : [Inlet(label: "events")]),
            rows: causes,
            notes: output.connect.filter { $0 != .nothing }.map(\.text)
                + (output.hasLimiter || output.kind == .midi ? [] : ["limiter off"]))
    }

    /// Creates the card of a node.
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

    /// The label of the node's type; if an effect's first parameter is a choice, such as a filter's
    /// shape, the chosen value is appended.
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

    /// The node's own parameters with values other than the defaults; strips are shown at their
    /// inlets.
    fileprivate var changedParameters: [Card.Row] {
        let shown = zip(description.parameters, values).dropFirst(leadingChoice == nil ? 0 : 1)
        return shown.filter { $0.defaultValue != $1 }.map { parameter, value in
            Card.Row(
                label: parameter.label, value: parameter.text(of: value),
                dial: parameter.dial(at: value), address: "\(id).\(parameter.name)")
        }
    }

    /// The settings in the file that differ from the defaults, in the order of the description.
    fileprivate var settingRows: [Card.Row] {
        description.settings.compactMap { setting in
            guard let value = settings[setting.name], value != setting.defaultValue else {
                return nil
            }
            return Card.Row(label: setting.name, value: setting.text(of: value))
        }
    }
}
