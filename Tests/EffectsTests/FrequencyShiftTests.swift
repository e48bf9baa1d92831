import Processing
import Testing
import TestSignals

private let rates = [44_100.0, 48_000, 96_000]

/// The output of a shifter for one sine of amplitude 0.5.
private struct Sideband {
    let gain: Double
    let image: Double
    let noise: Double

    init(_ hertz: Double, by shift: Double, sampleRate: Double) {
        let second = Int(sampleRate)
        let output = shifted([(hertz, 0.5)], by: shift, seconds: 2, sampleRate: sampleRate)
        let partials = Partials(
            of: output[second...], at: [hertz + shift, abs(hertz - shift), hertz],
            sampleRate: sampleRate)
        gain = partials.decibels(0) - levelDecibels(0.5)
        image = partials.decibels(0) - partials.decibels(1)
        noise = levelDecibels(partials.residual) - levelDecibels(0.5 / 2.0.squareRoot())
    }
}

/// Returns the shifted sum of sines with these frequencies and amplitudes.
private func shifted(
    _ sines: [(hertz: Double, amplitude: Double)], by shift: Double, seconds: Double,
    sampleRate: Double, band: String = "suppress"
) -> [Float] {
    let frames = Int(seconds * sampleRate)
    var input = [Float](repeating: 0, count: frames)
    for sine in sines {
        let wave = sineWave(
            sine.hertz, amplitude: sine.amplitude, frames: frames, sampleRate: sampleRate)
        for frame in input.indices { input[frame] += wave[frame] }
    }
    let processor = effect("frequency-shift").processor(
        sampleRate: sampleRate, parameters: ["shift": Float(shift)],
        settings: ["band": .text(band)])
    return processor.render([input])[0]
}

