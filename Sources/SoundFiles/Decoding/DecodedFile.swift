internal import Glibc

/// A file decoded by a child process `ffmpeg`, for formats that libsndfile does not read.
///
/// Examples are M4A, ALAC, WMA and the sound of a video. The frames are the same as in a decoding
/// from the start. If a file counts time in frames, ffmpeg seeks to a frame. Otherwise it decodes
/// everything before that frame, and the whole file once at opening to find the length. Only the
/// frames being read are in memory.
final class DecodedFile: SeekableSource {
    let path: String
    let channels: Int
    let sampleRate: Double
    let frameCount: Int
    private let canSeek: Bool
    private var stream: DecodedStream?
    private var position = 0

    /// The frames that a decoder needs before a position for the same output as from the start.
    private var leadFrames: Int { Int(2 * sampleRate) }
    /// The surplus frames that a container with a coarse time unit may announce.
    private static let slackFrames = 4096

    /// Opens a file at its first frame.
    ///
    /// - Throws: `SoundFileError` if ffmpeg is not installed, finds no sound or fails.
    init(path: String) throws(SoundFileError) {
        let facts = try DecodedFacts(path: path)
        self.path = path
        channels = facts.channels
        sampleRate = Double(facts.sampleRate)
        canSeek = facts.exactFrames != nil
        if let frames = facts.exactFrames {
            frameCount = frames
        } else {
            frameCount = try DecodedStream(path, facts.channels, facts.sampleRate).countFrames()
        }
    }

    func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileError) -> Int {
        let wanted = min(frames, frameCount - position)
        if wanted <= 0 { return 0 }
        let stream = try current()
        try stream.skip(position - stream.position)
        let count = try stream.read(wanted, into: samples)
        if count < wanted {
            guard frameCount - position - count <= Self.slackFrames else {
                throw .ending(path, after: position + count, of: frameCount)
            }
            (samples + count * channels).update(
                repeating: 0, count: (wanted - count) * channels)
        }
        position += wanted
        return wanted
    }

    func seek(to frame: Int) {
        position = min(max(0, frame), frameCount)
        guard let stream else { return }
        let isNear = canSeek ? position - stream.position <= leadFrames : true
        if position < stream.position || !isNear { self.stream = nil }
    }

    private func current() throws(SoundFileError) -> DecodedStream {
        if let stream { return stream }
        let first = canSeek && position > 2 * leadFrames ? position : 0
        let stream = try DecodedStream(
            path, channels, Int(sampleRate), from: first, lead: leadFrames)
        self.stream = stream
        return stream
    }
}
