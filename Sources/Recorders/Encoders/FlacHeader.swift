/// The part of FLAC's STREAMINFO block that contains the frame count.
struct FlacHeader {
    let channelCount: Int
    let sampleRate: Int
    let bits: Int

    /// The offset of `countBytes` in the file: after the marker, the block header and the sizes.
    static let countOffset = 4 + 4 + 10

    /// Returns the sample rate (20 bits), channels (3), bits per sample (5) and frame count (36).
    func countBytes(frameCount: Int) -> [UInt8] {
        let number =
            UInt64(sampleRate) << 44 | UInt64(channelCount - 1) << 41 | UInt64(bits - 1) << 36
            | UInt64(frameCount)
        return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
