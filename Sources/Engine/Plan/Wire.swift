public import Pipelines

/// One channel's way from its source to what takes it, delayed so that all that meets there is in time.
public struct Wire: Sendable, Hashable {
    /// Where it comes from.
    public var tap: Pipeline.Tap
    /// How long it is held back.
    public var delayFrames: Int
}

/// What takes a channel.
public enum WireEnd: Sendable, Hashable {
    /// An input of a node, by the node's place; inputs count through all of its processors.
    case node(Int, input: Int)
    /// A channel of an output, by the output's place.
    case output(Int, channel: Int)
}
