import Glibc
import Processing
import Testing
import TestSignals

private let rates = [44_100.0, 48_000, 96_000]
private let vowel = SungVowel()

private func shifter(
    _ semitones: Float, formants: Float = 0, channels: Int = 1, sampleRate: Double = 48_000,
    settings: [String: SettingValue] = [:]
) -> Processor {
    effect("pitch-shift").processor(
        channels: channels, sampleRate: sampleRate,
        parameters: ["semitones": semitones, "formant-semitones": formants],
        settings: settings.merging(["mode": .text("voice")]) { $1 })
}

/// Returns the signal with a delay in frames.
private func delayed(_ signal: [Float], by frames: Int) -> [Float] {
    Array(([Float](repeating: 0, count: frames) + signal).prefix(signal.count))
}

/// A shifted steady vowel: the harmonics of the expected pitch, and the rest.
private struct ShiftedVowel {
    let harmonics: [Double]
    let partials: Partials

    init(
        _ hertz: Double, by semitones: Double, formants: Float = 0, sampleRate: Double = 48_000,
        settings: [String: SettingValue] = [:]
    ) {
        let frames = Int(sampleRate * 1.2)
        let sound = vowel.sung(from: hertz, frames: frames, sampleRate: sampleRate).sound
        let output = shifter(
            Float(semitones), formants: formants, sampleRate: sampleRate, settings: settings
        ).render([sound])[0]
        let pitch = hertz * exp2(semitones / 12)
        let count = Int(min(8000, 0.4 * sampleRate) / pitch)
        harmonics = (1...min(count, 40)).map { Double($0) * pitch }
        partials = Partials(
            of: output[(frames * 5 / 6)...], at: harmonics, sampleRate: sampleRate)
    }

    /// The energy of the harmonics relative to the rest, in dB.
    var purity: Double {
        let energy = partials.amplitudes.reduce(0) { $0 + $1 * $1 / 2 }
        return levelDecibels(energy.squareRoot()) - levelDecibels(partials.residual)
    }

    /// The shift of the formants in semitones, from the best fit of the envelope.
    var formantSemitones: Double {
        let steps = (-80...80).map { Double($0) / 10 }
        return steps.min { misfit($0) < misfit($1) } ?? 0
    }

    private func misfit(_ semitones: Double) -> Double {
        let used = harmonics.indices.filter { (100...3800).contains(harmonics[$0]) }
        let errors = used.map { index in
            let wanted = vowel.amplitude(
                at: harmonics[index], formantRatio: exp2(semitones / 12))
            return partials.decibels(index) - levelDecibels(wanted)
        }
        let mean = errors.reduce(0, +) / Double(errors.count)
        return errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
}

@Suite("Pitch shift of one voice")
struct VoiceShiftTests {
    @Test(
        "moves a vowel to the expected pitch without artifacts between its harmonics",
        arguments: rates, [-12.0, -5, -0.5, 3, 7, 12])
    func pitch(_ sampleRate: Double, _ semitones: Double) {
        // Over 0.2 s, an error of half a cent at the tenth harmonic would exceed this limit.
        for hertz in [110.0, 230] {
            let shifted = ShiftedVowel(hertz, by: semitones, sampleRate: sampleRate)
            #expect(shifted.purity >= 25, "\(hertz) Hz")
        }
    }

    @Test(
        "works at low and high rates", arguments: [8000.0, 16_000, 22_050, 32_000, 88_200, 192_000])
    func otherRates(_ sampleRate: Double) {
        #expect(ShiftedVowel(140, by: 4, sampleRate: sampleRate).purity >= 25)
    }

    @Test("leaves the formants in place", arguments: [-12.0, -7, -3, 3, 5, 12])
    func formants(_ semitones: Double) {
        #expect(abs(ShiftedVowel(110, by: semitones).formantSemitones) <= 0.3)
    }

    @Test("moves only the formants by `formant-semitones`", arguments: [-4 as Float, 4])
    func knob(_ formants: Float) {
        let shifted = ShiftedVowel(110, by: 0, formants: formants)
        #expect(abs(shifted.formantSemitones - Double(formants)) <= 0.3)
        #expect(shifted.purity >= 25)
    }

    @Test("moves the formants with the pitch in `follow` mode", arguments: [-4.0, 5])
    func follow(_ semitones: Double) {
        let shifted = ShiftedVowel(110, by: semitones, settings: ["formants": .text("follow")])
        #expect(abs(shifted.formantSemitones - semitones) <= 0.3)
        #expect(shifted.purity >= 25)
    }

