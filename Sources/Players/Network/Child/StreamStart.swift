/// The position where ffmpeg must start so that the sound is the same as in continuous playback.
///
/// ffmpeg starts some tenths of a second earlier, because decoders need the sound before the
/// position; the surplus is skipped. The start is a multiple of 40 ms. That is a whole number of
/// frames at all usual rates, so the resampler has the same phases as in continuous playback.
struct StreamStart: Equatable {
    /// The start of ffmpeg, in microseconds.
    let microseconds: Int
    /// The start of ffmpeg, in frames.
    let beginFrame: Int
    /// The number of frames to skip.
    let skippedFrames: Int

    /// Calculates the start.
    ///
    /// - Parameters:
    ///   - frame: The first frame to play.
    ///   - sampleRate: The sample rate in Hz.
    ///   - isSeekable: Whether ffmpeg can seek in the sound; if not, everything before is skipped.
    init(frame: Int, sampleRate: Int, isSeekable: Bool) {
        let stepsASecond = sampleRate % 25 == 0 ? 25 : 1
        let stepFrames = sampleRate / stepsASecond
        let step = !isSeekable ? 0 : max(0, frame / stepFrames - (stepsASecond == 25 ? 5 : 1))
        microseconds = step * 1_000_000 / stepsASecond
        beginFrame = step * stepFrames
        skippedFrames = frame - beginFrame
    }
}
