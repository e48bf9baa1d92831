internal import Realtime

/// The work of the writer for the input that belongs to one frame of playback.
struct WriteEntry: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        case nothing
        /// Stores the input.
        case record
        /// Adds the input to the loop, at the position at which it was heard.
        case overdub
        /// Stores the sound that was heard together with the input.
        case copy
        /// Fades from the loop to the input.
        case replace
    }

    var kind = Kind.nothing
    var layer = 0
    var generation: UInt32 = 0
    var chain: UInt32 = 0
    /// The position: in half frames of a cycle for an overdub, otherwise in frames.
    var position = 0
    /// The half frames per frame of an overdub.
    var step = 2
    /// The length of the cycle that was heard.
    var cycleFrames = 0
    /// The weight of the input, 0...1.
    var gain: Float = 1
    /// The share of the old sound that remains at a gain of 1.
    var feedback: Float = 1
    /// The weight of the input in the overdub that a replacement takes over.
    var overdubGain: Float = 0
}

/// The writes of recent frames: the input for a frame of playback arrives later than the frame, by
/// the round trip through the sound card and the room.
struct WriteLog: ~Copyable {
    private let entries: Buffer<WriteEntry>
    private let mask: Int

    /// Creates an empty log for a number of frames.
    init(frames: Int) {
        var size = 2
        while size < frames { size *= 2 }
        entries = Buffer(count: size, repeating: WriteEntry())
        mask = size - 1
    }

    /// The bytes of a log for a number of frames, at most.
    static func byteCount(frames: Int) -> Int { 2 * frames * MemoryLayout<WriteEntry>.stride }

    /// Forgets all writes.
    @_noLocks
    func clear() { entries.fill(with: WriteEntry()) }

    /// The entry of a frame; frames before the first one have entries too.
    subscript(frame: Int) -> WriteEntry {
        @_noLocks get { entries[frame & mask] }
        @_noLocks nonmutating set { entries[frame & mask] = newValue }
    }
}
