internal import CRealtime

/// Replaces the output of a plugin that no longer delivers any, until its node has crossfaded to
/// the dry signal.
///
/// Only the plugin's last block is left by then. It is played alternately backwards and forwards,
/// so that no step between samples is larger than those in the block.
struct OutputSubstitute: BitwiseCopyable {
    private let held: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private var heldFrames = 0
    /// The frames played since the replacement began.
    private var playedFrames = 0
    /// Whether the node passes its dry signal, or is crossfading to it.
    private(set) var isOn = false

    /// Creates a replacement that is off.
    ///
    /// - Parameters:
    ///   - channels: The number of output channels of the node.
    ///   - maximumFrames: The maximum number of frames per cycle.
    ///   - arena: The arena for its memory.
    init(channels: Int, maximumFrames: Int, arena: Arena) {
        let buffers = (0..<channels).map { _ in arena.samples(maximumFrames) }
        held = arena.copy(buffers)
        channelCount = channels
    }

    /// Stores a block of the plugin's output, because it may be the last.
    @_noLocks
    mutating func hold(_ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frames: Int)
    {
        for channel in 0..<channelCount { rt_copy(held[channel], outputs[channel], Int64(frames)) }
        heldFrames = frames
    }

    @_noLocks
    mutating func begin() {
        isOn = true
        playedFrames = 0
    }

    @_noLocks
    mutating func end() { isOn = false }

    /// Fills the outputs from the stored block, continuing where the last call ended.
    @_noLocks
    mutating func fill(_ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frames: Int)
    {
        guard heldFrames > 0 else {
            for channel in 0..<channelCount { rt_clear(outputs[channel], Int64(frames)) }
            return
        }
        for frame in 0..<frames {
            let phase = (playedFrames + frame) % (2 * heldFrames)
            let index = phase < heldFrames ? heldFrames - 1 - phase : phase - heldFrames
            for channel in 0..<channelCount { outputs[channel][frame] = held[channel][index] }
        }
        playedFrames += frames
    }
}
