public import Processing

/// What is done each cycle, in order: a pure value, made from a pipeline and the latencies of its
/// nodes.
///
/// It holds every decision (order, which channels feed what, alignment delays, which buffer holds
/// what) and nothing that runs. It can be compared and printed.
public struct Plan: Sendable, Equatable {
    /// Sample rate, and the most frames a cycle may have.
    public var format: AudioFormat
    /// The steps in the order they are done.
    public var steps: [Step]
    /// How many buffers the steps use, all together.
    public var bufferCount: Int
    /// For each node of the pipeline, in its order.
    public var nodes: [NodeLatency]
    /// For each output of the pipeline, in its order; behind them those that fade out.
    public var outputs: [Output]
    /// What is heard once nothing fades any more.
    public var wires: [WireEnd: [Wire]]
    /// How long what is new plays unheard before it is faded in: until all of it has sounded through.
    public var warmUpFrames: Int

    /// A buffer of one channel, by number.
    public typealias Buffer = Int

    /// One step.
    public enum Step: Sendable, Equatable {
        /// Copies a channel that comes from outside; channels count through all audio inputs.
        case input(channel: Int, into: Buffer)
        /// Delays a path that would arrive early where it meets another.
        case delay(Wire, from: Buffer, into: Buffer)
        /// Sums what is heard in one place while one thing takes over from another.
        case blend([BlendTerm], into: Buffer)
        /// Runs a node.
        case node(NodeStep)
    }

    /// A part of a blend.
    public struct BlendTerm: Sendable, Equatable {
        /// Where it is.
        public var buffer: Buffer
        /// What becomes of it.
        public var fade: Fade
    }

    /// What becomes of a signal while one graph takes over from another.
    public enum Fade: Sendable, Equatable {
        case steady, rising, falling
        /// Rises at once: what a new node hears, which is not heard yet itself.
        case entering
    }

    /// How a node is run.
    public struct NodeStep: Sendable, Equatable {
        /// The node's place in the pipeline; behind those of the pipeline are those that ring out.
        public var node: Int
        /// What each of its processors takes: a buffer an input, nil for silence.
        public var inputs: [[Buffer?]]
        /// One buffer a channel, through all processors.
        public var outputs: [Buffer]
        /// What each output channel is when the node is bypassed: the buffers summed, each with its
        /// gain.
        public var dry: [[DrySource]]
    }

    /// A part of a dry signal.
    public struct DrySource: Sendable, Equatable {
        /// Where it is.
        public var buffer: Buffer
        /// Amplitude factor.
        public var gain: Float
    }

    /// When a node gets and gives the sound that came in at frame 0, in frames.
    public struct NodeLatency: Sendable, Equatable {
        /// The node's own.
        public var latencyFrames: Int
        /// How late its inputs are, all alike.
        public var inputLatencyFrames: Int
        /// How late its outputs are.
        public var outputLatencyFrames: Int { inputLatencyFrames + latencyFrames }
    }

    /// Where an output of the pipeline finds its channels.
    public struct Output: Sendable, Equatable {
        /// One buffer a channel, nil for silence; none for MIDI.
        public var buffers: [Buffer?]
        /// How late it is, in frames.
        public var latencyFrames: Int
    }

    /// Whether there are new nodes that hear something.
    var hasEntrances: Bool {
        steps.contains { step in
            guard case .blend(let terms, _) = step else { return false }
            return terms.contains { $0.fade == .entering }
        }
    }

    /// Latency of the latest output, in frames.
    public var latencyFrames: Int { outputs.map(\.latencyFrames).max() ?? 0 }
}

extension Plan: CustomStringConvertible {
    /// One line a step.
    public var description: String {
        let lines = steps.map { step in
            switch step {
            case .input(let channel, let buffer): "input \(channel) -> b\(buffer)"
            case .delay(let wire, let from, let into):
                "delay b\(from) by \(wire.delayFrames) -> b\(into)"
            case .blend(let terms, let into): "blend \(Plan.text(terms)) -> b\(into)"
            case .node(let node):
                "node \(node.node) \(Plan.text(node.inputs.flatMap { $0 })) -> "
                    + Plan.text(node.outputs)
            }
        }
        let ends = outputs.enumerated().map {
            "output \($0.offset) \(Plan.text($0.element.buffers)), \($0.element.latencyFrames) frames"
        }
        return (lines + ends).joined(separator: "\n")
    }

    private static func text(_ buffers: [Buffer?]) -> String {
        "[" + buffers.map { $0.map { "b\($0)" } ?? "-" }.joined(separator: " ") + "]"
    }

    private static func text(_ terms: [BlendTerm]) -> String {
        "[" + terms.map { "b\($0.buffer) \($0.fade)" }.joined(separator: ", ") + "]"
    }
}
