internal import Pipelines
internal import Processing

/// A pipeline, together with the parts of the previous pipeline that ring out or fade.
///
/// The parts that leave come after the pipeline's own inputs, nodes and outputs. Nodes that leave
/// receive silence and ring out through their former connections; outputs that leave fade.
struct Splice {
    /// The whole graph: the parts that stay or are new, then those that leave.
    private(set) var pipeline: Pipeline
    /// The numbers of nodes and outputs that are the pipeline's own.
    let nodeCount: Int
    let outputCount: Int
    /// The previous wires of each end that existed before; an end that is missing here is new.
    private(set) var wires: [WireEnd: [Wire]] = [:]
    /// Whether there was a previous pipeline.
    private(set) var hasPredecessor = false
    /// Whether the pipeline is another song than the previous one; both have the same outer level.
    private(set) var isSongChange = false
    /// The number of the previous pipeline's own nodes, without those that rang out.
    private var formerNodeCount = 0
    /// The longest time for which the parts that leave ring out, in seconds.
    private(set) var tailSeconds: Double
    /// The previous index of each node; `nil` if the node is new.
    private(set) var formerIndices: [Int?]

    /// Creates a splice for a pipeline that replaces none.
    init(of pipeline: Pipeline) {
        self.pipeline = pipeline
        tailSeconds = pipeline.tailSeconds
        nodeCount = pipeline.nodes.count
        outputCount = pipeline.outputs.count
        formerIndices = Array(repeating: nil, count: nodeCount)
    }

    /// Creates a splice for a pipeline that replaces another.
    ///
    /// - Parameters:
    ///   - new: The pipeline to run.
    ///   - old: The current pipeline, followed by the parts that already ring out.
    ///   - ownCount: The number of nodes of `old` that do not ring out.
    ///   - oldWires: The audible wires of `old`.
    ///   - endedNodes: Indices in `old` of nodes that are no longer audible.
    ///   - endingNodes: Indices in `old` of nodes that leave in any case.
    ///   - catalogue: The effects; their rules say which changes of settings a node follows.
    ///   - isSongChange: Whether the pipeline is another song; then only outer nodes stay.
    init(
        of new: Pipeline, after old: Pipeline, ownCount: Int, _ oldWires: [WireEnd: [Wire]],
        without endedNodes: Set<Int>, givingUp endingNodes: Set<Int>, catalogue: Catalogue,
        isSongChange: Bool = false
    ) {
        self.init(of: new)
        hasPredecessor = true
        self.isSongChange = isSongChange
        formerNodeCount = ownCount
        var leaving = endedNodes.union(endingNodes)
        if isSongChange {
            leaving.formUnion(0..<old.songNodeCount)
            tailSeconds = old.tailSeconds
        }
        let candidates = candidates(in: old, without: leaving, catalogue)
        keepNodes(of: old, oldWires, candidates, without: endedNodes)
        let inputs = keepInputs(of: old)
        let outputs = keepOutputs(of: old)
        let nodes = newIndices
        for (end, former) in oldWires {
            guard let end = moved(end, nodes: nodes, outputs: outputs) else { continue }
            wires[end] = former.compactMap { wire in
                moved(wire.tap, nodes: nodes, inputs: inputs).map {
                    Wire(
                        tap: $0, delayFrames: wire.delayFrames, gain: wire.gain,
                        level: isSongChange && wire.level == .own ? .former : wire.level)
                }
            }
        }
        // A new node receives its input at once; a new output was silent before.
        for (index, output) in new.outputs.enumerated() {
            for channel in 0..<output.channels
            where wires[.output(index, channel: channel)] == nil {
                wires[.output(index, channel: channel)] = []
            }
        }
        dropLeavingTaps()
    }

    /// Returns whether a source is a node that rings out.
    func ringsOut(_ source: Pipeline.Source) -> Bool {
        if case .node(let index) = source { index >= nodeCount } else { false }
    }

    /// Returns whether the tail of a node ends now, because it rang out already when a song began, or
    /// because it gives way to its cheaper variant.
    func endsTail(ofNode index: Int) -> Bool {
        guard index >= nodeCount, let former = formerIndices[index] else { return false }
        return isSongChange ? former >= formerNodeCount : isReplacedByVariant(index)
    }

    /// Returns whether a node that leaves gives way to its cheaper variant: the machine has no time
    /// for both.
    private func isReplacedByVariant(_ index: Int) -> Bool {
        let node = pipeline.nodes[index]
        guard node.whenLate != nil, !node.isReduced else { return false }
        return pipeline.nodes.prefix(nodeCount).contains { $0.id == node.id && $0.isReduced }
    }

    /// The previous indices of the nodes that leave.
    var leavingFormerIndices: Set<Int> {
        Set(formerIndices.dropFirst(nodeCount).compactMap { $0 })
    }

    /// Returns whether a source is a node that did not exist before.
    func isNew(_ source: Pipeline.Source) -> Bool {
        if case .node(let index) = source { formerIndices[index] == nil } else { false }
    }

    /// The new index of each node that existed before.
    private var newIndices: [Int: Int] {
        Dictionary(
            uniqueKeysWithValues: formerIndices.enumerated().compactMap { index, former in
                former.map { ($0, index) }
            })
    }

    // MARK: Nodes and signals that stay

    /// Returns for each node the index in `old` of the node that can continue as it.
    private func candidates(
        in old: Pipeline, without leaving: Set<Int>, _ catalogue: Catalogue
    ) -> [Int?] {
        // A node that rings out may have the same id as one that plays.
        let remaining = Dictionary(
            grouping: old.nodes.indices.filter { !leaving.contains($0) }
        ) { old.nodes[$0].id }
        return pipeline.nodes.map { node in
            remaining[node.id]?.first { former in
                old.nodes[former].canContinue(as: node, catalogue)
            }
        }
    }

