internal import Glibc

/// Sound files of any format: libsndfile reads what it knows, a child ffmpeg the rest.
public enum SoundFile {
    /// Opens a file at its first frame.
    ///
    /// - Throws: `SoundFileFault` where it is not there, neither knows its format, or it holds no sound.
    public static func open(_ path: String) throws(SoundFileFault) -> any SeekableSource {
        let reader: SoundFileReader
        do throws(SoundFileFault) {
            reader = try SoundFileReader(path: path)
        } catch {
            guard isReadableFile(path) else { throw error }
            return try DecodedFile(path: path)
        }
        if reader.guessesLength, let decoded = try? DecodedFile(path: path) { return decoded }
        return reader
    }

    /// What a file holds.
    ///
    /// - Throws: `SoundFileFault` where it is not there, neither knows its format, or it holds no sound.
    public static func facts(of path: String) throws(SoundFileFault) -> SoundFacts {
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

/// What a sound file holds.
public struct SoundFacts: Sendable, Equatable {
    /// Channels, at least 1.
    public let channels: Int
    /// Frames a second.
    public let sampleRate: Double
    /// Frames from the beginning to the end.
    public let frameCount: Int

    /// How long it plays.
    public var seconds: Double { Double(frameCount) / sampleRate }
}
