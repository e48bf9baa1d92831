import Glibc
import TestSignals

// Synthetic sounds, for use without recordings.

extension Sound {
    /// Returns vowels with pauses between them.
    static func sungSpeech(frames: Int, sampleRate: Double) -> [Float] {
        let syllableFrames = Int(0.28 * sampleRate)
        let pitches = [118.0, 131, 147, 110, 98, 125]
        var sound: [Float] = []
        for (index, pitch) in pitches.enumerated() {
            let next = pitches[(index + 1) % pitches.count]
            let sung = SungVowel().sung(
                from: pitch, to: next, frames: syllableFrames, sampleRate: sampleRate
            ).sound
            let gap = index % 3 == 2 ? 0.12 : 0.03
            sound += sung.enumerated().map { $1 * edge($0, syllableFrames, sampleRate) }
            sound += [Float](repeating: 0, count: Int(gap * sampleRate))
        }
        return sound
    }

    /// Returns plucked chords with drums.
    static func chordsAndDrums(sampleRate: Double) -> [Float] {
        let beatFrames = Int(0.4 * sampleRate)
        let chords = [[220.0, 277.18, 329.63], [174.61, 220, 261.63], [196, 246.94, 293.66]]
        let noise = whiteNoise(frames: beatFrames, seed: 7)
        return chords.flatMap { chord in
            (0..<2).flatMap { beat in
                (0..<beatFrames).map { frame in
                    let seconds = Double(frame) / sampleRate
                    let plucked = chord.map { pluck($0, seconds) }.reduce(0, +)
                    let drum =
                        beat == 0
                        ? sin(2 * .pi * 30 * log(1 + 60 * seconds) / 20) * exp(-9 * seconds)
                        : Double(noise[frame]) * exp(-30 * seconds)
                    return Float(plucked + drum) * edge(frame, beatFrames, sampleRate)
                }
            }
        }
    }

    private static func pluck(_ hertz: Double, _ seconds: Double) -> Double {
        (1...8).reduce(0) { sum, harmonic in
            let n = Double(harmonic)
            return sum + sin(2 * .pi * n * hertz * seconds) * exp(-(2 + n) * seconds) / n / 3
        }
    }

    /// Returns the gain of a short fade at both ends.
    private static func edge(_ frame: Int, _ count: Int, _ sampleRate: Double) -> Float {
        let fade = 0.004 * sampleRate
        return Float(min(1, Double(min(frame, count - frame)) / fade))
    }
}
