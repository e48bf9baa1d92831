internal import Glibc

/// Opens sound files of any format with libsndfile, or otherwise with a child process `ffmpeg`.
public enum SoundFile {
    /// Opens a file at its first frame.
    ///
    /// - Throws: `SoundFileError` if the file does not exist, its format is not known, or it has
    ///   no sound.
    public static func open(_ path: String) throws(SoundFileError) -> any SeekableSource {
        let reader: SoundFileReader
        do throws(SoundFileError) {
            reader = try SoundFileReader(path: path)
        } catch {
            guard isReadableFile(path) else { throw error }
            return try DecodedFile(path: path)
        }
        if reader.guessesLength, let decoded = try? DecodedFile(path: path) { return decoded }
        return reader
    }

    /// Returns the channels, the rate and the length of a file.
    ///
    /// - Throws: `SoundFileError` if the file does not exist, its format is not known, or it has
    ///   no sound.
    public static func facts(of path: String) throws(SoundFileError) -> SoundFacts {
        let source = try open(path)
        return SoundFacts(
            channels: source.channels, sampleRate: source.sampleRate, frameCount: source.frameCount)
    }

    private static func isReadableFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_size > 0 && access(path, R_OK) == 0
    }
}

/// The channels, the sample rate and the length of a sound file.
public struct SoundFacts: Sendable, Equatable {
    /// The number of channels, at least 1.
    public let channels: Int
    /// The sample rate in Hz.
    public let sampleRate: Double
    /// The length in frames.
    public let frameCount: Int

    /// The length in seconds.
    public var seconds: Double { Double(frameCount) / sampleRate }
}
