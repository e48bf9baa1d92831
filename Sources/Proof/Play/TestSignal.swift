internal import Glibc

/// The test signal of inputs without a sound: four syllables of noise with a chord, at about
/// -20 dBFS.
///
/// It ends at the level at which it begins, silence, so that it can be repeated.
struct TestSignal {
    private static let chord = [110.0, 220, 329.6, 554.4]
    private static let amplitude = 0.17

    /// Returns a steady tone with whole periods, at -20 dBFS.
    ///
    /// It begins at its peak, so that a change at its beginning jumps as far as possible.
    static func tone(frames: Int, sampleRate: Double) -> [Float] {
        let periods = max(1, (110 * Double(frames) / sampleRate).rounded())
        return (0..<frames).map {
            Float(0.1 * cos(2 * .pi * periods * Double($0) / Double(frames)))
        }
    }

    /// Returns a sound that begins in silence and reaches its level within a tenth of its length.
    static func fadingIn(_ sound: [Float]) -> [Float] {
        let ramp = Float(max(1, sound.count / 10))
        return sound.enumerated().map { frame, sample in
            let place = min(1, Float(frame) / ramp)
            return sample * place * place * (3 - 2 * place)
        }
    }

    /// Returns the signal.
    ///
    /// - Parameters:
    ///   - frames: The length of one repetition, at least 4.
    ///   - sampleRate: In Hz.
    /// - Returns: The samples.
    static func samples(frames: Int, sampleRate: Double) -> [Float] {
        let syllable = max(1, frames / 4)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        var noise = 0.0
        return (0..<frames).map { frame in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            // Low-passed, because voices and strings have little energy in the highest octaves.
            noise += 0.3 * (2 * Double(state >> 11) / Double(1 << 53) - 1 - noise)
            let seconds = Double(frame) / sampleRate
            let tone = chord.reduce(0) { $0 + sin(2 * .pi * $1 * seconds) } / Double(chord.count)
            let place = Double(frame % syllable) / Double(syllable)
            let envelope = sin(.pi * place)
            // The first half of each syllable is mostly noise, the second half mostly tone.
            let share = place < 0.5 ? 0.3 : 0.9
            return Float(amplitude * envelope * (share * 2.2 * tone + (1 - share) * 2.5 * noise))
        }
    }
}
