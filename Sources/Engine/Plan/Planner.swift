public import Pipelines
public import Processing
internal import Realtime

extension Plan {
    /// Plans a pipeline: order, alignment of paths, dry paths and buffers.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline to run.
    ///   - latencies: Each node's own latency in frames, in the pipeline's order.
    ///   - format: The sample rate, the maximum number of frames per cycle, and the number of cores.
    ///   - costs: The time of each node in a cycle in ns, in the pipeline's order; empty if it is not
    ///     known. Only a plan for several cores depends on it.
    public init(
        _ pipeline: Pipeline, latencies: [Int], format: AudioFormat, costs: [Double] = []
    ) {
        self.init(Splice(of: pipeline), latencies: latencies, format: format, costs: costs)
    }

    /// Plans a pipeline together with the parts of the previous one that ring out or fade.
    init(_ splice: Splice, latencies: [Int], format: AudioFormat, costs: [Double] = []) {
        var planner = Planner(splice, latencies: latencies, sampleRate: format.sampleRate)
        for index in processingOrder(of: splice) { planner.addNode(index) }
        let outputs = splice.pipeline.outputs.indices.map { planner.addOutput($0) }
        let plan = Plan(
            format: format, steps: planner.steps, bufferCount: planner.bufferCount,
            nodes: Array(planner.nodes.prefix(splice.nodeCount)), outputs: outputs,
            wires: planner.wires,
            warmUpFrames: min(planner.warmUpFrames, Int(format.sampleRate)))
        guard format.coreCount > 1 else {
            self = reusingBuffers(plan)
            return
        }
        var grouping = TaskGrouping(
            plan.steps, bufferCount: plan.bufferCount,
            serialNodes: splice.pipeline.messageSenders, nodeCosts: costs)
        self = reusingBuffers(plan, in: grouping.result())
    }
}

extension Pipeline {
    /// The nodes that send MIDI to an output.
    ///
    /// They run one after another in every plan, because their messages meet in one list.
    fileprivate var messageSenders: Set<Int> {
        Set(outputs.filter { $0.kind == .midi }.compactMap(\.events))
    }
}

/// Plans with a separate buffer for every signal; `reusingBuffers` then shares the buffers.
private struct Planner {
    private let splice: Splice
    private let pipeline: Pipeline
    private let firstInputChannel: [Int]
    /// The stated latency of each input, in frames.
    private let inputFrames: [Int]
    private(set) var steps: [Plan.Step] = []
    private(set) var nodes: [Plan.NodeLatency]
    private(set) var bufferCount = 0
    private(set) var wires: [WireEnd: [Wire]] = [:]
    private(set) var warmUpFrames = 0
    private var arrivals: [Pipeline.Tap: Arrival] = [:]
    private var delayed: [Wire: Plan.Buffer] = [:]
    /// The gain of the song where its signals reach the outer level, an amplitude factor.
    private let songGain: Float
    /// The level of the song's scenes, if they move one.
    private let songLevel: Wire.Level

    /// The buffer of one channel, and its latency.
    private struct Arrival {
        var buffer: Plan.Buffer
        var latency: SignalLatency
    }

    init(_ splice: Splice, latencies: [Int], sampleRate: Double) {
        self.splice = splice
        pipeline = splice.pipeline
        inputFrames = pipeline.statedInputFrames(sampleRate: sampleRate).map { $0 ?? 0 }
        songGain =
            pipeline.outer == nil ? 1 : Float(Decibels(pipeline.gainDecibels).amplitude)
        songLevel = pipeline.usesSceneGains ? .own : .none
        nodes = zip(splice.pipeline.nodes, latencies).map { node, latency in
            Plan.NodeLatency(
                latencyFrames: latency, inputLatencyFrames: 0, isSkipped: node.isAlwaysBypassed)
        }
        var next = 0
        firstInputChannel = pipeline.inputs.map { input in
            defer { next += input.channels }
            return next
        }
    }

    mutating func addNode(_ index: Int) {
        let node = pipeline.nodes[index]
        let isLeaving = index >= splice.nodeCount
        let meeting = MeetingPoint(of: node, isOuter: pipeline.isOuter(node: index))
        let alignment = isLeaving ? nil : meeting.alignment { arrival(of: $0).latency }
        let latency = alignment?.latency ?? .none
        nodes[index].inputLatencyFrames = latency.frames
        var input = 0
        var buffers: [Pipeline.Tap: Plan.Buffer] = [:]
        let inputs = node.instances.map { taps in
            taps.map { tap -> Plan.Buffer? in
                defer { input += 1 }
                let isOfSong = node.songInputs.contains(input)
                let wire = wire(
                    from: tap, to: input, of: meeting, alignedTo: alignment,
                    isOfSong ? songGain : 1, isOfSong ? songLevel : .none)
                let buffer = buffer(for: .node(index, input: input), wire)
                if let tap, let buffer, buffers[tap] == nil { buffers[tap] = buffer }
                return buffer
            }
        }
        let outputs = (0..<node.outputChannels).map { channel in
            let buffer = newBuffer()
            let ownFrames = nodes[index].outputLatencyFrames - nodes[index].inputLatencyFrames
            let arrival = Arrival(
                buffer: buffer, latency: latency.delayed(byFrames: ownFrames))
            arrivals[.init(.node(index), channel: channel)] = arrival
            return buffer
        }
        let dry = node.dryTaps.map { sources in
            sources.compactMap { source in
                buffers[source.tap].map { Plan.DrySource(buffer: $0, gain: source.gain) }
            }
        }
        steps.append(.node(.init(node: index, inputs: inputs, outputs: outputs, dry: dry)))
    }

