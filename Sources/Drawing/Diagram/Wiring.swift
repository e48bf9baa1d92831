internal import Pipelines
internal import Processing

/// The wires of a pipeline's diagram, in the order of their destinations.
struct Wiring {
    private let pipeline: Pipeline
    private let latencies: GraphLatencies

    init(of pipeline: Pipeline, latencies: GraphLatencies) {
        self.pipeline = pipeline
        self.latencies = latencies
    }

    var wires: [Wire] {
        let toNodes = pipeline.nodes.indices.flatMap { wires(toNode: $0) }
        return toNodes + pipeline.outputs.indices.flatMap { wires(toOutput: $0) }
    }

    private func wires(toNode place: Int) -> [Wire] {
        let node = pipeline.nodes[place]
        let feeds = pipeline.feeds(of: node)
        let card = pipeline.inputs.count + place
        var wires = feeds.enumerated().map { inlet, feed in
            wire(
                feed, to: card, inlet: inlet, arrivingAt: latencies.nodes[place].inputFrames,
                isUnaligned: node.unalignedInputs.contains(feed.firstInput),
                isOff: node.offInputs.contains(feed.firstInput))
        }
        if let events = node.events {
            wires.append(Wire(from: events, to: card, inlet: feeds.count, channels: 0))
        }
        return wires
    }

    private func wires(toOutput place: Int) -> [Wire] {
        let card = pipeline.inputs.count + pipeline.nodes.count + place
        if let events = pipeline.outputs[place].events {
            return [Wire(from: pipeline.inputs.count + events, to: card, inlet: 0, channels: 0)]
        }
        return pipeline.feeds(of: pipeline.outputs[place]).enumerated().map { inlet, feed in
            wire(
                feed, to: card, inlet: inlet, arrivingAt: latencies.outputFrames[place],
                isUnaligned: pipeline.outputs[place].unalignedChannels.contains(feed.firstInput),
                isOff: false)
        }
    }

    /// Returns the wire of a feed; its alignment is the latency at the destination minus the
    /// latency at the source.
    private func wire(
        _ feed: Feed, to card: Int, inlet: Int, arrivingAt needed: Int, isUnaligned: Bool,
        isOff: Bool
    ) -> Wire {
        let left = framesAfter(feed.source)
        var wire = Wire(
            from: place(of: feed.source), to: card, inlet: inlet,
            channels: Set(feed.sourceChannels).count, selection: selection(of: feed),
            latency: latencies.textIfAny(left))
        if isUnaligned, left != needed {
            let side = left > needed ? "late" : "early"
            wire.lag = "not aligned: \(latencies.text(frames: abs(left - needed))) \(side)"
        } else if isOff, left > needed {
            wire.lag = "off: \(latencies.text(frames: left - needed)) late if switched on"
        } else {
            wire.alignment = latencies.textIfAny(needed - left)
        }
        return wire
    }

    private func place(of source: Pipeline.Source) -> Int {
        switch source {
        case .input(let place): place
        case .node(let place): pipeline.inputs.count + place
        }
    }

    private func framesAfter(_ source: Pipeline.Source) -> Int {
        switch source {
        case .input: 0
        case .node(let place): latencies.nodes[place].outputFrames
        }
    }

    /// Returns the names of the channels, or an empty string if they are all channels of the source
    /// in order.
    private func selection(of feed: Feed) -> String {
        let taken = feed.sourceChannels
        var distinct: [Int] = []
        for channel in taken where !distinct.contains(channel) { distinct.append(channel) }
        guard distinct != Array(0..<channelCount(of: feed.source)) else { return "" }
        return distinct.map { channelName($0, of: feed.source) }.joined(separator: ", ")
    }

    private func channelCount(of source: Pipeline.Source) -> Int {
        switch source {
        case .input(let place): pipeline.inputs[place].channels
        case .node(let place): pipeline.nodes[place].outputChannels
        }
    }

    private func channelName(_ channel: Int, of source: Pipeline.Source) -> String {
        guard case .node(let place) = source, pipeline.nodes[place].instances.count == 1,
            case .ports(_, let outputs) = pipeline.nodes[place].description.channels,
            outputs.indices.contains(channel)
        else { return "ch \(channel + 1)" }
        return outputs[channel].label
    }
}
