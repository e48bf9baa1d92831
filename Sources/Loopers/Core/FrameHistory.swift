internal import Realtime

/// The recent frames of a signal.
struct FrameHistory: ~Copyable {
    private let samples: Buffer<Float>
    private let mask: Int

    /// Creates a silent history of a number of frames.
    init(channelCount: Int, frames: Int) {
        let size = Self.size(frames)
        samples = Buffer(count: max(1, channelCount) * size, repeating: 0)
        mask = size - 1
    }

    private static func size(_ frames: Int) -> Int {
        var size = 2
        while size < frames { size *= 2 }
        return size
    }

    /// The bytes of a history.
    static func byteCount(channelCount: Int, frames: Int) -> Int {
        4 * max(1, channelCount) * size(frames)
    }

    /// Makes all frames silent.
    @_noLocks
    func clear() { samples.fill(with: 0) }

    /// The sample of a channel in a frame; frames before the first one are silent.
    subscript(channel: Int, frame: Int) -> Float {
        @_noLocks @inline(__always) get { samples[channel * (mask + 1) + frame & mask] }
        @_noLocks @inline(__always) nonmutating set {
            samples[channel * (mask + 1) + frame & mask] = newValue
        }
    }
}
