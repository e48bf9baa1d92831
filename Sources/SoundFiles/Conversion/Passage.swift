internal import Realtime

/// The requested part of an input, at the requested rate and with the requested channels.
final class Passage {
    let channels: Int
    let sampleRate: Double
    /// The length of the part in frames.
    let frameCount: Int
    private let source: any SeekableSource
    private let fit: ChannelFit
    private let firstFrame: Int
    private var rest = 0
    private let piece: Buffer<Float>

    /// The largest number of frames per read.
    static let pieceFrames = 4096

    /// Opens the input of a request.
    ///
    /// - Throws: `ConversionError` if the input cannot be read, or does not have the requested part
    ///   or channels.
    init(_ request: ConversionRequest) throws(ConversionError) {
        let source = try onFiles { () throws(SoundFileError) in
            let file = try SoundFile.open(request.input)
            return try file.frames(at: request.sampleRate ?? file.sampleRate)
        }
        let (rate, length) = (source.sampleRate, source.frameCount)
        let channels = request.channels ?? source.channels
        guard let fit = ChannelFit(from: source.channels, to: channels) else {
            throw .request(
                "'\(request.input)' has \(source.channels) channels; "
                    + "the output can have the same number, or 1")
        }
        let first = Int((request.startSeconds * rate).rounded())
        guard first < length || first == 0 else {
            throw .request(
                "'\(request.input)' ends before the start, \(request.startSeconds) s")
        }
        let end = request.endSeconds.map { Int(($0 * rate).rounded()) } ?? length
        (self.source, self.fit, self.channels, sampleRate) = (source, fit, channels, rate)
        firstFrame = first
        frameCount = min(end, length) - first
        piece = Buffer(count: Self.pieceFrames * source.channels, repeating: 0)
    }

    /// Moves to the start of the part.
    func rewind() throws(ConversionError) {
        rest = frameCount
        try onFiles { () throws(SoundFileError) in try source.seek(to: firstFrame) }
    }

    /// Reads the next frames, at most `pieceFrames`, and returns their number; 0 at the end.
    func read(into samples: UnsafeMutablePointer<Float>) throws(ConversionError) -> Int {
        let count = try onFiles { () throws(SoundFileError) in
            try source.read(min(Self.pieceFrames, rest), into: piece.start)
        }
        rest -= count
        fit.fit(count, piece.start, into: samples)
        return count
    }
}
