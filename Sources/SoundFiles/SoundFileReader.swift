internal import CSndfile
internal import Glibc

/// A sound file of any format that libsndfile reads, from any frame on.
///
/// Whole numbers in the file become floats from -1 to 1.
public final class SoundFileReader: SeekableSource {
    /// The file, as it was named.
    public let path: String
    /// Channels, at least 1.
    public let channels: Int
    /// Frames a second.
    public let sampleRate: Double
    /// Frames from the beginning to the end.
    public let frameCount: Int
    /// Whether `frameCount` is a guess from the file's size, so that it may end earlier.
    let guessesLength: Bool
    private let coding: SoundCoding
    private var file: OpaquePointer
    private var position = 0

    /// Opens a file at its first frame (`sf_open`).
    ///
    /// - Throws: `SoundFileFault` where it is not there, is no sound file, or does not say its length.
    public init(path: String) throws(SoundFileFault) {
        guard !Self.isPipe(path) else {
            throw SoundFileFault(path, .reading, "a pipe does not say how long it is")
        }
        var info = SF_INFO()
        file = try Self.open(path, &info)
        self.path = path
        channels = Int(info.channels)
        sampleRate = Double(info.samplerate)
        frameCount = Int(info.frames)
        coding = SoundCoding(info.format)
        guessesLength = coding == .mp3 && !MP3Tag.isThere(path: path)
        let saysLength = info.seekable != 0 && info.frames < sf_count_t.max
        guard saysLength, info.channels > 0, info.samplerate > 0 else {
            throw SoundFileFault(path, .reading, "it does not say how long it is")
        }
    }

    deinit { sf_close(file) }

    private static func open(
        _ path: String, _ info: inout SF_INFO
    ) throws(SoundFileFault) -> OpaquePointer {
        guard let file = sf_open(path, Int32(SFM_READ), &info) else {
            throw SoundFileFault(path, .reading, SoundLibrary.openingFault())
        }
        return file
    }

    /// Whether opening it would wait for somebody to write.
    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Reads the next frames, channel beside channel (`sf_readf_float`).
    ///
    /// - Parameters:
    ///   - frames: How many are wanted.
    ///   - samples: Room for `frames` times `channels`.
    /// - Returns: How many were read: fewer than wanted at the end only, and 0 after it.
    /// - Throws: `SoundFileFault` where the medium fails, or the file ends before it should.
    public func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileFault) -> Int {
        let wanted = min(frames, frameCount - position)
        let count = Int(sf_readf_float(file, samples, sf_count_t(wanted)))
        position += count
        if count == wanted { return count }
        guard sf_error(file) == 0 else {
            throw SoundFileFault(path, .reading, SoundLibrary.fault(of: file))
        }
        if count == 0, !guessesLength { throw .ending(path, after: position, of: frameCount) }
        return count
    }

    /// Goes to a frame, which is the next that is read (`sf_seek`).
    ///
    /// - Parameter frame: From 0 through `frameCount`.
    /// - Throws: `SoundFileFault` where the medium fails.
    public func seek(to frame: Int) throws(SoundFileFault) {
        let target = min(max(0, frame), frameCount)
        let start = max(0, target - coding.leadFrames)
        if !(start...target).contains(position) {
            if coding == .vorbis { try reopen() }
            guard sf_seek(file, sf_count_t(start), SEEK_SET) == sf_count_t(start) else {
                throw SoundFileFault(path, .reading, SoundLibrary.fault(of: file))
            }
            position = start
        }
        try skip(target - position)
    }

    /// libsndfile 1.2 lands elsewhere in Ogg Vorbis once the file was read.
    private func reopen() throws(SoundFileFault) {
        var info = SF_INFO()
        let fresh = try Self.open(path, &info)
        sf_close(file)
        file = fresh
    }
}
