public import Pipelines

/// The path of one channel from its source to its end, with the delay that aligns all signals that
/// meet there.
public struct Wire: Sendable, Hashable {
    /// The source.
    public var tap: Pipeline.Tap
    /// The delay, in frames.
    public var delayFrames: Int
    /// The gain of the song that the signal comes from, an amplitude factor; 1 without an outer
    /// level, whose pipeline has one gain for all outputs.
    public var gain: Float = 1
    /// The moving level that the signal has in addition to the gain.
    public var level = Level.none

    /// A level of a song that its scenes move.
    public enum Level: Sendable, Hashable {
        case none
        /// The level of the current song.
        case own
        /// The level of the song before it, whose signals still ring out.
        case former
    }
}

/// The end of a wire.
public enum WireEnd: Sendable, Hashable {
    /// An input of a node, given by the node's index; the inputs of all its processors are numbered
    /// together.
    case node(Int, input: Int)
    /// A channel of an output, given by the output's index.
    case output(Int, channel: Int)
}
