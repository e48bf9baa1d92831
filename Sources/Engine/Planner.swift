public import Pipelines
public import Processing

extension Plan {
    /// Plans a pipeline: order, alignment of what meets, dry paths and buffers.
    ///
    /// - Parameters:
    ///   - pipeline: What is to be played.
    ///   - latencies: Each node's own latency in frames, in the pipeline's order.
    ///   - format: Sample rate, and the most frames a cycle may have.
    public init(_ pipeline: Pipeline, latencies: [Int], format: AudioFormat) {
        var planner = Planner(pipeline, latencies: latencies)
        for place in processingOrder(of: pipeline) { planner.addNode(place) }
        let outputs = pipeline.outputs.map { planner.addOutput($0) }
        self = reusingBuffers(
            Plan(
                format: format, steps: planner.steps, bufferCount: planner.valueCount,
                nodes: planner.nodes, outputs: outputs))
    }
}

/// Plans with a buffer of its own for every signal; `reusingBuffers` then shares them.
private struct Planner {
    private let pipeline: Pipeline
    private let firstInputChannel: [Int]
    private(set) var steps: [Plan.Step] = []
    private(set) var nodes: [Plan.NodeLatency]
    private(set) var valueCount = 0
    private var arrivals: [Pipeline.Tap: Arrival] = [:]
    private var delayed: [Delayed: Plan.Buffer] = [:]

    /// Where one channel is, and how late.
    private struct Arrival {
        var buffer: Plan.Buffer
        var latencyFrames: Int
    }

    private struct Delayed: Hashable {
        var tap: Pipeline.Tap
        var frames: Int
    }

    init(_ pipeline: Pipeline, latencies: [Int]) {
        self.pipeline = pipeline
        nodes = latencies.map { Plan.NodeLatency(latencyFrames: $0, inputLatencyFrames: 0) }
        var next = 0
        firstInputChannel = pipeline.inputs.map { input in
            defer { next += input.channels }
            return next
        }
    }

    mutating func addNode(_ place: Int) {
        let node = pipeline.nodes[place]
        let taps = node.instances.joined().compactMap { $0 }
        let latency = meetingLatency(of: taps)
        nodes[place].inputLatencyFrames = latency
        let inputs = node.instances.map { $0.map { $0.map { buffer(of: $0, at: latency) } } }
        let outputs = (0..<node.outputChannels).map { channel in
            let buffer = newBuffer()
            let arrival = Arrival(
                buffer: buffer, latencyFrames: nodes[place].outputLatencyFrames)
            arrivals[.init(.node(place), channel: channel)] = arrival
            return buffer
        }
        let dry = node.dryTaps.map { sources in
            sources.map {
                Plan.DrySource(buffer: buffer(of: $0.tap, at: latency), gain: $0.gain)
            }
        }
        steps.append(.node(.init(node: place, inputs: inputs, outputs: outputs, dry: dry)))
    }

    mutating func addOutput(_ output: Pipeline.Output) -> Plan.Output {
        let latency = output.events.map(eventLatency) ?? meetingLatency(of: output.taps)
        let buffers = output.taps.map { buffer(of: $0, at: latency) }
        return Plan.Output(buffers: buffers, latencyFrames: latency)
    }

    /// How late a node's MIDI is: as its sound where it hears any, and not where MIDI plays it.
    private func eventLatency(ofNode place: Int) -> Int {
        let hears = pipeline.nodes[place].instances.joined().contains { $0 != nil }
        return hears ? nodes[place].outputLatencyFrames : 0
    }

    private mutating func meetingLatency(of taps: [Pipeline.Tap]) -> Int {
        taps.map { arrival(of: $0).latencyFrames }.max() ?? 0
    }

    private mutating func newBuffer() -> Plan.Buffer {
        valueCount += 1
        return valueCount - 1
    }

    private mutating func arrival(of tap: Pipeline.Tap) -> Arrival {
        if let known = arrivals[tap] { return known }
        guard case .input(let place) = tap.source else {
            preconditionFailure("nodes are planned in processing order")
        }
        let arrival = Arrival(buffer: newBuffer(), latencyFrames: 0)
        let channel = firstInputChannel[place] + tap.channel
        steps.append(.input(channel: channel, into: arrival.buffer))
        arrivals[tap] = arrival
        return arrival
    }

    /// The buffer that holds a tap as late as `latency`.
    private mutating func buffer(of tap: Pipeline.Tap, at latency: Int) -> Plan.Buffer {
        let arrival = arrival(of: tap)
        let frames = latency - arrival.latencyFrames
        guard frames > 0 else { return arrival.buffer }
        let key = Delayed(tap: tap, frames: frames)
        if let known = delayed[key] { return known }
        let buffer = newBuffer()
        steps.append(.delay(from: arrival.buffer, into: buffer, frames: frames))
        delayed[key] = buffer
        return buffer
    }
}
