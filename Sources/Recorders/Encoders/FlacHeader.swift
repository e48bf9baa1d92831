/// The part of FLAC's STREAMINFO that holds the count of frames.
struct FlacHeader {
    let channelCount: Int
    let sampleRate: Int
    let bits: Int

    /// Where `countBytes` stand: behind the marker, the block's header, and the sizes of blocks and frames.
    static let countPlace = 4 + 4 + 10

    /// Rate (20 bits), channels (3), bits a sample (5), frames (36).
    func countBytes(frameCount: Int) -> [UInt8] {
        let number =
            UInt64(sampleRate) << 44 | UInt64(channelCount - 1) << 41 | UInt64(bits - 1) << 36
            | UInt64(frameCount)
        return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