@Suite("Frequency shift")
struct FrequencyShiftTests {
    @Test(
        "moves a sine from 20 Hz through 20 kHz without image, ripple or noise", arguments: rates,
        [100.0, 7, -100, 3000, -0.5])
    func sideband(_ sampleRate: Double, _ shift: Double) {
        let tones = [20.25, 50.25, 125.25, 400.25, 1000.25, 3150.25, 8000.25, 16_000.25, 19_900.25]
        for hertz in tones where (20...20_000).contains(hertz + shift) {
            let side = Sideband(hertz, by: shift, sampleRate: sampleRate)
            #expect(side.image >= 120, "image of \(hertz) Hz")
            #expect(side.noise <= -140, "noise of \(hertz) Hz")
            if hertz + shift >= 40 { #expect(abs(side.gain) <= 0.01, "level of \(hertz) Hz") }
        }
    }

    @Test(
        "removes partials that would fold over 0 Hz or Nyquist", arguments: rates,
        [(50.0, -100.0), (205, -230), (90, -180), (5000, -20_000), (0.998, 0.004), (0.9, 0.3)])
    func suppression(_ sampleRate: Double, _ tone: (Double, Double)) {
        // Frequencies below 1 are relative to Nyquist.
        let unit = tone.0 < 1 ? sampleRate / 2 : 1
        let output = shifted(
            [(tone.0 * unit, 0.5)], by: tone.1 * unit, seconds: 1.5, sampleRate: sampleRate)
        let rest = rms(output[Int(sampleRate / 2)...])
        #expect(levelDecibels(rest / (0.5 / 2.0.squareRoot())) <= -85)
    }

    @Test("folds partials at full level with the setting `fold`", arguments: rates)
    func folding(_ sampleRate: Double) {
        let output = shifted(
            [(150, 0.5)], by: -400, seconds: 1, sampleRate: sampleRate, band: "fold")
        let partials = Partials(
            of: output[Int(sampleRate / 2)...], at: [250, 550], sampleRate: sampleRate)
        #expect(abs(partials.decibels(0) - levelDecibels(0.5)) <= 0.01)
        #expect(levelDecibels(partials.residual) <= -120)
    }

    @Test(
        "moves all partials by the same distance, without the mirror image of ring modulation",
        arguments: rates)
    func harmonics(_ sampleRate: Double) {
        let harmonics = (1...4).map { Double($0) * 440 }
        let output = shifted(
            harmonics.map { ($0, 0.1) }, by: 100, seconds: 1, sampleRate: sampleRate)
        let wanted = harmonics.map { $0 + 100 }
        let mirrored = harmonics.map { $0 - 100 }
        let partials = Partials(
            of: output[Int(sampleRate / 2)...], at: wanted + mirrored, sampleRate: sampleRate)
        for index in 0..<4 {
            #expect(abs(partials.decibels(index) + 20) <= 0.01)
            #expect(partials.decibels(index + 4) <= -140)
        }
        #expect(levelDecibels(partials.residual) <= -140)
    }

    @Test(
        "outputs an impulse's energy at its latency", arguments: rates + [192_000],
        ["suppress", "fold"])
    func latency(_ sampleRate: Double, _ band: String) {
        for shift: Float in [0, 200, -3000] {
            let processor = effect("frequency-shift").processor(
                sampleRate: sampleRate, parameters: ["shift": shift],
                settings: ["band": .text(band)])
            var impulse = [Float](repeating: 0, count: Int(sampleRate))
            impulse[0] = 1
            let centre = energyCentre(processor.render([impulse])[0])
            // Low frequencies arrive later and high ones earlier, and the shift changes their
            // weights.
            let tolerance = shift == 0 ? 1 : 0.35 * Double(processor.latencyFrames)
            #expect(abs(centre - Double(processor.latencyFrames)) < tolerance)
        }
    }

    @Test("is silent after its tail", arguments: [Float(0), 0.5, 0.95])
    func tail(_ feedback: Float) {
        let processor = effect("frequency-shift").processor(
            parameters: ["shift": 30, "feedback": feedback])
        let tail = processor.tailFrames ?? 0
        var input = whiteNoise(frames: 4000)
        input += [Float](repeating: 0, count: tail + 4000)
        let output = processor.render([input])[0]
        #expect(levelDecibels(rms(output[(4000 + tail)...])) < -110)
    }

    @Test(
        "stays stable at the highest feedback while the shift changes",
        arguments: ["suppress", "fold"])
    func stability(_ band: String) {
        let processor = effect("frequency-shift").processor(
            parameters: ["shift": 0, "feedback": 0.95], settings: ["band": .text(band)])
        let noise = whiteNoise(frames: 96_000)
        let moves = (0..<190).map { index in
            Move(0, to: Float(index % 7 - 3) * 5000, at: 500 * index)
        }
        let output = processor.render([noise], moves: moves)[0]
        // By the small-gain theorem, the loop raises the energy by at most 1 / (1 - 0.95), and
        // folding at most doubles it.
        #expect(rms(output) <= rms(noise) * 20 * 2)
    }

    @Test(
        "spirals: feedback creates partials at multiples of the shift, each weaker",
        arguments: rates)
    func spiral(_ sampleRate: Double) {
        let processor = effect("frequency-shift").processor(
            sampleRate: sampleRate, parameters: ["shift": 300, "feedback": 0.5])
        let sine = sineWave(1000, frames: Int(sampleRate), sampleRate: sampleRate)
        let output = processor.render([sine])[0]
        let partials = Partials(
            of: output[Int(sampleRate / 2)...], at: [1300, 1600, 1900, 700], sampleRate: sampleRate)
        #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.01)
        #expect(abs(partials.decibels(1) - levelDecibels(0.25)) < 0.01)
        #expect(abs(partials.decibels(2) - levelDecibels(0.125)) < 0.01)
        #expect(partials.decibels(3) < -120)
    }

    @Test("glides to a new shift without a step and preserves its phase", arguments: rates)
    func glide(_ sampleRate: Double) {
        let processor = effect("frequency-shift").processor(
            sampleRate: sampleRate, parameters: ["shift": 100])
        let sine = sineWave(1000, frames: Int(sampleRate), sampleRate: sampleRate)
        let middle = Int(sampleRate / 2)
        let output = processor.render([sine], moves: [Move(0, to: 600, at: middle)])[0]
        // This is the largest step of a sine of amplitude 0.5 at 1600 Hz, the highest frequency of
        // the glide.
        let steepest = Float(0.5 * 2 * Double.pi * 1600 / sampleRate)
        #expect(largestStep(Array(output[(middle / 2)...])) <= steepest * 1.02)
        let end = Partials(
            of: output[(middle + middle / 2)...], at: [1600], sampleRate: sampleRate)
        #expect(abs(end.decibels(0) - levelDecibels(0.5)) < 0.01)
        #expect(levelDecibels(end.residual) < -110)
    }

    @Test("does not drift: the level is the same after minutes")
    func drift() {
        let processor = effect("frequency-shift").processor(parameters: ["shift": 1234.5])
        let silence = [Float](repeating: 0, count: 480_000)
        for _ in 0..<20 { _ = processor.render([silence], partition: .even(4096)) }
        let sine = sineWave(1000, frames: 96_000, sampleRate: 48_000)
        let output = processor.render([sine])[0]
        let partials = Partials(of: output[48_000...], at: [2234.5], sampleRate: 48_000)
        #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.0001)
    }
}