    @Test(
        "follows wide glides with vibrato without losing an octave",
        arguments: [(100.0, 300.0), (110, 440), (240, 960)], [-5.0, 5, 12])
    func glides(_ range: (Double, Double), _ semitones: Double) {
        let sung = vowel.sung(
            from: range.0, to: range.1, vibratoSemitones: 0.5, frames: 144_000, sampleRate: 48_000)
        let output = shifter(Float(semitones)).render([sung.sound])[0]
        for first in stride(from: 4800, to: 136_000, by: 2400) {
            let wanted = sung.hertz[first + 600] * exp2(semitones / 12)
            let found = Repetition(of: output, from: first, hertz: wanted)
            #expect(found.atPeriod >= 0.6, "at frame \(first)")
            #expect(found.atTwoPeriods <= found.atPeriod + 0.35, "at frame \(first)")
            #expect(found.atLess <= found.atPeriod - 0.1, "at frame \(first)")
        }
    }

    @Test(
        "passes clicks undistorted at its latency, whatever the shift",
        arguments: rates + [8000, 192_000],
        [-24 as Float, -5, 0, 7, 24])
    func latency(_ sampleRate: Double, _ semitones: Float) {
        let processor = shifter(semitones, sampleRate: sampleRate)
        var clicks = [Float](repeating: 0, count: 48_000)
        for frame in stride(from: 5001, to: 48_000, by: 9000) { clicks[frame] = 0.9 }
        let output = processor.render([clicks])[0]
        #expect(output == delayed(clicks, by: processor.latencyFrames))
    }

    @Test("has a latency of 288 frames at 44.1 and 48 kHz, and the same time at other rates")
    func scaling() {
        #expect([44_100, 48_000].map { shifter(5, sampleRate: $0).latencyFrames } == [288, 288])
        #expect([88_200, 96_000].map { shifter(5, sampleRate: $0).latencyFrames } == [576, 576])
        #expect(shifter(5, sampleRate: 192_000).latencyFrames == 1152)
    }

    @Test("is a bit-exact delay without a shift, for a voice and for noise")
    func identity() {
        let processor = shifter(0)
        let voice = vowel.sung(from: 120, frames: 24_000, sampleRate: 48_000).sound
        let input = voice + whiteNoise(frames: 24_000)
        let output = processor.render([input])[0]
        #expect(output == delayed(input, by: processor.latencyFrames))
    }

    @Test(
        "is a bit-exact delay again 200 ms after the return to no shift",
        arguments: [60.0, 120, 700])
    func returns(_ hertz: Double) {
        let processor = shifter(7, formants: 3)
        let voice = vowel.sung(from: hertz, frames: 48_000, sampleRate: 48_000).sound
        let output = processor.render(
            [voice], moves: [Move(0, to: 0, at: 20_001), Move(2, to: 0, at: 20_001)])[0]
        let wanted = delayed(voice, by: processor.latencyFrames)
        #expect(output[(20_001 + 9600)...] == wanted[(20_001 + 9600)...])
        #expect(output[10_000..<20_000] != wanted[10_000..<20_000])
    }

    @Test("starts and ends without a click", arguments: [90.0, 150, 400])
    func entering(_ hertz: Double) {
        let voice = vowel.sung(from: hertz, frames: 60_000, sampleRate: 48_000).sound
        let moves = (0..<10).map { Move(0, to: $0 % 2 == 0 ? 4 : 0, at: 6000 + 5000 * $0) }
        let output = shifter(0).render([voice], moves: moves)[0]
        #expect(largestStep(output) <= 1.5 * largestStep(voice))
        #expect(rms(output) > 0.7 * rms(voice))
    }

    @Test("shifts a voice soon after its start", arguments: [100.0, 220, 500])
    func onset(_ hertz: Double) {
        let silence = [Float](repeating: 0, count: 12_000)
        let voice = vowel.sung(from: hertz, frames: 12_000, sampleRate: 48_000).sound
        let output = shifter(5).render([silence + voice])[0]
        // Five periods and 10 ms, including the latency.
        let first = 12_000 + Int(5 * 48_000 / hertz) + 480
        let found = Repetition(of: output, from: first, hertz: hertz * exp2(5.0 / 12))
        let unshifted = Repetition(of: output, from: first, hertz: hertz)
        #expect(found.atPeriod >= 0.9)
        #expect(unshifted.atPeriod <= 0.6)
    }