    mutating func addOutput(_ index: Int) -> Plan.Output {
        let output = pipeline.outputs[index]
        let isLeaving = index >= splice.outputCount
        guard output.kind == .audio else {
            return Plan.Output(
                buffers: [], latencyFrames: output.events.map(eventLatency(ofNode:)) ?? 0)
        }
        let meeting = MeetingPoint(of: output, isOuter: pipeline.isOuter(output: index))
        let alignment = isLeaving ? nil : meeting.alignment { arrival(of: $0).latency }
        let buffers = (0..<output.channels).map { channel in
            let tap = isLeaving || channel >= output.taps.count ? nil : output.taps[channel]
            let isOfSong = output.songChannels.contains(channel)
            return buffer(
                for: .output(index, channel: channel),
                wire(
                    from: tap, to: channel, of: meeting, alignedTo: alignment,
                    isOfSong ? songGain : 1,
                    isOfSong || pipeline.outer == nil ? songLevel : .none))
        }
        return Plan.Output(
            buffers: buffers, latencyFrames: alignment?.latency.frames ?? 0)
    }

    /// Returns the latency of a node's MIDI output: that of its audio output if the node has audio
    /// input, otherwise 0.
    private func eventLatency(ofNode index: Int) -> Int {
        let hasInputs = pipeline.nodes[index].instances.joined().contains { $0 != nil }
        let latency = nodes[index]
        return hasInputs ? latency.inputLatencyFrames + latency.latencyFrames : 0
    }

    private mutating func newBuffer() -> Plan.Buffer {
        bufferCount += 1
        return bufferCount - 1
    }

    private mutating func arrival(of tap: Pipeline.Tap) -> Arrival {
        if let known = arrivals[tap] { return known }
        guard case .input(let index) = tap.source else {
            preconditionFailure("nodes are planned in processing order")
        }
        let arrival = Arrival(
            buffer: newBuffer(), latency: SignalLatency.none.delayed(byFrames: inputFrames[index]))
        let channel = firstInputChannel[index] + tap.channel
        steps.append(.input(channel: channel, into: arrival.buffer))
        arrivals[tap] = arrival
        return arrival
    }

    /// Returns the wire from a channel to an input, delayed unless the input is not aligned; `nil`
    /// for silence, and for a place that leaves and has no alignment.
    private mutating func wire(
        from tap: Pipeline.Tap?, to input: Int, of meeting: MeetingPoint,
        alignedTo alignment: MeetingPoint.Alignment?, _ gain: Float, _ level: Wire.Level
    ) -> Wire? {
        guard let tap, let alignment else { return nil }
        return Wire(
            tap: tap,
            delayFrames: meeting.delayFrames(
                ofInput: input, arrivingAt: arrival(of: tap).latency, alignedTo: alignment),
            gain: gain, level: level)
    }

    /// Returns the buffer for an end: the signal of its wire, blended with the previous signals of
    /// the end.
    private mutating func buffer(for end: WireEnd, _ wire: Wire?) -> Plan.Buffer? {
        guard let before = splice.wires[end] else {
            wires[end] = wire.map { [$0] } ?? []
            guard let wire else { return nil }
            // The node of this end is new; a source that is older plays already.
            let isEntering = splice.hasPredecessor && !splice.isNew(wire.tap.source)
            return blend(
                [.init(buffer: buffer(of: wire), fade: isEntering ? .entering : .steady)])
        }
        let isHeard = wire.map(before.contains) ?? true
        // The nodes of a song begin from silence, so that nothing waits for them.
        let isStarting = splice.isSongChange && wire.map { splice.isNew($0.tap.source) } ?? false
        if let wire, !isHeard, !splice.isSongChange {
            warmUpFrames = max(
                warmUpFrames, arrival(of: wire.tap).latency.frames + wire.delayFrames)
        }
        let others = before.filter { $0 != wire }
        let staying = others.filter { splice.ringsOut($0.tap.source) }
        wires[end] = (wire.map { [$0] } ?? []) + staying
        var terms: [Plan.BlendTerm] = []
        if let wire {
            terms.append(
                .init(
                    buffer: buffer(of: wire),
                    fade: isHeard ? .steady : isStarting ? .starting : .rising))
        }
        for other in others {
            let fade = staying.contains(other) ? Plan.Fade.steady : .falling
            terms.append(.init(buffer: buffer(of: other), fade: fade))
        }
        return blend(terms)
    }

    private mutating func blend(_ terms: [Plan.BlendTerm]) -> Plan.Buffer? {
        if terms.isEmpty { return nil }
        if terms.count == 1, terms[0].fade == .steady { return terms[0].buffer }
        let buffer = newBuffer()
        steps.append(.blend(terms, into: buffer))
        return buffer
    }

    /// Returns the buffer that contains the signal of a wire.
    private mutating func buffer(of wire: Wire) -> Plan.Buffer {
        if let known = delayed[wire] { return known }
        let source: Plan.Buffer
        let buffer: Plan.Buffer
        if wire.gain != 1 || wire.level != .none {
            // All wires with the same delay share one delay line.
            var plain = wire
            (plain.gain, plain.level) = (1, .none)
            source = self.buffer(of: plain)
            buffer = newBuffer()
            steps.append(.gain(wire.gain, wire.level, from: source, into: buffer))
        } else {
            source = arrival(of: wire.tap).buffer
            guard wire.delayFrames > 0 else { return source }
            buffer = newBuffer()
            steps.append(.delay(wire, from: source, into: buffer))
        }
        delayed[wire] = buffer
        return buffer
    }
}
