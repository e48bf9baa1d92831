import Glibc
import Processing
import Testing
import TestSignals

/// A vowel: harmonics of 130 Hz under three formants, which fall by 12 dB per octave.
private struct Vowel {
    let hertz = 130.0
    let hills: [(hertz: Double, width: Double)] = [(700, 150), (1300, 200), (2700, 300)]

    /// Returns the amplitude of a harmonic at a frequency.
    func amplitude(_ hertz: Double) -> Double {
        var sum = 0.003
        for hill in hills {
            let distance = (hertz - hill.hertz) / hill.width
            sum += 0.08 / (1 + distance * distance)
        }
        return sum
    }

    func signal(seconds: Double) -> [Float] {
        var signal = [Float](repeating: 0, count: Int(48_000 * seconds))
        for harmonic in 1...Int(8000 / hertz) {
            let wave = sineWave(
                hertz * Double(harmonic), amplitude: amplitude(hertz * Double(harmonic)),
                frames: signal.count, sampleRate: 48_000)
            for frame in signal.indices { signal[frame] += wave[frame] }
        }
        return signal
    }

    /// Returns the RMS deviation of a shifted vowel's harmonics up to 3.5 kHz from the moved
    /// envelope, in dB.
    func error(_ output: [Float], ratio: Double, moved: Double) -> Double {
        let wanted = (1...Int(3500 / (hertz * ratio))).map { Double($0) * hertz * ratio }
        let partials = Partials(of: output[48_000...], at: wanted, sampleRate: 48_000)
        let errors = wanted.indices.map { index in
            partials.decibels(index) - levelDecibels(amplitude(wanted[index] / moved))
        }
        let mean = errors.reduce(0, +) / Double(errors.count)
        return (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count))
            .squareRoot()
    }
}

@Suite("Pitch shift, music mode, formants")
struct MusicFormantTests {
    private func shifted(
        _ semitones: Float, _ quality: String, formants: String, by knob: Float = 0
    ) -> [Float] {
        effect("pitch-shift").processor(
            parameters: ["semitones": semitones, "formant-semitones": knob],
            settings: [
                "mode": .text("music"), "formants": .text(formants), "quality": .text(quality),
            ]
        ).render([Vowel().signal(seconds: 1.5)])[0]
    }

    @Test(
        "follow the pitch if they are not preserved", arguments: [Float(4), -4], ["fast", "live"])
    func follow(_ semitones: Float, _ quality: String) {
        let (vowel, ratio) = (Vowel(), exp2(Double(semitones) / 12))
        let output = shifted(semitones, quality, formants: "follow")
        #expect(vowel.error(output, ratio: ratio, moved: ratio) < 0.5)
        #expect(vowel.error(output, ratio: ratio, moved: 1) > 4)
    }

    @Test(
        "stay in place if they are preserved", arguments: [Float(7), 4, -4, -7], ["fast", "live"])
    func preserve(_ semitones: Float, _ quality: String) {
        let (vowel, ratio) = (Vowel(), exp2(Double(semitones) / 12))
        let output = shifted(semitones, quality, formants: "preserve")
        #expect(vowel.error(output, ratio: ratio, moved: 1) < 2.5)
    }

    @Test(
        "move by the parameter, relative to their position without it", arguments: [Float(0), 5],
        ["follow", "preserve"])
    func knob(_ semitones: Float, _ formants: String) {
        let (vowel, ratio) = (Vowel(), exp2(Double(semitones) / 12))
        for (knob, quality) in [(Float(3), "live"), (-3, "live"), (3, "fast"), (-3, "fast")] {
            let output = shifted(semitones, quality, formants: formants, by: knob)
            let moved = exp2(Double(knob) / 12) * (formants == "follow" ? ratio : 1)
            #expect(
                vowel.error(output, ratio: ratio, moved: moved) < 3, "by \(knob), \(quality)")
        }
    }

    @Test("leave an unshifted sound unchanged except for rounding")
    func neutral() {
        let noise = whiteNoise(frames: 20_000)
        let processor = effect("pitch-shift").processor(
            settings: ["mode": .text("music"), "formants": .text("preserve")])
        let output = processor.render([noise])[0]
        let late = processor.latencyFrames
        let rest = (late..<20_000).map { output[$0] - noise[$0 - late] }
        #expect(levelDecibels(rms(rest) / rms(noise)) < -120)
    }
}
