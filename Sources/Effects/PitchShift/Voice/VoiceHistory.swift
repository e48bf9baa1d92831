internal import CRealtime
internal import Realtime

/// The latest input of each channel.
struct VoiceHistory: BitwiseCopyable {
    // SAFETY: the place lives from `init` through `deallocate`, which the owner calls at its own end.
    private let frames: UnsafeMutablePointer<Float>
    private let channelCount: Int
    /// Frames that are kept, a power of two and a multiple of a step.
    private let size: Int
    /// Frames that are there a second time after the last, so that a step can be read without looking where it wraps.
    private let guardFrames: Int

    /// Room for what the slowest grain of the lowest voice reaches back to: eight of its periods.
    init(channelCount: Int, stepFrames: Int) {
        self.channelCount = channelCount
        size = 128 * stepFrames
        guardFrames = stepFrames + 16
        frames = .allocate(capacity: channelCount * (size + guardFrames))
        reset()
    }

    func deallocate() { frames.deallocate() }

    /// Frames that are kept.
    var memoryFrames: Int { size }

    @_noLocks
    func reset() { rt_clear(frames, Int64(channelCount * (size + guardFrames))) }

    /// Keeps frames that do not cross the end of a step; what is not finite becomes 0.
    @_noLocks
    func take(_ input: UnsafePointer<Float>, channel: Int, firstFrame: Int, count: Int) {
        let place = firstFrame & (size - 1)
        let own = frames + channel * (size + guardFrames)
        rt_copy(own + place, input, Int64(count))
        if !rt_is_finite(input, Int64(count)) {
            for frame in place..<place + count where !own[frame].isFinite { own[frame] = 0 }
        }
        guard place < guardFrames else { return }
        rt_copy(own + size + place, own + place, Int64(min(count, guardFrames - place)))
    }

    /// A frame of a channel; as many as the guard follow.
    @_noLocks @inline(__always)
    func place(channel: Int, frame: Int) -> UnsafePointer<Float> {
        UnsafePointer(frames + channel * (size + guardFrames) + (frame & (size - 1)))
    }
}
