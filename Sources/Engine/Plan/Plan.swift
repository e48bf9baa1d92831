public import Processing

/// The steps of a cycle, in order: a pure value, derived from a pipeline and the latencies of its
/// nodes.
///
/// It contains every decision (order, routing of channels, alignment delays, assignment of buffers)
/// and nothing that runs. Plans can be compared and printed.
public struct Plan: Sendable, Equatable {
    /// The sample rate, and the maximum number of frames per cycle.
    public var format: AudioFormat
    /// The steps in the order in which they run.
    public var steps: [Step]
    /// The total number of buffers that the steps use.
    public var bufferCount: Int
    /// The latencies of each node of the pipeline, in the pipeline's order.
    public var nodes: [NodeLatency]
    /// The outputs of the pipeline in its order, then those that fade out.
    public var outputs: [Output]
    /// The audible wires of each end when all fades have ended.
    public var wires: [WireEnd: [Wire]]
    /// The time for which new parts run unheard before they fade in, in frames: until a signal has
    /// passed through all of them.
    public var warmUpFrames: Int
    /// The tasks of a plan for several cores; `nil` for one core.
    public var tasks: TaskGraph?

    /// The number of a buffer for one channel.
    public typealias Buffer = Int

    /// One step.
    public enum Step: Sendable, Equatable {
        /// Copies a channel of an engine input; channels count through all audio inputs.
        case input(channel: Int, into: Buffer)
        /// Delays a path, to align its signal with a later one at the input that sums both.
        case delay(Wire, from: Buffer, into: Buffer)
        /// Multiplies a signal of a song by the song's gain, an amplitude factor, and by a level that
        /// scenes move.
        case gain(Float, Wire.Level, from: Buffer, into: Buffer)
        /// Sums the signals at one input while one signal replaces another.
        case blend([BlendTerm], into: Buffer)
        /// Runs a node.
        case node(NodeStep)
    }

    /// A summand of a blend.
    public struct BlendTerm: Sendable, Equatable {
        /// The buffer of the signal.
        public var buffer: Buffer
        /// The fade of the signal.
        public var fade: Fade
    }

    /// The fade of a signal while one graph replaces another.
    public enum Fade: Sendable, Equatable {
        case steady, rising, falling
        /// Rises at once: the input of a new node, which is not audible itself yet.
        case entering
        /// Rises at once and fast: a node of a song that begins.
        case starting
    }

    /// A step that runs a node.
    public struct NodeStep: Sendable, Equatable {
        /// The node's index in the pipeline; nodes that ring out come after the pipeline's own
        /// nodes.
        public var node: Int
        /// The inputs of each of its processors, one buffer per input; `nil` for silence.
        public var inputs: [[Buffer?]]
        /// One buffer per channel, for all processors together.
        public var outputs: [Buffer]
        /// The signal of each output channel while the node is bypassed: a sum of buffers with
        /// their gains.
        public var dry: [[DrySource]]
    }

    /// A part of a dry signal.
    public struct DrySource: Sendable, Equatable {
        /// The buffer of the signal.
        public var buffer: Buffer
        /// An amplitude factor.
        public var gain: Float
    }

    /// The latencies of a node: when the input of frame 0 arrives at its inputs and at its outputs.
    public struct NodeLatency: Sendable, Equatable {
        /// The node's own latency.
        public var latencyFrames: Int
        /// The latency of its inputs, which is equal for all aligned ones.
        public var inputLatencyFrames: Int
        /// Whether the node is always bypassed, so that its own latency delays no signal.
        public var isSkipped = false
        /// The latency of its outputs.
        public var outputLatencyFrames: Int {
            inputLatencyFrames + (isSkipped ? 0 : latencyFrames)
        }
    }

    /// The source of each channel of an output of the pipeline.
    public struct Output: Sendable, Equatable {
        /// One buffer per channel, `nil` for silence; empty for MIDI.
        public var buffers: [Buffer?]
        /// The latency of the output, in frames.
        public var latencyFrames: Int
    }

    /// Whether a new node receives a signal from an existing source.
    var hasEntrances: Bool {
        steps.contains { step in
            guard case .blend(let terms, _) = step else { return false }
            return terms.contains { $0.fade == .entering }
        }
    }

    /// The largest latency of all outputs, in frames.
    public var latencyFrames: Int { outputs.map(\.latencyFrames).max() ?? 0 }
}

extension Plan: CustomStringConvertible {
    /// The plan as text, one line per step.
    public var description: String {
        let lines = steps.map { step in
            switch step {
            case .input(let channel, let buffer): "input \(channel) -> b\(buffer)"
            case .delay(let wire, let from, let into):
                "delay b\(from) by \(wire.delayFrames) -> b\(into)"
            case .gain(let gain, let level, let from, let into):
                "gain b\(from) by \(gain)"
                    + (level == .none ? "" : " and the \(level) level") + " -> b\(into)"
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
