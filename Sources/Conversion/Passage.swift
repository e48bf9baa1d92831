internal import SoundFiles

/// The part of an input that is wanted, at the rate and with the channels that are wanted.
final class Passage {
    let channels: Int
    let sampleRate: Double
    /// Frames from its beginning to its end.
    let frameCount: Int
    private let source: any SeekableSource
    private let fit: ChannelFit
    private let firstFrame: Int
    private var rest = 0
    private let piece: UnsafeMutablePointer<Float>

    /// How many frames come at most at a time.
    static let pieceFrames = 4096

    /// Opens the input of a request.
    ///
    /// - Throws: `ConversionFault` where it can't be read, or has no such part or channels.
    init(_ request: ConversionRequest) throws(ConversionFault) {
        let source = try onFiles { () throws(SoundFileFault) in
            let file = try SoundFile.open(request.input)
            return try file.frames(at: request.sampleRate ?? file.sampleRate)
        }
        let (rate, length) = (source.sampleRate, source.frameCount)
        let channels = request.channels ?? source.channels
        guard let fit = ChannelFit(from: source.channels, to: channels) else {
            throw .request(
                "'\(request.input)' has \(source.channels) channels: it can keep them, or become 1")
        }
        let first = Int((request.startSeconds * rate).rounded())
        guard first < length || first == 0 else {
            throw .request(
                "'\(request.input)' is over before \(request.startSeconds) s, where it is to begin")
        }
        let end = request.endSeconds.map { Int(($0 * rate).rounded()) } ?? length
        (self.source, self.fit, self.channels, sampleRate) = (source, fit, channels, rate)
        firstFrame = first
        frameCount = min(end, length) - first
        piece = .allocate(capacity: Self.pieceFrames * source.channels)
    }

    deinit { piece.deallocate() }

    /// Goes to its beginning.
    func rewind() throws(ConversionFault) {
        rest = frameCount
        try onFiles { () throws(SoundFileFault) in try source.seek(to: firstFrame) }
    }

    /// Gives its next frames, `pieceFrames` at most, and how many they are; 0 at the end.
    func read(into samples: UnsafeMutablePointer<Float>) throws(ConversionFault) -> Int {
        let count = try onFiles { () throws(SoundFileFault) in
            try source.read(min(Self.pieceFrames, rest), into: piece)
        }
        rest -= count
        fit.fit(count, piece, into: samples)
        return count
    }
}
