internal import DSP
internal import Realtime

/// A sound at another sample rate than its source, converted by `Resampler`.
///
/// Frame n is the source's signal at the time n / `sampleRate`, exact to the last bit of the ratio,
/// regardless of where reading started. The memory does not depend on the length.
public final class ResampledSource: SeekableSource {
    /// The file that errors name.
    public var path: String { source.path }
    /// The number of channels, at least 1.
    public let channels: Int
    /// The sample rate in Hz.
    public let sampleRate: Double
    /// The length of the source at the new rate, rounded to whole frames.
    public let frameCount: Int

    /// The number of frames that the resampler receives when it needs more.
    private static let pieceFrames = 1024
    private let source: any SeekableSource
    private var resampler: Resampler
    private let piece: Buffer<Float>
    private var position = 0

    /// Creates a source at another rate.
    ///
    /// - Parameters:
    ///   - source: The source to convert, positioned at its first frame.
    ///   - sampleRate: The new rate in Hz, from 1/256 to 256 times the rate of the source.
    /// - Throws: `SoundFileError` if the ratio is out of range or the result is too long.
    public init(_ source: any SeekableSource, at sampleRate: Double) throws(SoundFileError) {
        self.source = source
        self.sampleRate = sampleRate
        channels = source.channels
        let ratio = sampleRate / source.sampleRate
        guard (1.0 / 256...256).contains(ratio) else {
            let rates = "\(Int(source.sampleRate)) Hz to \(Int(sampleRate)) Hz"
            throw SoundFileError(
                source.path, .reading, "its sample rate cannot be converted from \(rates)")
        }
        let frames = (Double(source.frameCount) * ratio).rounded()
        guard let count = Int(exactly: frames), count <= SoundFileLimits.maximumFrames else {
            throw SoundFileLimits.tooLong(source.path, frames: source.frameCount)
        }
        frameCount = count
        resampler = Resampler(
            from: source.sampleRate, to: sampleRate, channelCount: source.channels)
        piece = Buffer(count: Self.pieceFrames * source.channels, repeating: 0)
    }

    /// Reads the next frames, interleaved.
    ///
    /// - Parameters:
    ///   - frames: The number of frames to read.
    ///   - samples: Room for `frames` times `channels` samples.
    /// - Returns: The number of frames read: less than `frames` only at the end, and 0 after it.
    /// - Throws: `SoundFileError` if the medium fails.
    public func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileError) -> Int {
        let wanted = min(frames, frameCount - position)
        var count = resampler.read(wanted, into: samples)
        while count < wanted {
            try feed()
            count += resampler.read(wanted - count, into: samples + count * channels)
        }
        position += wanted
        return wanted
    }

    /// Moves to a frame, which is read next.
    ///
    /// - Parameter frame: The frame, from 0 through `frameCount`.
    /// - Throws: `SoundFileError` if the medium fails.
    public func seek(to frame: Int) throws(SoundFileError) {
        position = min(max(0, frame), frameCount)
        let first = resampler.reset(toOutputFrame: position)
        try source.seek(to: min(first, source.frameCount))
    }

    /// Passes the next frames of the source to the resampler; after its end, silence.
    private func feed() throws(SoundFileError) {
        let count = try source.read(Self.pieceFrames, into: piece.start)
        _ = resampler.write(
            count > 0 ? count : Self.pieceFrames, from: count > 0 ? UnsafePointer(piece.start) : nil
        )
    }
}
