internal import Engine
internal import Pipelines
internal import Processing

// A box can come from anyone, and the engine trusts the indices in a checked pipeline. A pipeline
// that was read from a box is therefore checked again.

extension ScheduleRecipe {
    /// Whether all indices in the recipe exist.
    var isConsistent: Bool {
        pipeline.isConsistent && changes.allSatisfy(pipeline.has)
            && created.allSatisfy { index, node in
                pipeline.nodes.indices.contains(index) && node.isConsistent(in: pipeline)
                    && node.fits(pipeline.nodes[index])
            }
            && sentScenes.allSatisfy(pipeline.scenes.indices.contains) && hasValidScene
            && (1...(1 << 16)).contains(maximumFrames)
            && (1000...1_000_000).contains(sampleRate) && ports.isConsistent
            && ports.contain(pipeline)
    }

    private var hasValidScene: Bool {
        if case .scene(let index) = firstScene {
            pipeline.scenes.indices.contains(index)
        } else {
            true
        }
    }
}

extension EnginePorts {
    /// Whether all slots are within the limits of the engine, and none is used twice.
    fileprivate var isConsistent: Bool {
        [inputs, outputs].allSatisfy { signals in
            [Pipeline.SignalKind.audio, .midi].allSatisfy { kind in
                let slots = signals.filter { $0.kind == kind }.flatMap(\.slots)
                let limit = kind == .audio ? Self.maximumChannels : Self.maximumMessageSignals
                return Set(slots).count == slots.count
                    && slots.allSatisfy { (0..<limit).contains($0) }
            } && signals.allSatisfy { !$0.slots.isEmpty }
        }
    }

    /// Returns whether the ports already have all signals of a pipeline.
    fileprivate func contain(_ pipeline: Pipeline) -> Bool {
        var ports = self
        guard ports.add(pipeline) else { return false }
        return zip(ports.inputs + ports.outputs, inputs + outputs).allSatisfy {
            $0.name == $1.name && $0.slots.count == $1.slots.count
        } && ports.inputs.count == inputs.count && ports.outputs.count == outputs.count
    }
}

extension Pipeline {
    /// Whether all indices in the pipeline exist, and all numbers are in their ranges.
    fileprivate var isConsistent: Bool {
        hasConsistentSignals && nodes.allSatisfy { $0.isConsistent(in: self) }
            && hasConsistentOrder && scenes.allSatisfy(isConsistent)
            && initialScene.map(scenes.indices.contains) ?? true
            && bindings.allSatisfy(isConsistent) && messages.allSatisfy(isConsistent)
            && (0...60).contains(tailSeconds) && (1...10_000).contains(tempo)
            && outer.map(isConsistent) ?? true
    }

    private var hasConsistentSignals: Bool {
        inputs.allSatisfy {
            $0.kind == .midi ? $0.channels == 0 : (1...64).contains($0.channels)
        }
            && outputs.allSatisfy { output in
                (output.kind == .midi ? output.channels == 0 : (1...64).contains(output.channels))
                    && output.taps.count == output.channels
                    && output.taps.allSatisfy { $0.map(has) ?? true }
                    && output.events.map(nodes.indices.contains) ?? true
            }
    }

    /// Whether no node feeds itself.
    private var hasConsistentOrder: Bool {
        var waiting = Set(nodes.indices)
        while !waiting.isEmpty {
            let ready = waiting.filter { index in
                nodes[index].instances.joined().allSatisfy { tap in
                    if case .node(let source)? = tap?.source {
                        !waiting.contains(source)
                    } else {
                        true
                    }
                }
            }
            guard !ready.isEmpty else { return false }
            waiting.subtract(ready)
        }
        return true
    }

    private func isConsistent(_ scene: Scene) -> Bool {
        scene.changes.allSatisfy(has)
            && scene.settings.allSatisfy { nodes.indices.contains($0.node) }
            && scene.messages.allSatisfy(isConsistent)
            && scene.fades.ownSeconds.keys.allSatisfy(has)
            && (scene.cue.follow.map { follow in
                let hasStart =
                    switch follow.start {
                    case .after(let seconds): (0...86_400).contains(seconds)
                    case .endOfNode(let node): nodes.indices.contains(node)
                    }
                return hasStart && scenes.indices.contains(follow.scene)
            } ?? true)
    }

