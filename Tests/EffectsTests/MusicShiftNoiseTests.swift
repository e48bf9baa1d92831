import Glibc
import Processing
import Testing
import TestSignals

@Suite("Pitch shift, music mode, noise")
struct MusicShiftNoiseTests {
    private func shifted(_ input: [Float], _ semitones: Float, _ quality: String) -> [Float] {
        effect("pitch-shift").processor(
            channels: 1, sampleRate: 48_000, parameters: ["semitones": semitones],
            settings: ["mode": .text("music"), "quality": .text(quality)]
        ).render([input])[0]
    }

    /// Returns the kurtosis of the bins of a short-time spectrum from 2 to 14 kHz: 2 for noise, more
    /// if tones come and go.
    private func kurtosis(_ sound: ArraySlice<Float>) -> Double {
        let size = 2048
        let window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size)) }
        var (squares, fourths, count) = (0.0, 0.0, 0.0)
        for first in stride(from: sound.startIndex, to: sound.endIndex - size, by: size / 2) {
            let frames = (0..<size).map { window[$0] * Double(sound[first + $0]) }
            for hertz in stride(from: 2000.0, to: 14_000, by: 211) {
                let power = power(frames, turn: 2 * .pi * hertz / 48_000)
                squares += power
                fourths += power * power
                count += 1
            }
        }
        return count * fourths / (squares * squares)
    }

    /// Returns the power of one bin of a transform.
    private func power(_ frames: [Double], turn: Double) -> Double {
        // The Goertzel algorithm.
        let factor = 2 * cos(turn)
        var (last, older) = (0.0, 0.0)
        for frame in frames { (last, older) = (frame + factor * last - older, last) }
        return last * last + older * older - factor * last * older
    }

    @Test(
        "keeps noise free of short tones when it moves up",
        arguments: [(Float(3), 0.15), (5, 0.2), (12, 0.4)], ["fast", "live", "high"])
    func spikes(_ limit: (semitones: Float, most: Double), _ quality: String) {
        let output = shifted(whiteNoise(frames: 480_000), limit.semitones, quality)
        #expect(kurtosis(output[72_000...]) - 2 < limit.most)
    }
}
