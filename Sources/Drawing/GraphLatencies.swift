/// The latencies at the nodes and outputs of a pipeline, according to its plan.
public struct GraphLatencies: Sendable, Equatable {
    /// In Hz; used to convert frames to milliseconds.
    public var sampleRate: Double
    /// One entry per node, in the pipeline's order.
    public var nodes: [Node]
    /// The latency of each output relative to the inputs, in frames, in the pipeline's order.
    public var outputFrames: [Int]

    /// One node's latencies.
    public struct Node: Sendable, Equatable {
        /// The node's own latency, in frames.
        public var ownFrames: Int
        /// The latency of the node's inputs relative to the pipeline's inputs, in frames; all paths
        /// are aligned.
        public var inputFrames: Int

        /// The latency of the node's outputs relative to the pipeline's inputs, in frames.
        public var outputFrames: Int { inputFrames + ownFrames }

        /// Creates an entry; both values are in frames.
        public init(ownFrames: Int, inputFrames: Int) {
            self.ownFrames = ownFrames
            self.inputFrames = inputFrames
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
