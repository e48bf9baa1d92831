internal import Glibc

/// A sound file that a child ffmpeg decodes, for what libsndfile does not read: M4A, ALAC, WMA, the sound of a video.
///
/// Its frames are those of a decoding from the beginning. Where a file counts in frames, ffmpeg goes to a place by that;
/// elsewhere it decodes up to it, and once through when the file is opened, to know the length. Only what is read is held.
final class DecodedFile: SeekableSource {
    let path: String
    let channels: Int
    let sampleRate: Double
    let frameCount: Int
    private let canSeek: Bool
    private var stream: DecodedStream?
    private var position = 0

    /// What a decoder needs before a place to come out as it would have from the beginning.
    private var leadFrames: Int { Int(2 * sampleRate) }
    /// What containers that count in coarser units than frames may promise too much.
    private static let slackFrames = 4096

    /// Opens a file at its first frame.
    ///
    /// - Throws: `SoundFileFault` where ffmpeg is not installed, finds no sound, or fails.
    init(path: String) throws(SoundFileFault) {
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
    ) throws(SoundFileFault) -> Int {
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

    private func current() throws(SoundFileFault) -> DecodedStream {
        if let stream { return stream }
        let first = canSeek && position > 2 * leadFrames ? position : 0
        let stream = try DecodedStream(
            path, channels, Int(sampleRate), from: first, lead: leadFrames)
        self.stream = stream
        return stream
    }
}
