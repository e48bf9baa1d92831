/// White noise at -20 dBFS RMS, identical in every run.
struct Noise {
    /// The RMS of uniform noise is its amplitude divided by the square root of 3.
    private static let amplitude: Float = 0.1 * 1.7320508
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Fills every channel with the next samples.
    mutating func fill(_ buffers: ChannelBuffers) {
        for channel in 0..<buffers.channels {
            let samples = buffers.channel(channel)
            for frame in 0..<buffers.frames { samples[frame] = next() }
        }
    }

    /// Returns the next sample, by Marsaglia's xorshift ("Xorshift RNGs", 2003).
    private mutating func next() -> Float {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Self.amplitude * (Float(state >> 40) / Float(1 << 23) - 1)
    }
}