    private func isConsistent(_ message: Message) -> Bool {
        outputs.indices.contains(message.output) && outputs[message.output].kind == .midi
            && (2...Message.maximumBytes).contains(message.bytes.count)
    }

    private func isConsistent(_ binding: Binding) -> Bool {
        guard binding.port.map(inputs.indices.contains) ?? true,
            binding.channel.map({ (1...16).contains($0) }) ?? true
        else { return false }
        switch binding.action {
        case .move(.node(let address), _, _, _, _, _), .cycle(.node(let address), _):
            return has(address)
        case .move, .cycle, .perform, .song: return true
        case .scene(let index): return scenes.indices.contains(index)
        case .cycleScenes(let indices): return indices.allSatisfy(scenes.indices.contains)
        case .cue(let cue):
            return nodes.indices.contains(cue.node)
                && nodes[cue.node].values.indices.contains(cue.itemParameter)
                && nodes[cue.node].values.indices.contains(cue.startParameter)
        }
    }

    private func isConsistent(_ outer: OuterLevel) -> Bool {
        (0...nodes.count).contains(outer.firstNode)
            && outer.inputs.allSatisfy(inputs.indices.contains)
            && outer.outputs.allSatisfy(outputs.indices.contains)
    }

    /// Returns whether the pipeline has a channel.
    fileprivate func has(_ tap: Tap) -> Bool {
        switch tap.source {
        case .input(let index):
            inputs.indices.contains(index) && (0..<inputs[index].channels).contains(tap.channel)
        case .node(let index):
            nodes.indices.contains(index)
                && (0..<nodes[index].outputChannels).contains(tap.channel)
        }
    }

    /// Returns whether the pipeline has an address.
    fileprivate func has(_ address: Address) -> Bool {
        guard nodes.indices.contains(address.node) else { return false }
        if case .parameter(let index) = address.target {
            return nodes[address.node].values.indices.contains(index)
        }
        return true
    }

    /// Returns whether the pipeline has the address of a change.
    fileprivate func has(_ change: Change) -> Bool { has(change.address) }
}

extension Pipeline.Node {
    /// Returns whether all indices of the node exist in a pipeline.
    fileprivate func isConsistent(in pipeline: Pipeline) -> Bool {
        let inputCount = instances.map(\.count).reduce(0, +)
        let stripChannels = strips.map(\.channels)
        return (0...4096).contains(inputCount) && (0...4096).contains(outputChannels)
            && (instances.count == 1 || outputChannels % max(1, instances.count) == 0)
            && !instances.isEmpty && instances.joined().allSatisfy { $0.map(pipeline.has) ?? true }
            && stripChannels.allSatisfy { (1...64).contains($0) }
            && (strips.isEmpty || stripChannels.reduce(0, +) == inputCount)
            && values.count == parameters.count
            && (events.map(pipeline.inputs.indices.contains) ?? true)
            && fitsItsType(inputCount)
    }

    /// Returns whether the processors of the node can be connected as those of another node.
    fileprivate func fits(_ other: Self) -> Bool {
        type == other.type && outputChannels == other.outputChannels && strips == other.strips
            && instances.map(\.count) == other.instances.map(\.count)
            && parameters == other.parameters
    }

    /// Returns whether the numbers of channels are those of the type.
    private func fitsItsType(_ inputCount: Int) -> Bool {
        guard !isStandIn else { return true }
        switch description.channels {
        case .sameAsInputs: return outputChannels == inputCount
        case .source: return inputCount == 0 && outputChannels >= 1
        case .mixer: return !strips.isEmpty && (1...64).contains(outputChannels)
        case .ports(let inputs, let outputs):
            return instances.allSatisfy { $0.count == inputs.count }
                && outputChannels == outputs.count * instances.count
        }
    }
}
