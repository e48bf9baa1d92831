internal import Pipelines

/// A pipeline, and what goes on sounding from the one that it takes the place of.
///
/// Behind the pipeline's own inputs, nodes and outputs stand those that leave: nodes are fed silence and ring out into
/// the places that their output had, outputs fade.
struct Splice {
    /// Everything: what stays and what comes, then what leaves.
    private(set) var pipeline: Pipeline
    /// How many of its nodes and outputs are the pipeline's own.
    let nodeCount: Int
    let outputCount: Int
    /// What fed the ends that were heard before; an end that is not here is new.
    private(set) var wires: [WireEnd: [Wire]] = [:]
    /// Whether there was something before.
    private(set) var hasPredecessor = false
    /// For each node the place that it had; nil where it is new.
    private(set) var formerPlaces: [Int?]

    /// A pipeline that takes nobody's place.
    init(of pipeline: Pipeline) {
        self.pipeline = pipeline
        nodeCount = pipeline.nodes.count
        outputCount = pipeline.outputs.count
        formerPlaces = Array(repeating: nil, count: nodeCount)
    }

    /// A pipeline in the place of another.
    ///
    /// - Parameters:
    ///   - new: What is to be played.
    ///   - old: What plays, with what rings out already behind its own.
    ///   - oldWires: What is heard in it.
    ///   - endedNodes: Places in `old` of nodes that are not heard any longer.
    ///   - endingNodes: Places of nodes that go away in any case.
    init(
        of new: Pipeline, after old: Pipeline, _ oldWires: [WireEnd: [Wire]],
        without endedNodes: Set<Int>, givingUp endingNodes: Set<Int>
    ) {
        self.init(of: new)
        hasPredecessor = true
        keepNodes(of: old, oldWires, without: endedNodes, givingUp: endingNodes)
        let inputs = keepInputs(of: old)
        let outputs = keepOutputs(of: old)
        let nodes = newPlaces
        for (end, former) in oldWires {
            guard let end = moved(end, nodes: nodes, outputs: outputs) else { continue }
            wires[end] = former.compactMap { wire in
                moved(wire.tap, nodes: nodes, inputs: inputs).map {
                    Wire(tap: $0, delayFrames: wire.delayFrames)
                }
            }
        }
        // A new node hears at once what it is fed; a new output was silent.
        for (place, output) in new.outputs.enumerated() {
            for channel in 0..<output.channels
            where wires[.output(place, channel: channel)] == nil {
                wires[.output(place, channel: channel)] = []
            }
        }
        dropLeavingTaps()
    }

    /// Whether a source is a node that is fed nothing any more.
    func ringsOut(_ source: Pipeline.Source) -> Bool {
        if case .node(let place) = source { place >= nodeCount } else { false }
    }

    /// Whether the node that had a place goes away.
    func isLeaving(formerPlace: Int) -> Bool {
        formerPlaces.dropFirst(nodeCount).contains(formerPlace)
    }

    /// Whether a source is a node that was not there before.
    func isNew(_ source: Pipeline.Source) -> Bool {
        if case .node(let place) = source { formerPlaces[place] == nil } else { false }
    }

    /// The new place of each node that had one.
    private var newPlaces: [Int: Int] {
        Dictionary(
            uniqueKeysWithValues: formerPlaces.enumerated().compactMap { place, former in
                former.map { ($0, place) }
            })
    }

    // MARK: What stays

    /// Finds the nodes that stay, and appends those that leave.
    ///
    /// A node stays unless the sound would then run in a circle while both ways through it are heard: so it is where
    /// two nodes have changed places. Such a node rings out, and a new one takes its place.
    private mutating func keepNodes(
        of old: Pipeline, _ oldWires: [WireEnd: [Wire]], without endedNodes: Set<Int>,
        givingUp endingNodes: Set<Int>
    ) {
        let candidates = pipeline.nodes.map { node in
            old.nodes.indices.first {
                !endedNodes.union(endingNodes).contains($0) && old.nodes[$0].goesOn(as: node)
            }
        }
        for (place, former) in candidates.enumerated() {
            guard let former, !formerPlaces.contains(former) else { continue }
            formerPlaces[place] = former
            if !hasOrder(with: oldWires) { formerPlaces[place] = nil }
        }
        for former in old.nodes.indices
        where !endedNodes.contains(former) && !formerPlaces.contains(former) {
            var node = old.nodes[former]
            node.events = nil
            pipeline.nodes.append(node)
            formerPlaces.append(former)
        }
    }