    @Test("detects a voice despite rumble and an offset", arguments: [90.0, 200, 600])
    func rumble(_ hertz: Double) {
        let voice = vowel.sung(from: hertz, frames: 24_000, sampleRate: 48_000).sound
        let rumble = sineWave(27, amplitude: 0.04, frames: 24_000, sampleRate: 48_000)
        let input = zip(voice, rumble).map { $0 + $1 + 0.03 }
        let output = shifter(5).render([input])[0].map { $0 - 0.03 }
        let found = Repetition(of: output, from: 18_000, hertz: hertz * exp2(5.0 / 12))
        let unshifted = Repetition(of: output, from: 18_000, hertz: hertz)
        #expect(found.atPeriod >= 0.8)
        #expect(unshifted.atPeriod <= found.atPeriod - 0.2)
    }

    @Test("passes noise unchanged: a whisper gets no tone", arguments: [-7 as Float, 5, 12])
    func noise(_ semitones: Float) {
        let processor = shifter(semitones)
        let noise = whiteNoise(frames: 96_000)
        let output = processor.render([noise])[0]
        #expect(output == delayed(noise, by: processor.latencyFrames))
    }

    @Test("gives equal channels equal bits, and leaves a silent one silent")
    func channels() {
        let voice = vowel.sung(from: 130, frames: 30_000, sampleRate: 48_000).sound
        let silence = [Float](repeating: 0, count: 30_000)
        let outputs = shifter(5, channels: 8).render(
            [voice, voice, silence, voice, voice, silence, voice, voice])
        for channel in [1, 3, 4, 6, 7] { #expect(outputs[channel] == outputs[0]) }
        for channel in [2, 5] { #expect(outputs[channel].allSatisfy { $0 == 0 }) }
        #expect(outputs[0] != delayed(voice, by: 288))
    }

    @Test("cuts all channels at the same frames, so that their differences stay")
    func stereo() {
        let voice = vowel.sung(from: 130, frames: 30_000, sampleRate: 48_000).sound
        let outputs = shifter(-3, channels: 2).render([voice, voice.map { -0.25 * $0 }])
        #expect(outputs[1] == outputs[0].map { -0.25 * $0 })
    }

    @Test(
        "gives a gliding voice the same bits for every division into blocks",
        arguments: [.even(1), .even(37), .even(256), .random(seed: 3)] as [Partition],
        [48_000.0, 96_000])
    func partition(_ partition: Partition, _ sampleRate: Double) {
        let voice = vowel.sung(from: 100, to: 300, frames: 40_000, sampleRate: sampleRate).sound
        let noise = whiteNoise(amplitude: 0.2, frames: 4000)
        let input = noise + voice + noise
        let moves = [
            Move(0, to: -7, at: 11_111), Move(2, to: 4, at: 15_000), Move(0, to: 0, at: 22_223),
            Move(2, to: 0, at: 26_001), Move(1, to: 50, at: 32_123), Move(0, to: 12, at: 36_005),
        ]
        let whole = shifter(5, sampleRate: sampleRate).render([input], moves: moves)
        let cut = shifter(5, sampleRate: sampleRate).render(
            [input], partition: partition, moves: moves)
        #expect(whole == cut)
    }

    @Test("sweeps pitch and formants without steps that the voice does not have")
    func sweep() {
        let voice = vowel.sung(from: 120, frames: 96_000, sampleRate: 48_000).sound
        let moves = (0..<170).flatMap { index in
            let swing = Float(sin(Double(index) / 9))
            return [
                Move(0, to: 12 * swing, at: 5000 + 500 * index),
                Move(2, to: -4 * swing, at: 5000 + 500 * index),
            ]
        }
        let output = shifter(0).render([voice], moves: moves)[0]
        #expect(largestStep(output) <= 2.5 * largestStep(voice))
    }

    @Test("jumps over the whole range of both parameters, and stays in bounds")
    func extremes() {
        let voice = vowel.sung(from: 75, to: 600, frames: 96_000, sampleRate: 48_000).sound
        let corners: [Float] = [24, -24, 24, -24, 0, 24, -24]
        let moves = corners.indices.flatMap { index in
            [
                Move(0, to: corners[index], at: 3000 + 12_000 * index),
                Move(2, to: corners[(index + 3) % 7], at: 9000 + 12_000 * index),
            ]
        }
        for mode in ["preserve", "follow"] {
            let output = shifter(12, settings: ["formants": .text(mode)])
                .render([voice], moves: moves)[0]
            #expect(output.allSatisfy { abs($0) < 4 })
            #expect(rms(output) > 0.3 * rms(voice))
        }
    }

    @Test("is silent after its tail")
    func tail() {
        let processor = shifter(7, formants: -5)
        let voice = vowel.sung(from: 65, frames: 24_000, sampleRate: 48_000).sound
        let silence = [Float](repeating: 0, count: 20_000)
        let output = processor.render([voice + silence])[0]
        #expect(output[(24_000 + (processor.tailFrames ?? 0))...].allSatisfy { $0 == 0 })
    }
}
