/// The latencies at the nodes and outputs of a pipeline, according to its plan.
public struct GraphLatencies: Sendable, Equatable {
    /// In Hz; used to convert frames to milliseconds.
    public var sampleRate: Double
    /// One entry per node, in the pipeline's order.
    public var nodes: [Node]
    /// The latency of each output relative to the inputs, in frames, in the pipeline's order.
    public var outputFrames: [Int]
    /// For each output, the nodes that make it late, in the order of the signal; empty if they are
    /// not known.
    public var causes: [[Cause]] = []

    /// A node that makes an output late.
    public struct Cause: Sendable, Equatable {
        /// The index of the node in the pipeline.
        public var node: Int
        /// The node's own latency, in frames.
        public var ownFrames: Int
        /// The latency of the output without the node's own, in frames.
        public var withoutFrames: Int

        /// Creates a cause; the parameters have the meaning of the properties.
        public init(node: Int, ownFrames: Int, withoutFrames: Int) {
            self.node = node
            self.ownFrames = ownFrames
            self.withoutFrames = withoutFrames
        }
    }

    /// One node's latencies.
    public struct Node: Sendable, Equatable {
        /// The node's own latency, in frames.
        public var ownFrames: Int
        /// The latency of the node's inputs relative to the pipeline's inputs, in frames; all aligned
        /// paths have it.
        public var inputFrames: Int
        /// Whether the node is always bypassed, so that its own latency delays no signal.
        public var isSkipped: Bool

        /// The latency of the node's outputs relative to the pipeline's inputs, in frames.
        public var outputFrames: Int { inputFrames + (isSkipped ? 0 : ownFrames) }

        /// Creates an entry; both latencies are in frames.
        public init(ownFrames: Int, inputFrames: Int, isSkipped: Bool = false) {
            self.ownFrames = ownFrames
            self.inputFrames = inputFrames
            self.isSkipped = isSkipped
        }
    }

    /// Creates latencies with one entry per node and one per output, in the pipeline's order.
    public init(sampleRate: Double, nodes: [Node], outputFrames: [Int]) {
        self.sampleRate = sampleRate
        self.nodes = nodes
        self.outputFrames = outputFrames
    }

    /// The latency of the slowest path through the pipeline, in frames.
    public var totalFrames: Int { outputFrames.max() ?? 0 }

    /// Returns a number of frames as text, in milliseconds.
    func text(frames: Int) -> String {
        let milliseconds = Double(frames) / sampleRate * 1000
        return DrawnNumber.plain(milliseconds, decimals: milliseconds < 10 ? 2 : 1) + " ms"
    }
}