    /// Whether no sound runs in a circle if all that was heard is heard as well.
    private func hasOrder(with oldWires: [WireEnd: [Wire]]) -> Bool {
        let places = newPlaces
        var feeders = pipeline.nodes.map(\.feeders)
        // Nodes that leave count from here on.
        func place(_ former: Int) -> Int { places[former] ?? pipeline.nodes.count + former }
        for (end, former) in oldWires {
            guard case .node(let node, _) = end else { continue }
            while feeders.count <= place(node) { feeders.append([]) }
            feeders[place(node)] += former.compactMap { wire in
                if case .node(let source) = wire.tap.source { place(source) } else { nil }
            }
        }
        let count = (feeders.joined().max() ?? 0) + 1
        while feeders.count < count { feeders.append([]) }
        return processingOrder(feeders: feeders) != nil
    }

    private mutating func keepInputs(of old: Pipeline) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for (former, input) in old.inputs.enumerated() {
            if let place = pipeline.inputs.firstIndex(where: {
                $0.name == input.name && $0.kind == input.kind
            }) {
                places[former] = place
                pipeline.inputs[place].channels = max(
                    pipeline.inputs[place].channels, input.channels)
            } else if input.kind == .audio {
                places[former] = pipeline.inputs.count
                pipeline.inputs.append(input)
            }
        }
        return places
    }

    private mutating func keepOutputs(of old: Pipeline) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for (former, output) in old.outputs.enumerated() where output.kind == .audio {
            if let place = pipeline.outputs.firstIndex(where: {
                $0.name == output.name && $0.kind == output.kind
            }) {
                places[former] = place
                pipeline.outputs[place].channels = max(
                    pipeline.outputs[place].channels, output.channels)
            } else {
                places[former] = pipeline.outputs.count
                pipeline.outputs.append(output)
            }
        }
        return places
    }

    // MARK: What moves

    private func moved(
        _ end: WireEnd, nodes: [Int: Int], outputs: [Int: Int]
    ) -> WireEnd? {
        switch end {
        case .node(let former, let input): nodes[former].map { .node($0, input: input) }
        case .output(let former, let channel):
            outputs[former].map { .output($0, channel: channel) }
        }
    }

    private func moved(
        _ tap: Pipeline.Tap, nodes: [Int: Int], inputs: [Int: Int]
    ) -> Pipeline.Tap? {
        switch tap.source {
        case .node(let former):
            nodes[former].map { Pipeline.Tap(.node($0), channel: tap.channel) }
        case .input(let former):
            inputs[former].map { Pipeline.Tap(.input($0), channel: tap.channel) }
        }
    }

    /// What leaves takes only what it took before, by its wires; its own taps are places of another pipeline.
    private mutating func dropLeavingTaps() {
        for place in pipeline.nodes.indices.dropFirst(nodeCount) {
            let mains = (wires.filter { $0.key.isInput(ofNode: place) }).reduce(into: [:]) {
                $0[$1.key] = $1.value.first?.tap
            }
            var input = 0
            for instance in pipeline.nodes[place].instances.indices {
                for channel in pipeline.nodes[place].instances[instance].indices {
                    pipeline.nodes[place].instances[instance][channel] =
                        mains[.node(place, input: input)] ?? nil
                    input += 1
                }
            }
        }
        for place in pipeline.outputs.indices.dropFirst(outputCount) {
            pipeline.outputs[place].taps = []
        }
    }
}

extension WireEnd {
    fileprivate func isInput(ofNode place: Int) -> Bool {
        if case .node(place, _) = self { true } else { false }
    }
}

extension Pipeline.Node {
    /// Whether another node may take over this one's processors with all that they hold: only values, feeds of the same
    /// number and side paths differ.
    fileprivate func goesOn(as other: Pipeline.Node) -> Bool {
        id == other.id && type == other.type && settings == other.settings
            && isolation == other.isolation && outputChannels == other.outputChannels
            && instances.map(\.count) == other.instances.map(\.count) && strips == other.strips
            && parameters == other.parameters && description == other.description
    }

    /// Places of the nodes that feed it.
    var feeders: [Int] {
        instances.joined().compactMap { tap in
            if case .node(let place)? = tap?.source { place } else { nil }
        }
    }
}
