/// How late the signal is at each place of a pipeline, as its plan says.
public struct GraphLatencies: Sendable, Equatable {
    /// Frames a second, to say frames in milliseconds.
    public var sampleRate: Double
    /// One entry a node, in the pipeline's order.
    public var nodes: [Node]
    /// For each output, in the pipeline's order, how many frames behind the inputs it is.
    public var outputFrames: [Int]

    /// One node's latencies.
    public struct Node: Sendable, Equatable {
        /// The node's own latency in frames.
        public var ownFrames: Int
        /// How many frames behind the inputs the signal is where it enters the node, all paths aligned.
        public var inputFrames: Int

        /// How many frames behind the inputs the signal is where it leaves the node.
        public var outputFrames: Int { inputFrames + ownFrames }

        /// Both in frames.
        public init(ownFrames: Int, inputFrames: Int) {
            self.ownFrames = ownFrames
            self.inputFrames = inputFrames
        }
    }

    /// One entry a node and one an output, in the pipeline's order.
    public init(sampleRate: Double, nodes: [Node], outputFrames: [Int]) {
        self.sampleRate = sampleRate
        self.nodes = nodes
        self.outputFrames = outputFrames
    }

    /// The latency of the slowest way through the pipeline, in frames.
    public var totalFrames: Int { outputFrames.max() ?? 0 }

    /// Frames as a person reads them, in milliseconds.
    func text(frames: Int) -> String {
        let milliseconds = Double(frames) / sampleRate * 1000
        return NumberText.plain(milliseconds, decimals: milliseconds < 10 ? 2 : 1) + " ms"
    }
}
