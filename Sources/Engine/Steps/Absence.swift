internal import CRealtime

/// Stands in for a plugin that gives no sound any more, until its node has crossfaded to the dry signal.
///
/// Nothing of the plugin is left by then but its last block: that is played backwards and forwards by turns, so no step
/// is larger than those that the plugin made itself.
struct Absence: BitwiseCopyable {
    private let held: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private var heldFrames = 0
    /// How much of the turns was played.
    private var playedFrames = 0
    /// Whether the node passes its dry signal, or is on its way there.
    private(set) var isOn = false

    /// - Parameters:
    ///   - channels: How many the node gives.
    ///   - maximumFrames: The most frames of a cycle.
    ///   - arena: Where its memory is.
    init(channels: Int, maximumFrames: Int, arena: Arena) {
        let places = (0..<channels).map { _ in arena.samples(maximumFrames) }
        held = arena.copy(places)
        channelCount = channels
    }

    /// Keeps a block of the plugin's, for it may be the last.
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

    /// Plays on from the block that was kept.
    @_noLocks
    mutating func fill(_ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frames: Int)
    {
        guard heldFrames > 0 else {
            for channel in 0..<channelCount { rt_clear(outputs[channel], Int64(frames)) }
            return
        }
        for frame in 0..<frames {
            let turn = (playedFrames + frame) % (2 * heldFrames)
            let place = turn < heldFrames ? heldFrames - 1 - turn : turn - heldFrames
            for channel in 0..<channelCount { outputs[channel][frame] = held[channel][place] }
        }
        playedFrames += frames
    }
}
