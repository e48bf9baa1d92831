internal import CRealtime
internal import Realtime

/// The latest input of each channel.
struct VoiceHistory: ~Copyable {
    private let frames: Buffer<Float>
    private let channelCount: Int
    /// The number of frames per channel: a power of two and a multiple of a step.
    private let size: Int
    /// The number of frames that are repeated after the last one, so that a step, or the taps of an
    /// interpolator, can be read without wrapping.
    private let guardFrames: Int

    /// Creates a silent history.
    ///
    /// It is long enough for the slowest grain of the lowest voice: eight of its periods.
    init(channelCount: Int, stepFrames: Int) {
        self.channelCount = channelCount
        size = 256 * stepFrames
        guardFrames = max(stepFrames, 128) + 16
        frames = Buffer(count: channelCount * (size + guardFrames), repeating: 0)
    }

    /// The number of frames per channel.
    var memoryFrames: Int { size }

    @_noLocks
    func reset() { rt_clear(frames.start, Int64(frames.count)) }

    /// Stores frames that do not cross the end of a step; samples that are not finite become 0.
    @_noLocks
    func write(_ input: UnsafePointer<Float>, channel: Int, firstFrame: Int, count: Int) {
        let index = firstFrame & (size - 1)
        let own = frames.start + channel * (size + guardFrames)
        rt_copy(own + index, input, Int64(count))
        if !rt_is_finite(input, Int64(count)) {
            for frame in index..<index + count where !own[frame].isFinite { own[frame] = 0 }
        }
        guard index < guardFrames else { return }
        rt_copy(own + size + index, own + index, Int64(min(count, guardFrames - index)))
    }

    /// Returns the address of a frame; at least `guardFrames` frames follow it.
    @_noLocks @inline(__always)
    func address(channel: Int, frame: Int) -> UnsafePointer<Float> {
        UnsafePointer(frames.start + channel * (size + guardFrames) + (frame & (size - 1)))
    }
}
