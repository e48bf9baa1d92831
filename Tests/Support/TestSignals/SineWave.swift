internal import Glibc

/// Returns a sine of the given frequency and amplitude, starting at phase 0.
public func sineWave(_ hertz: Double, amplitude: Double = 0.5, frames: Int, sampleRate: Double)
    -> [Float]
{
    (0..<frames).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / sampleRate)) }
}

/// Returns white noise between -amplitude and amplitude, the same for the same seed.
public func whiteNoise(amplitude: Float = 0.5, frames: Int, seed: UInt64 = 1) -> [Float] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<frames).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return amplitude * (Float(state >> 40) / Float(1 << 23) - 1)
    }
}
