/// The limits on the values in the header of a sound file.
enum SoundFileLimits {
    /// The largest number of frames, 265 days at 48 kHz.
    ///
    /// Headers and tags can announce far more frames than any disk stores.
    static let maximumFrames = 1 << 40
    /// The largest number of channels; the same as in libsndfile.
    static let maximumChannels = 1024
    /// The highest sample rate, in Hz.
    static let maximumHertz = 10_000_000

    /// Returns the error for a file that announces too many frames.
    static func tooLong(_ path: String, frames: Int) -> SoundFileError {
        SoundFileError(
            path, .reading,
            "it declares \(frames) frames, but at most \(maximumFrames) are supported")
    }
}