    /// Finds the nodes that stay, and appends those that leave.
    ///
    /// A node stays unless its old and new wires together would form a loop, as when two nodes have
    /// changed places. Such a node rings out, and a new node takes over from it.
    ///
    /// - Parameters:
    ///   - old: The previous pipeline.
    ///   - oldWires: The audible wires of `old`.
    ///   - candidates: For each new node, the index in `old` of the node that can continue as it.
    ///   - endedNodes: Indices in `old` of nodes that are no longer audible.
    private mutating func keepNodes(
        of old: Pipeline, _ oldWires: [WireEnd: [Wire]], _ candidates: [Int?],
        without endedNodes: Set<Int>
    ) {
        // The wires of nodes that have rung out have higher indices; nothing feeds them any more.
        var formerFeeders = [[Int]](repeating: [], count: old.nodes.count)
        for (end, wires) in oldWires {
            guard case .node(let node, _) = end, node < old.nodes.count else { continue }
            formerFeeders[node] += wires.compactMap { wire in
                if case .node(let source) = wire.tap.source, source < old.nodes.count {
                    source
                } else {
                    nil
                }
            }
        }
        var decision = KeptNodes(
            feeders: pipeline.nodes.map(\.feeders), formerFeeders: formerFeeders,
            candidates: candidates)
        formerIndices = decision.decide()
        let kept = Set(formerIndices.compactMap { $0 })
        for former in old.nodes.indices
        where !endedNodes.contains(former) && !kept.contains(former) {
            var node = old.nodes[former]
            node.events = nil
            pipeline.nodes.append(node)
            formerIndices.append(former)
        }
    }

    private mutating func keepInputs(of old: Pipeline) -> [Int: Int] {
        var indices: [Int: Int] = [:]
        let present = Dictionary(
            pipeline.inputs.enumerated().map { ($1.name, $0) }
        ) { first, _ in first }
        for (former, input) in old.inputs.enumerated() {
            if let index = present[input.name], pipeline.inputs[index].kind == input.kind {
                indices[former] = index
                pipeline.inputs[index].channels = max(
                    pipeline.inputs[index].channels, input.channels)
            } else if input.kind == .audio {
                indices[former] = pipeline.inputs.count
                pipeline.inputs.append(input)
            }
        }
        return indices
    }

    private mutating func keepOutputs(of old: Pipeline) -> [Int: Int] {
        var indices: [Int: Int] = [:]
        let present = Dictionary(
            pipeline.outputs.enumerated().map { ($1.name, $0) }
        ) { first, _ in first }
        for (former, output) in old.outputs.enumerated() where output.kind == .audio {
            if let index = present[output.name], pipeline.outputs[index].kind == output.kind {
                indices[former] = index
                pipeline.outputs[index].channels = max(
                    pipeline.outputs[index].channels, output.channels)
            } else {
                indices[former] = pipeline.outputs.count
                pipeline.outputs.append(output)
            }
        }
        return indices
    }

    // MARK: New indices of ends and taps

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

    /// Parts that leave keep only the taps of their previous wires; their own taps contain indices
    /// of the previous pipeline.
    private mutating func dropLeavingTaps() {
        for index in pipeline.nodes.indices.dropFirst(nodeCount) {
            var input = 0
            for instance in pipeline.nodes[index].instances.indices {
                for channel in pipeline.nodes[index].instances[instance].indices {
                    pipeline.nodes[index].instances[instance][channel] =
                        wires[.node(index, input: input)]?.first?.tap
                    input += 1
                }
            }
        }
        for index in pipeline.outputs.indices.dropFirst(outputCount) {
            pipeline.outputs[index].taps = []
        }
    }
}

extension Pipeline.Node {
    /// Returns whether another node may take over this node's processors and their state.
    ///
    /// The nodes may differ only in values, bypass, mix, MIDI input, the sandbox folder, the sources
    /// of their inputs, and settings whose change the effect's rule allows. A node that was paused has
    /// an old state, so it does not run again.
    fileprivate func canContinue(as other: Pipeline.Node, _ catalogue: Catalogue) -> Bool {
        (!isPaused || other.isPaused) && follows(other.playedSettings, catalogue)
            && hasSameShape(as: other)
    }

    /// Returns whether another node may differ only in settings, values, bypass, mix, MIDI input,
    /// the sandbox folder, and the sources of its inputs.
    func hasSameShape(as other: Pipeline.Node) -> Bool {
        id == other.id && type == other.type
            && isStandIn == other.isStandIn && isolation == other.isolation
            && (sandbox == .off) == (other.sandbox == .off)
            && outputChannels == other.outputChannels
            && instances.map(\.count) == other.instances.map(\.count) && strips == other.strips
            && parameters == other.parameters && description == other.description
    }

    /// Returns whether the node's processors can continue with other settings; a stand-in has none
    /// that could follow them.
    private func follows(_ changed: [String: SettingValue], _ catalogue: Catalogue) -> Bool {
        playedSettings == changed
            || !isStandIn && type.settingsRule(catalogue)?.allows(playedSettings, changed) == true
    }

    /// The indices of the nodes that feed this node.
    var feeders: [Int] {
        instances.joined().compactMap { tap in
            if case .node(let index)? = tap?.source { index } else { nil }
        }
    }
}

extension Pipeline.NodeType {
    /// Returns the rule for changes of settings; `nil` for plugins, and for effects without a rule.
    func settingsRule(_ catalogue: Catalogue) -> SettingsRule? {
        if case .effect(let name) = self { catalogue.effect(name)?.settingsRule } else { nil }
    }
}
