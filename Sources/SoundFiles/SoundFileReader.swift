internal import CSndfile
internal import Glibc

/// Reads a sound file of any format that libsndfile supports, from any frame.
///
/// Integer samples become floats from -1 to 1.
public final class SoundFileReader: SeekableSource {
    /// The path of the file, as the caller wrote it.
    public let path: String
    /// The number of channels, at least 1.
    public let channels: Int
    /// The sample rate in Hz.
    public let sampleRate: Double
    /// The length in frames.
    public let frameCount: Int
    /// Whether `frameCount` is an estimate from the file's size, so that the file may end earlier.
    let guessesLength: Bool
    private let coding: SoundCoding
    private var file: OpaquePointer
    private var position = 0

    /// Opens a file at its first frame (`sf_open`).
    ///
    /// - Throws: `SoundFileError` if the file does not exist, has no sound or does not state its
    ///   length.
    public init(path: String) throws(SoundFileError) {
        if let reason = Self.error(of: path) { throw SoundFileError(path, .reading, reason) }
        var info = SF_INFO()
        file = try Self.open(path, &info)
        self.path = path
        channels = Int(info.channels)
        sampleRate = Double(info.samplerate)
        frameCount = Int(info.frames)
        coding = SoundCoding(info.format)
        guessesLength = coding == .mp3 && !MP3Tag.isThere(path: path)
        let saysLength = info.seekable != 0 && info.frames < sf_count_t.max
        guard saysLength, info.channels > 0, info.samplerate > 0, info.frames >= 0 else {
            throw SoundFileError(path, .reading, "it does not state its length")
        }
        guard frameCount <= SoundFileLimits.maximumFrames else {
            throw SoundFileLimits.tooLong(path, frames: frameCount)
        }
    }

    deinit { sf_close(file) }

    private static func open(
        _ path: String, _ info: inout SF_INFO
    ) throws(SoundFileError) -> OpaquePointer {
        guard let file = sf_open(path, Int32(SFM_READ), &info) else {
            throw SoundFileError(path, .reading, SoundLibrary.openingError())
        }
        return file
    }

    /// Returns why a path must not be opened; `nil` if it can be tried.
    ///
    /// Opening something other than a regular file could block, never end, or have side effects.
    private static func error(of path: String) -> String? {
        var status = stat()
        // If the file does not exist, the library reports the system's error.
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG where status.st_size == 0: return "it is empty"
        case S_IFREG: return nil
        case S_IFIFO: return "it is a pipe, which has no known length"
        case S_IFDIR: return "it is a folder"
        default: return "it is not a regular file"
        }
    }

    /// Reads the next frames, interleaved (`sf_readf_float`).
    ///
    /// - Parameters:
    ///   - frames: The number of frames to read.
    ///   - samples: Room for `frames` times `channels` samples.
    /// - Returns: The number of frames read: less than `frames` only at the end, and 0 after it.
    /// - Throws: `SoundFileError` if the medium fails or the file ends too early.
    public func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileError) -> Int {
        let wanted = min(frames, frameCount - position)
        let count = Int(sf_readf_float(file, samples, sf_count_t(wanted)))
        position += count
        if count == wanted { return count }
        guard sf_error(file) == 0 else {
            throw SoundFileError(path, .reading, SoundLibrary.error(of: file))
        }
        if count == 0, !guessesLength { throw .ending(path, after: position, of: frameCount) }
        return count
    }

    /// Moves to a frame, which is read next (`sf_seek`).
    ///
    /// - Parameter frame: The frame, from 0 through `frameCount`.
    /// - Throws: `SoundFileError` if the medium fails.
    public func seek(to frame: Int) throws(SoundFileError) {
        let target = min(max(0, frame), frameCount)
        let start = max(0, target - coding.leadFrames)
        if !(start...target).contains(position) {
            if coding == .vorbis { try reopen() }
            guard sf_seek(file, sf_count_t(start), SEEK_SET) == sf_count_t(start) else {
                throw SoundFileError(path, .reading, SoundLibrary.error(of: file))
            }
            position = start
        }
        try skip(target - position)
    }

    /// Reopens the file, because libsndfile 1.2 seeks to a wrong frame in Ogg Vorbis after a read.
    private func reopen() throws(SoundFileError) {
        var info = SF_INFO()
        let fresh = try Self.open(path, &info)
        sf_close(file)
        file = fresh
    }
}
