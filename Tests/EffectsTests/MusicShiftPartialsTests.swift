import Glibc
import Processing
import Testing
import TestSignals

/// The output of a pitch shifter in `music` mode for sines.
private func shifted(_ inputs: [[Float]], by semitones: Float) -> [[Float]] {
    effect("pitch-shift").processor(
        channels: inputs.count, sampleRate: 48_000, parameters: ["semitones": semitones],
        settings: ["mode": .text("music")]
    ).render(inputs)
}

/// Sines of different frequencies and amplitudes.
private func sines(_ partials: [(hertz: Double, amplitude: Double)], seconds: Int) -> [Float] {
    var sum = [Float](repeating: 0, count: seconds * 48_000)
    for (hertz, amplitude) in partials {
        let wave = sineWave(
            hertz, amplitude: amplitude, frames: sum.count, sampleRate: 48_000)
        for frame in sum.indices { sum[frame] += wave[frame] }
    }
    return sum
}

/// Returns the level of everything except the shifted partials relative to the whole third second,
/// in dB.
private func besideDecibels(
    _ output: [Float], _ partials: [(hertz: Double, amplitude: Double)], _ semitones: Float
) -> Double {
    let wanted = partials.map { $0.hertz * exp2(Double(semitones) / 12) }
    let part = output[96_000..<144_000]
    return levelDecibels(
        Partials(of: part, at: wanted, sampleRate: 48_000).residual / rms(part))
}

@Suite("Pitch shift, music mode, partials near each other")
struct MusicShiftPartialsTests {
    @Test(
        "separates partials at a distance of 18 Hz, which share a peak, among others",
        arguments: [Float(5), -5, 12], [220.0, 500, 700])
    func pair(_ semitones: Float, _ hertz: Double) {
        let partials = [(hertz, 0.1), (hertz + 18.5, 0.07), (1200, 0.4), (97, 0.3)]
        let output = shifted([sines(partials, seconds: 3)], by: semitones)[0]
        // As one region, the residue would be -17 dB.
        #expect(besideDecibels(output, partials, semitones) < -26)
    }

    @Test("separates them in each of several channels, whatever the other channels contain")
    func channels() {
        let pair = [(500.0, 0.1), (519, 0.07), (1200, 0.4), (97, 0.3)]
        let other = [(330.0, 0.2), (412, 0.2), (1870, 0.2)]
        let outputs = shifted(
            [sines(other, seconds: 3), sines(pair, seconds: 3), sines(pair, seconds: 3)], by: 5)
        #expect(besideDecibels(outputs[0], other, 5) < -40)
        #expect(besideDecibels(outputs[1], pair, 5) < -26)
        #expect(outputs[1] == outputs[2])
    }

    @Test(
        "changes from noise to a tone, and from coarse bins to fine ones, without a phase error",
        arguments: [Float(5), -5, 12])
    func toneAfterNoise(_ semitones: Float) {
        let tone = sines([(440, 0.4)], seconds: 3)
        let input = whiteNoise(frames: 72_000).map { 0.5 * $0 } + tone[72_000...]
        let output = shifted([input], by: semitones)[0]
        #expect(besideDecibels(output, [(440, 0.4)], semitones) < -65)
    }
}
