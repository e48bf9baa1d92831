internal import DSP

/// Sound at another rate than its source has, by our own `Resampler`.
///
/// Its frame n is the source at the same time, to the last bit of the ratio, wherever reading began. Memory does not grow
/// with the length.
public final class ResampledSource: SeekableSource {
    /// The file that a fault names.
    public var path: String { source.path }
    /// Channels, at least 1.
    public let channels: Int
    /// Frames a second.
    public let sampleRate: Double
    /// The source's duration at the new rate, rounded to whole frames.
    public let frameCount: Int

    /// What the resampler takes at once whenever it has nothing left to give.
    private static let pieceFrames = 1024
    private let source: any SeekableSource
    private var resampler: Resampler
    private let piece: UnsafeMutablePointer<Float>
    private var position = 0

    /// A source at another rate.
    ///
    /// - Parameters:
    ///   - source: What is converted, at its first frame.
    ///   - sampleRate: Frames a second, from a 256th through 256 times the source's.
    /// - Throws: `SoundFileFault` where the rates lie too far apart.
    public init(_ source: any SeekableSource, at sampleRate: Double) throws(SoundFileFault) {
        self.source = source
        self.sampleRate = sampleRate
        channels = source.channels
        let ratio = sampleRate / source.sampleRate
        guard (1.0 / 256...256).contains(ratio) else {
            let rates = "\(Int(source.sampleRate)) Hz to \(Int(sampleRate)) Hz"
            throw SoundFileFault(
                source.path, .reading, "its rate can't be converted from \(rates)")
        }
        frameCount = Int((Double(source.frameCount) * ratio).rounded())
        resampler = Resampler(
            from: source.sampleRate, to: sampleRate, channelCount: source.channels)
        piece = .allocate(capacity: Self.pieceFrames * source.channels)
    }

    deinit { piece.deallocate() }

    /// Reads the next frames, channel beside channel.
    ///
    /// - Parameters:
    ///   - frames: How many are wanted.
    ///   - samples: Room for `frames` times `channels`.
    /// - Returns: How many were read: fewer than wanted at the end only, and 0 after it.
    /// - Throws: `SoundFileFault` where the medium fails.
    public func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileFault) -> Int {
        let wanted = min(frames, frameCount - position)
        var count = resampler.read(wanted, into: samples)
        while count < wanted {
            try feed()
            count += resampler.read(wanted - count, into: samples + count * channels)
        }
        position += wanted
        return wanted
    }

    /// Goes to a frame, which is the next that is read.
    ///
    /// - Parameter frame: From 0 through `frameCount`.
    /// - Throws: `SoundFileFault` where the medium fails.
    public func seek(to frame: Int) throws(SoundFileFault) {
        position = min(max(0, frame), frameCount)
        let first = resampler.reset(toOutputFrame: position)
        try source.seek(to: min(first, source.frameCount))
    }

    /// Hands the source's next frames over; after its end, silence.
    private func feed() throws(SoundFileFault) {
        let count = try source.read(Self.pieceFrames, into: piece)
        _ = resampler.write(
            count > 0 ? count : Self.pieceFrames, from: count > 0 ? UnsafePointer(piece) : nil)
    }
}
