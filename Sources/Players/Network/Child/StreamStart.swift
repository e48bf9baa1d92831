/// Where ffmpeg begins so that the sound goes on at a frame as if it had played all before.
///
/// It begins some tenths of a second earlier, so that decoders have what they need of the sound before; what is too
/// much is left out. The beginning lies at a multiple of 40 ms: that is a whole frame at all usual rates, so the
/// resampler meets the same phases as if it had come from the start.
struct StreamStart: Equatable {
    /// Where ffmpeg begins, in microseconds.
    let microseconds: Int
    /// The same in frames.
    let beginFrame: Int
    /// Frames to leave out.
    let skippedFrames: Int

    /// The place to begin at.
    ///
    /// - Parameters:
    ///   - frame: The first frame that is wanted.
    ///   - sampleRate: Frames a second.
    ///   - hasPlaces: Whether ffmpeg finds a place in the sound; else all before is left out.
    init(frame: Int, sampleRate: Int, hasPlaces: Bool) {
        let stepsASecond = sampleRate % 25 == 0 ? 25 : 1
        let stepFrames = sampleRate / stepsASecond
        let step = !hasPlaces ? 0 : max(0, frame / stepFrames - (stepsASecond == 25 ? 5 : 1))
        microseconds = step * 1_000_000 / stepsASecond
        beginFrame = step * stepFrames
        skippedFrames = frame - beginFrame
    }
}
