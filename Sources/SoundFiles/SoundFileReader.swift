internal import CSndfile
internal import Glibc

/// A sound file of any format that libsndfile reads, from its first frame to its last.
///
/// Whole numbers in the file become floats from -1 to 1.
public final class SoundFileReader: FrameSource {
    /// The file, as it was named.
    public let path: String
    /// Channels, at least 1.
    public let channels: Int
    /// Frames a second.
    public let sampleRate: Double
    /// Frames from the beginning to the end.
    public let frameCount: Int
    private let file: OpaquePointer

    /// Opens a file at its first frame (`sf_open`).
    ///
    /// - Throws: `SoundFileFault` where it is not there, is no sound file, or does not say its length.
    public init(path: String) throws(SoundFileFault) {
        guard !Self.isPipe(path) else {
            throw SoundFileFault(path, .reading, "a pipe does not say how long it is")
        }
        var info = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &info) else {
            throw SoundFileFault(path, .reading, SoundLibrary.openingFault())
        }
        self.path = path
        self.file = file
        channels = Int(info.channels)
        sampleRate = Double(info.samplerate)
        frameCount = Int(info.frames)
        guard info.seekable != 0, info.channels > 0, info.samplerate > 0 else {
            throw SoundFileFault(path, .reading, "it does not say how long it is")
        }
    }

    deinit { sf_close(file) }

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
    /// - Throws: `SoundFileFault` where the medium fails.
    public func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileFault) -> Int {
        let count = Int(sf_readf_float(file, samples, sf_count_t(frames)))
        if count < frames, sf_error(file) != 0 {
            throw SoundFileFault(path, .reading, SoundLibrary.fault(of: file))
        }
        return count
    }
}
