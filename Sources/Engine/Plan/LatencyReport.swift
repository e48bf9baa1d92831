public import Pipelines
internal import Processing

/// The reasons for the latencies of a pipeline's outputs: which nodes make an output late, and which
/// paths are not aligned with the others.
public struct LatencyReport: Sendable, Equatable {
    /// The audio outputs, in the pipeline's order.
    public var outputs: [Output]
    /// The paths that are not aligned and arrive at another time than the signals that they meet.
    public var exceptions: [Exception]

    /// The latency of an output.
    public struct Output: Sendable, Equatable {
        /// The index of the output in the pipeline.
        public var output: Int
        /// The latency, in frames.
        public var latencyFrames: Int
        /// The nodes with latency on the path that arrives last, in the order of the signal.
        public var path: [Part]
        /// The index of the input at the start of this path, if the file states its latency.
        public var input: Int?
        /// The latency that the file states for this input, in frames; 0 without such an input.
        public var inputFrames: Int

        /// Creates an entry; the parameters have the meaning of the properties.
        public init(
            output: Int, latencyFrames: Int, path: [Part], input: Int? = nil, inputFrames: Int = 0
        ) {
            self.output = output
            self.latencyFrames = latencyFrames
            self.path = path
            self.input = input
            self.inputFrames = inputFrames
        }
    }

    /// A node on the path that arrives last.
    public struct Part: Sendable, Equatable {
        /// The index of the node in the pipeline.
        public var node: Int
        /// The node's own latency, in frames.
        public var latencyFrames: Int
        /// The latency of the output if this node had none, in frames.
        public var withoutFrames: Int
        /// The nodes with latency on another path that arrives at the same time, in the order of
        /// the signal; empty if the output is less late without this node.
        public var alternatives: [Int]

        /// Creates an entry; the parameters have the meaning of the properties.
        public init(
            node: Int, latencyFrames: Int, withoutFrames: Int, alternatives: [Int] = []
        ) {
            self.node = node
            self.latencyFrames = latencyFrames
            self.withoutFrames = withoutFrames
            self.alternatives = alternatives
        }
    }

    /// A path that is not aligned.
    public struct Exception: Sendable, Equatable {
        /// The place where the path meets others.
        public var end: End
        /// The reason why the path is not aligned.
        public var reason: Reason
        /// The signal of the path, as in the file; empty for a bypassed node.
        public var signal: String
        /// The frames by which the signal arrives later than the others; negative if it is earlier.
        ///
        /// For a path that is off, they apply when the path is switched on.
        public var lateFrames: Int

        /// Creates an entry; the parameters have the meaning of the properties.
        public init(end: End, reason: Reason, signal: String, lateFrames: Int) {
            self.end = end
            self.reason = reason
            self.signal = signal
            self.lateFrames = lateFrames
        }
    }

    /// The place where a path meets others.
    public enum End: Sendable, Equatable {
        /// A node, by its index in the pipeline.
        case node(Int)
        /// An output, by its index in the pipeline.
        case output(Int)
    }

    /// The reason why a path is not aligned.
    public enum Reason: String, Sendable, Equatable {
        /// The file says `"align": false`.
        case unaligned
        /// The strip of the mixer is always off.
        case off
        /// The node is always bypassed.
        case bypassed
    }

    /// Explains the latencies of a plan.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline of the plan.
    ///   - plan: The plan, which contains each node's own latency.
    public init(_ pipeline: Pipeline, _ plan: Plan) {
        let stated = pipeline.statedInputFrames(sampleRate: plan.format.sampleRate).map { $0 ?? 0 }
        let walk = LatencyWalk(pipeline, plan.nodes.map(\.latencyFrames), inputFrames: stated)
        outputs = pipeline.outputs.indices.filter { pipeline.outputs[$0].kind == .audio }.map {
            let input = walk.lateInput(ofOutput: $0)
            return Output(
                output: $0, latencyFrames: walk.latencyFrames(ofOutput: $0),
                path: walk.parts(ofOutput: $0), input: input,
                inputFrames: input.map { stated[$0] } ?? 0)
        }
        exceptions = walk.exceptions
    }
}

/// Follows the latencies through a pipeline.
private struct LatencyWalk {
    private let pipeline: Pipeline
    private let ownFrames: [Int]
    /// The stated latency of each input.
    private let inputFrames: [Int]
    private let order: [Int]
    /// The latency of each node's inputs.
    private var inputs: [SignalLatency]

    init(_ pipeline: Pipeline, _ ownFrames: [Int], inputFrames: [Int]) {
        guard let order = processingOrder(feeders: pipeline.nodes.map(\.feeders)) else {
            preconditionFailure("a checked pipeline has no loop")
        }
        self.init(pipeline, ownFrames, inputFrames, order)
    }

    private init(
        _ pipeline: Pipeline, _ ownFrames: [Int], _ inputFrames: [Int], _ order: [Int]
    ) {
        self.pipeline = pipeline
        self.ownFrames = ownFrames
        self.inputFrames = inputFrames
        self.order = order
        inputs = Array(repeating: .none, count: ownFrames.count)
        for node in order { inputs[node] = meeting(atNode: node).alignment(arrival).latency }
    }

