internal import CVorbis
internal import Realtime

/// Writes Ogg Vorbis in pages of at most a quarter of a second.
///
/// A page is readable once it is in the file. Without the limit, a page of silence would contain
/// six seconds.
final class VorbisEncoder: TakeEncoder {
    private let file: GrowingFile
    private let channelCount: Int
    private let pageFrames: Int
    private let stream: VorbisStream
    /// The byte offset where the last page ends.
    private var wholeBytes = 0
    /// Frames collected for the encoder, `wholePieceFrames` per channel, one channel after the
    /// other.
    ///
    /// The encoder always receives pieces of the same size, so that the file does not depend on the
    /// block size.
    private let piece: Buffer<Float>
    private var pieceFrames = 0
    private(set) var safeFrames = 0

    /// The quality of the encoder, about 192 kbit/s for stereo.
    private static let quality: Float = 0.6
    private static let wholePieceFrames = 1024

    init(
        _ file: GrowingFile, channelCount: Int, sampleRate: Int, serial: Int
    ) throws(TakeError) {
        self.file = file
        self.channelCount = channelCount
        pageFrames = max(1, sampleRate / 4)
        piece = Buffer(count: channelCount * Self.wholePieceFrames, repeating: 0)
        guard
            let stream = VorbisStream(
                channelCount: channelCount, sampleRate: sampleRate, quality: Self.quality,
                serial: serial)
        else {
            throw TakeError(
                "Ogg Vorbis does not support \(channelCount) channels at \(sampleRate) Hz")
        }
        self.stream = stream
        stream.addHeaders()
        try writePages(all: true)
    }

    func write(
        _ frames: Int, from channels: UnsafePointer<UnsafePointer<Float>>
    ) throws(TakeError) {
        var first = 0
        while first < frames {
            let count = min(frames - first, Self.wholePieceFrames - pieceFrames)
            for channel in 0..<channelCount {
                let collected = piece.start + channel * Self.wholePieceFrames + pieceFrames
                for frame in 0..<count {
                    let sample = channels[channel][first + frame]
                    collected[frame] = sample.isFinite ? sample : 0
                }
            }
            pieceFrames += count
            first += count
            if pieceFrames == Self.wholePieceFrames { try encodePiece() }
        }
    }

    func writeSilence(_ frames: Int) throws(TakeError) {
        try encodeSilence(frames, channelCount: channelCount)
    }

    /// Does nothing: each page is complete.
    func keep() throws(TakeError) {}

    func finish() throws(TakeError) {
        try encodePiece()
        stream.end()
        try writePackets()
        try writePages(all: true)
        file.close()
    }

    func giveUp() {
        file.cut(to: wholeBytes)
        file.close()
    }

    private func encodePiece() throws(TakeError) {
        guard pieceFrames > 0 else { return }
        stream.add(pieceFrames, from: piece.start, stride: Self.wholePieceFrames)
        pieceFrames = 0
        try writePackets()
    }

    private func writePackets() throws(TakeError) {
        while stream.nextPacket() {
            try writePages(all: stream.packedFrames - safeFrames >= pageFrames)
        }
    }

    private func writePages(all: Bool) throws(TakeError) {
        while let page = stream.nextPage(all: all) {
            // Write each page in one call, so that the end of the process cannot split a page.
            try file.append(page.bytes, page.bytes.count)
            wholeBytes = file.byteCount
            safeFrames = max(safeFrames, page.endFrame)
        }
    }
}
