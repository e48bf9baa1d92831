internal import CVorbis

/// Writes Ogg Vorbis in pages of a quarter of a second at most.
///
/// A page can be read as soon as it is in the file. Left alone, one of silence would hold six seconds.
final class VorbisEncoder: TakeEncoder {
    private let file: GrowingFile
    private let channelCount: Int
    private let pageFrames: Int
    private let stream: VorbisStream
    /// Where the last page ends.
    private var wholeBytes = 0
    /// What is too little for the encoder still, so that the same sound makes the same file however it comes in.
    private let piece: [UnsafeMutablePointer<Float>]
    private var pieceFrames = 0
    private(set) var safeFrames = 0

    /// About 192 kbit/s for stereo.
    private static let quality: Float = 0.6
    private static let wholePieceFrames = 1024

    init(
        _ file: GrowingFile, channelCount: Int, sampleRate: Int, serial: Int
    ) throws(TakeFault) {
        self.file = file
        self.channelCount = channelCount
        pageFrames = max(1, sampleRate / 4)
        piece = (0..<channelCount).map { _ in .allocate(capacity: Self.wholePieceFrames) }
        guard
            let stream = VorbisStream(
                channelCount: channelCount, sampleRate: sampleRate, quality: Self.quality,
                serial: serial)
        else {
            throw TakeFault("Ogg Vorbis has no \(channelCount) channels at \(sampleRate) Hz")
        }
        self.stream = stream
        stream.addHeaders()
        try writePages(all: true)
    }

    deinit { for channel in piece { channel.deallocate() } }

    func write(
        _ frames: Int, from channels: UnsafePointer<UnsafePointer<Float>>
    ) throws(TakeFault) {
        var first = 0
        while first < frames {
            let count = min(frames - first, Self.wholePieceFrames - pieceFrames)
            for channel in 0..<channelCount {
                for frame in 0..<count {
                    let sample = channels[channel][first + frame]
                    piece[channel][pieceFrames + frame] = sample.isFinite ? sample : 0
                }
            }
            pieceFrames += count
            first += count
            if pieceFrames == Self.wholePieceFrames { try encodePiece() }
        }
    }

    func writeSilence(_ frames: Int) throws(TakeFault) {
        try encodeSilence(frames, channelCount: channelCount)
    }

    /// The pages are whole by themselves.
    func keep() throws(TakeFault) {}

    func finish() throws(TakeFault) {
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

    private func encodePiece() throws(TakeFault) {
        guard pieceFrames > 0 else { return }
        stream.add(pieceFrames, from: piece)
        pieceFrames = 0
        try writePackets()
    }

    private func writePackets() throws(TakeFault) {
        while stream.nextPacket() {
            try writePages(all: stream.packedFrames - safeFrames >= pageFrames)
        }
    }

    private func writePages(all: Bool) throws(TakeFault) {
        while let page = stream.nextPage(all: all) {
            // One write, so that the end of the program leaves it whole or not there at all.
            try file.append(page.bytes, page.bytes.count)
            wholeBytes = file.byteCount
            safeFrames = max(safeFrames, page.endFrame)
        }
    }
}