    private func meeting(atNode node: Int) -> MeetingPoint {
        MeetingPoint(of: pipeline.nodes[node], isOuter: pipeline.isOuter(node: node))
    }

    private func meeting(atOutput output: Int) -> MeetingPoint {
        MeetingPoint(of: pipeline.outputs[output], isOuter: pipeline.isOuter(output: output))
    }

    func latencyFrames(ofOutput output: Int) -> Int {
        meeting(atOutput: output).alignment(arrival).latency.frames
    }

    /// Returns the latency with which a channel arrives.
    private func arrival(of tap: Pipeline.Tap) -> SignalLatency {
        switch tap.source {
        case .input(let input): SignalLatency.none.delayed(byFrames: inputFrames[input])
        case .node(let node): inputs[node].delayed(byFrames: countedFrames(ofNode: node))
        }
    }

    /// Returns the share of a node in the latency of its output.
    private func countedFrames(ofNode node: Int) -> Int {
        pipeline.nodes[node].isAlwaysBypassed ? 0 : ownFrames[node]
    }

    /// Returns the nodes with latency on the path that arrives last at an output, with the latency
    /// of the output without each of them.
    func parts(ofOutput output: Int) -> [LatencyReport.Part] {
        lateNodes(ofOutput: output).map { node in
            var others = ownFrames
            others[node] = 0
            let walk = LatencyWalk(pipeline, others, inputFrames, order)
            let without = walk.latencyFrames(ofOutput: output)
            return LatencyReport.Part(
                node: node, latencyFrames: ownFrames[node], withoutFrames: without,
                alternatives: without == latencyFrames(ofOutput: output)
                    ? walk.lateNodes(ofOutput: output) : [])
        }
    }

    /// Returns the nodes with latency on the path that arrives last at an output.
    private func lateNodes(ofOutput output: Int) -> [Int] {
        var nodes: [Int] = []
        var meeting = meeting(atOutput: output)
        while case .node(let node)? = meeting.decisive(arrival)?.source {
            if countedFrames(ofNode: node) > 0 { nodes.append(node) }
            meeting = self.meeting(atNode: node)
        }
        return nodes.reversed()
    }

    /// Returns the input at the start of the path that arrives last at an output; `nil` if its
    /// latency is 0 or not stated.
    func lateInput(ofOutput output: Int) -> Int? {
        var meeting = meeting(atOutput: output)
        while let tap = meeting.decisive(arrival) {
            switch tap.source {
            case .input(let input): return inputFrames[input] > 0 ? input : nil
            case .node(let node): meeting = self.meeting(atNode: node)
            }
        }
        return nil
    }

    // MARK: Paths that are not aligned

    var exceptions: [LatencyReport.Exception] {
        let atNodes = pipeline.nodes.indices.flatMap(exceptions(atNode:))
        return atNodes + pipeline.outputs.indices.flatMap(exceptions(atOutput:))
    }

    private func exceptions(atNode index: Int) -> [LatencyReport.Exception] {
        let node = pipeline.nodes[index]
        let inputs = Array(node.instances.joined())
        let found = inputs.indices.compactMap { input -> LatencyReport.Exception? in
            guard let tap = inputs[input] else { return nil }
            let late = arrival(of: tap).frames - self.inputs[index].frames
            let signal = node.stripName(ofInput: input) ?? pipeline.name(of: tap.source)
            if node.unalignedInputs.contains(input), late != 0 {
                return .init(
                    end: .node(index), reason: .unaligned, signal: signal, lateFrames: late)
            }
            guard node.offInputs.contains(input), late > 0 else { return nil }
            return .init(end: .node(index), reason: .off, signal: signal, lateFrames: late)
        }
        guard node.isAlwaysBypassed, ownFrames[index] > 0 else { return found.withoutRepeats }
        return found.withoutRepeats + [
            .init(
                end: .node(index), reason: .bypassed, signal: "", lateFrames: ownFrames[index])
        ]
    }

    private func exceptions(atOutput index: Int) -> [LatencyReport.Exception] {
        let output = pipeline.outputs[index]
        let latency = latencyFrames(ofOutput: index)
        let found = output.taps.enumerated().compactMap {
            channel, tap -> LatencyReport.Exception? in
            guard let tap else { return nil }
            let late = arrival(of: tap).frames - latency
            guard output.unalignedChannels.contains(channel), late != 0 else { return nil }
            return .init(
                end: .output(index), reason: .unaligned, signal: pipeline.name(of: tap.source),
                lateFrames: late)
        }
        return found.withoutRepeats
    }
}

extension [LatencyReport.Exception] {
    /// The exceptions without those that equal the one before, such as the second channel of a
    /// signal.
    fileprivate var withoutRepeats: Self {
        reduce(into: []) { result, one in if result.last != one { result.append(one) } }
    }
}

extension Pipeline {
    fileprivate func name(of source: Source) -> String {
        switch source {
        case .input(let index): inputs[index].name
        case .node(let index): nodes[index].id
        }
    }
}

extension Pipeline.Node {
    /// Returns the name of the strip that an input belongs to; `nil` if the node is no mixer.
    fileprivate func stripName(ofInput input: Int) -> String? {
        var end = 0
        for strip in strips {
            end += strip.channels
            if input < end { return strip.name }
        }
        return nil
    }
}
