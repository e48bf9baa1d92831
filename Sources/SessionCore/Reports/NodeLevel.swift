/// The level of an output channel of a node.
public struct NodeLevel: Sendable, Equatable {
    /// The id of the node.
    public let node: String
    /// The index of the channel among the node's outputs.
    public let channel: Int
    /// The highest magnitude, in dB.
    public let peak: Double
    /// The root mean square, in dB.
    public let rms: Double

    /// Creates a level.
    public init(node: String, channel: Int, peak: Double, rms: Double) {
        self.node = node
        self.channel = channel
        self.peak = peak
        self.rms = rms
    }
}
