internal import CRealtime

/// Replaces the output of a node that no longer delivers any, until the node has crossfaded to the
/// dry signal.
///
/// Only the last output is left by then. It is played alternately backwards and forwards, so that no
/// step between samples is larger than those in it. It is as long as the crossfade, which therefore
/// repeats nothing.
struct OutputSubstitute: BitwiseCopyable {
    /// The last output of each channel, a circle of `capacity` frames.
    private let held: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private let capacity: Int
    private var heldFrames = 0
    /// The index after the newest frame.
    private var next = 0
    /// The frames played since the replacement began, without whole repetitions.
    private var playedFrames = 0
    /// Whether the node passes its dry signal, or is crossfading to it.
    private(set) var isOn = false

    /// Creates a replacement that is off.
    ///
    /// - Parameters:
    ///   - channels: The number of output channels of the node.
    ///   - frames: The number of frames to store, at least 1.
    ///   - arena: The arena for its memory.
    init(channels: Int, frames: Int, arena: Arena) {
        capacity = max(1, frames)
        let buffers = (0..<channels).map { _ in arena.samples(max(1, frames)) }
        held = arena.copy(buffers)
        channelCount = channels
    }

    /// Stores a block of the node's output, because it may be the last.
    @_noLocks
    mutating func hold(_ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frames: Int)
    {
        let kept = min(frames, capacity)
        let first = min(kept, capacity - next)
        for channel in 0..<channelCount {
            let newest = outputs[channel] + (frames - kept)
            rt_copy(held[channel] + next, newest, Int64(first))
            rt_copy(held[channel], newest + first, Int64(kept - first))
        }
        next = (next + kept) % capacity
        heldFrames = min(capacity, heldFrames + kept)
    }

    @_noLocks
    mutating func begin() {
        isOn = true
        playedFrames = 0
    }

    /// Ends the replacement, and forgets the stored output, because the next one does not continue
    /// it.
    @_noLocks
    mutating func end() {
        isOn = false
        heldFrames = 0
    }

    /// Fills the outputs from the stored output, continuing where the last call ended.
    @_noLocks
    mutating func fill(_ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frames: Int)
    {
        guard heldFrames > 0 else {
            for channel in 0..<channelCount { rt_clear(outputs[channel], Int64(frames)) }
            return
        }
        for frame in 0..<frames {
            let isBackwards = playedFrames < heldFrames
            let age = isBackwards ? playedFrames : 2 * heldFrames - 1 - playedFrames
            let index = next > age ? next - 1 - age : next + capacity - 1 - age
            for channel in 0..<channelCount { outputs[channel][frame] = held[channel][index] }
            playedFrames = playedFrames + 1 < 2 * heldFrames ? playedFrames + 1 : 0
        }
    }
}
