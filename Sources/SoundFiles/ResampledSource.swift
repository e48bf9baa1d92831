internal import CSamplerate

/// Sound at another rate than its source has, by libsamplerate's best sinc (145 dB, 97 % of the band).
///
/// Its frame 0 is the source's frame 0: the converter's delay is taken out. Memory does not grow with the length.
public final class ResampledSource: FrameSource {
    /// Channels, at least 1.
    public let channels: Int
    /// Frames a second.
    public let sampleRate: Double
    /// The source's duration at the new rate, rounded to whole frames.
    public let frameCount: Int

    private static let pieceFrames = 4096
    private let source: any FrameSource
    private let path: String
    private let ratio: Double
    private let converter: OpaquePointer
    private let piece: UnsafeMutablePointer<Float>
    private var pieceStart = 0
    private var pieceCount = 0
    private var sourceEnded = false
    private var framesGiven = 0

    /// A source at another rate.
    ///
    /// - Parameters:
    ///   - source: What is converted, at its first frame.
    ///   - sampleRate: Frames a second, from a 256th through 256 times the source's.
    ///   - path: The file that a fault names.
    /// - Throws: `SoundFileFault` where the rates lie too far apart.
    public init(
        _ source: any FrameSource, at sampleRate: Double, path: String
    ) throws(SoundFileFault) {
        self.source = source
        self.sampleRate = sampleRate
        self.path = path
        channels = source.channels
        ratio = sampleRate / source.sampleRate
        frameCount = Int((Double(source.frameCount) * ratio).rounded())
        var status: Int32 = 0
        let quality = Int32(SRC_SINC_BEST_QUALITY)
        guard src_is_valid_ratio(ratio) != 0,
            let converter = src_new(quality, Int32(source.channels), &status)
        else {
            let rates = "\(Int(source.sampleRate)) Hz to \(Int(sampleRate)) Hz"
            throw SoundFileFault(path, .reading, "its rate can't be converted from \(rates)")
        }
        self.converter = converter
        piece = .allocate(capacity: Self.pieceFrames * source.channels)
    }

    deinit {
        src_delete(converter)
        piece.deallocate()
    }

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
        let wanted = min(frames, frameCount - framesGiven)
        var count = 0
        while count < wanted {
            if pieceCount == 0, !sourceEnded { try refill() }
            let made = try convert(wanted - count, into: samples + count * channels)
            if made == 0, sourceEnded, pieceCount == 0 { break }
            count += made
        }
        // The converter may end a frame before the rounded duration does.
        (samples + count * channels).update(repeating: 0, count: (wanted - count) * channels)
        framesGiven += wanted
        return wanted
    }

    private func refill() throws(SoundFileFault) {
        pieceStart = 0
        pieceCount = try source.read(Self.pieceFrames, into: piece)
        sourceEnded = pieceCount < Self.pieceFrames
    }

    /// Converts what is in the piece, as far as there is room (`src_process`).
    private func convert(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileFault) -> Int {
        var call = SRC_DATA()
        call.data_in = UnsafePointer(piece + pieceStart * channels)
        call.input_frames = pieceCount
        call.data_out = samples
        call.output_frames = frames
        call.end_of_input = sourceEnded ? 1 : 0
        call.src_ratio = ratio
        let status = src_process(converter, &call)
        guard status == 0 else {
            let reason = src_strerror(status).map { String(cString: $0) } ?? "unknown reason"
            throw SoundFileFault(path, .reading, reason)
        }
        pieceStart += call.input_frames_used
        pieceCount -= call.input_frames_used
        return call.output_frames_gen
    }
}

extension SoundFileReader {
    /// The file at a rate: itself where it has that rate, otherwise converted.
    ///
    /// - Throws: `SoundFileFault` where the rates lie too far apart.
    public func frames(at sampleRate: Double) throws(SoundFileFault) -> any FrameSource {
        if self.sampleRate == sampleRate { return self }
        return try ResampledSource(self, at: sampleRate, path: path)
    }
}
