import Glibc
import Processing
import Testing
import TestSignals

private let rates = [44_100.0, 48_000, 96_000]

/// A pitch shifter in `music` mode.
private func shifter(
    _ semitones: Float, channels: Int = 1, sampleRate: Double = 48_000,
    settings: [String: String] = [:], formantSemitones: Float = 0
) -> Processor {
    var all = settings.mapValues { SettingValue.text($0) }
    all["mode"] = .text("music")
    return effect("pitch-shift").processor(
        channels: channels, sampleRate: sampleRate,
        parameters: ["semitones": semitones, "formant-semitones": formantSemitones], settings: all)
}

/// Intervals in semitones, each at two qualities.
private func shifts(_ semitones: Float...) -> [(semitones: Float, quality: String)] {
    semitones.flatMap { [($0, "fast"), ($0, "live")] }
}

/// How much more a sine may have next to it at `fast` quality, in dB.
private func allowance(_ quality: String) -> Double { quality == "fast" ? 10 : 0 }

private func ratio(_ semitones: Float) -> Double { exp2(Double(semitones) / 12) }

/// Returns the RMS difference of a signal from another signal delayed by `lateFrames`, relative to
/// the signal, in dB.
private func difference(
    _ output: [Float], from input: [Float], lateFrames: Int, in frames: Range<Int>
) -> Double {
    let rest = frames.map { output[$0] - input[$0 - lateFrames] }
    return levelDecibels(rms(rest) / rms(output[frames]))
}

@Suite("Pitch shift, music mode")
struct MusicShiftTests {
    @Test(
        "moves a sine by the interval to a thousandth of a cent, without artifacts",
        arguments: rates, shifts(5, -5, 12, -12, 0.37))
    func sine(_ sampleRate: Double, _ shift: (semitones: Float, quality: String)) {
        let (semitones, quality) = shift
        for hertz in [82.4, 110, 440, 1000, 5000] {
            let sine = sineWave(hertz, frames: Int(2 * sampleRate), sampleRate: sampleRate)
            let output = shifter(
                semitones, sampleRate: sampleRate, settings: ["quality": quality]
            ).render([sine])[0]
            // Over a second, a thousandth of a cent is 0.0006 Hz at 1 kHz: 0.0018 rad at the ends,
            // or -60 dB.
            let partials = Partials(
                of: output[Int(sampleRate)...], at: [hertz * ratio(semitones)],
                sampleRate: sampleRate)
            #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.25, "level of \(hertz) Hz")
            #expect(
                levelDecibels(partials.residual / 0.354) < -58 + allowance(quality),
                "what lies beside \(hertz) Hz")
        }
    }

    @Test(
        "adds few artifacts to a sine of any note, including its mirror image below 0 Hz",
        arguments: [(Float(5), -64.0), (-7, -64), (12, -58)], ["fast", "live"])
    func notes(_ limit: (semitones: Float, most: Double), _ quality: String) {
        let (semitones, most) = limit
        for key in stride(from: 40, through: 88, by: 3) {
            let hertz = 440 * exp2(Double(key - 69) / 12)
            let sine = sineWave(hertz, frames: 96_000, sampleRate: 48_000)
            let output = shifter(semitones, settings: ["quality": quality]).render([sine])[0]
            let partials = Partials(
                of: output[48_000...], at: [hertz * ratio(semitones)], sampleRate: 48_000)
            #expect(
                levelDecibels(partials.residual / 0.354) < most + allowance(quality),
                "what lies beside \(hertz) Hz")
        }
    }

    @Test(
        "outputs an impulse's energy at its latency, the same at each ratio", arguments: rates,
        ["fast", "live", "high"])
    func latency(_ sampleRate: Double, _ quality: String) {
        var impulse = [Float](repeating: 0, count: Int(sampleRate / 2))
        impulse[10_000] = 1
        for semitones in [-24, -12, -7, -3, 0, 3, 7, 12, 24] as [Float] {
            let processor = shifter(
                semitones, sampleRate: sampleRate, settings: ["quality": quality])
            let late = energyCentre(processor.render([impulse])[0]) - 10_000
            // 48 frames at 48 kHz.
            #expect(abs(late - Double(processor.latencyFrames)) < sampleRate / 1000)
            #expect(
                processor.latencyFrames
                    == shifter(
                        0, sampleRate: sampleRate, settings: ["quality": quality]
                    ).latencyFrames)
        }
    }

    @Test("has a latency of 1088 frames, 576 at fast and 2176 at high quality")
    func latencies() {
        #expect(shifter(5).latencyFrames == 1088)
        #expect(shifter(5, settings: ["quality": "fast"]).latencyFrames == 576)
        #expect(shifter(5, settings: ["quality": "high"]).latencyFrames == 2176)
    }

    @Test(
        "is a delay if nothing is shifted", arguments: [8000.0, 22_050] + rates + [192_000],
        ["fast", "live", "high"])
    func null(_ sampleRate: Double, _ quality: String) {
        let processor = shifter(0, sampleRate: sampleRate, settings: ["quality": quality])
        let frames = 12 * processor.latencyFrames
        let noise = whiteNoise(frames: frames)
        let output = processor.render([noise])[0]
        let late = processor.latencyFrames
        #expect(difference(output, from: noise, lateFrames: late, in: late..<frames) < -120)
    }

    @Test(
        "is a delay again 200 ms after a return to no shift, and preserves its level meanwhile",
        arguments: rates, ["fast", "live", "high"])
    func returning(_ sampleRate: Double, _ quality: String) {
        let second = Int(sampleRate)
        let sine = sineWave(440, frames: 2 * second, sampleRate: sampleRate)
        let processor = shifter(5, sampleRate: sampleRate, settings: ["quality": quality])
        let output = processor.render([sine], moves: [Move(0, to: 0, at: second)])[0]
        let late = processor.latencyFrames
        let landed = second + second / 5
        #expect(difference(output, from: sine, lateFrames: late, in: landed..<2 * second) < -100)
        for first in stride(from: second, to: landed, by: second / 50) {
            let level = levelDecibels(rms(output[first..<first + second / 50]) / 0.354)
            #expect(level > -6 && level < 3)
        }
    }

    @Test(
        "gives equal channels equal bits, and preserves the stereo image of others",
        arguments: ["fast", "live"])
    func image(_ quality: String) {
        let noise = whiteNoise(frames: 30_000)
        let quiet = noise.map { 0.25 * $0 }
        let outputs = shifter(4, channels: 3, settings: ["quality": quality])
            .render([noise, quiet, noise])
        #expect(outputs[0] == outputs[2])
        // A quarter is exact in floating point.
        #expect(outputs[1] == outputs[0].map { 0.25 * $0 })
    }

    @Test("keeps eight channels separate", arguments: ["fast", "live"])
    func channels(_ quality: String) {
        let tones = (0..<8).map { 300 + 217 * Double($0) }
        let inputs = tones.map { sineWave($0, frames: 96_000, sampleRate: 48_000) }
        let outputs = shifter(-3, channels: 8, settings: ["quality": quality]).render(inputs)
        for (tone, output) in zip(tones, outputs) {
            let partials = Partials(
                of: output[48_000...], at: [tone * ratio(-3)], sampleRate: 48_000)
            #expect(abs(partials.decibels(0) - levelDecibels(0.5)) < 0.1)
            #expect(levelDecibels(partials.residual / 0.354) < -55 + allowance(quality))
        }
    }

    @Test("sweeps over four octaves without a step", arguments: rates, ["fast", "live"])
    func sweep(_ sampleRate: Double, _ quality: String) {
        let second = Int(sampleRate)
        let sine = sineWave(500, frames: 3 * second, sampleRate: sampleRate)
        let moves = (0..<96).map { index in
            Move(0, to: Float(index) / 2 - 24, at: second / 2 + index * second / 50)
        }
        let output = shifter(-24, sampleRate: sampleRate, settings: ["quality": quality])
            .render([sine], moves: moves)[0]
        // The highest pitch is 2 kHz; while the pitch moves, frames of different pitch overlap and
        // can add up to a higher level.
        let steepest = Float(0.5 * 2 * Double.pi * 2000 / sampleRate)
        #expect(largestStep(Array(output[(second / 4)...])) < 1.15 * steepest)
        #expect(output.allSatisfy { abs($0) < 0.6 })
    }

    @Test("keeps attacks short", arguments: [Float(5), -5, 12], ["fast", "live"])
    func attack(_ semitones: Float, _ quality: String) {
        var input = [Float](repeating: 0, count: 48_000)
        for frame in 0..<2000 {
            let time = Double(frame) / 48_000
            input[24_000 + frame] = Float(
                0.6 * exp2(-time * 361) * sin(2 * Double.pi * 2500 * time + 0.3))
        }
        let processor = shifter(semitones, settings: ["quality": quality])
        let output = processor.render([input])[0]
        let first = 24_000 + processor.latencyFrames
        let energy = rms(output) * rms(output) * 48_000
        // The burst itself has 90 % of its energy within 4.6 ms.
        let early = output[..<(first - 96)].reduce(0) { $0 + Double($1 * $1) }
        let near = output[(first - 48)..<(first + 270)].reduce(0) { $0 + Double($1 * $1) }
        #expect(levelDecibels((early / energy).squareRoot()) < -34)
        #expect(near > 0.87 * energy)
    }

    @Test(
        "keeps the level of noise within a quarter of a dB", arguments: [Float(-12), -5, -2, 2, 5],
        ["fast", "live"])
    func noise(_ semitones: Float, _ quality: String) {
        // Noise in one band, so that none of it crosses Nyquist.
        var input = whiteNoise(frames: 96_000)
        for _ in 0..<4 {
            for frame in 1..<input.count { input[frame] = 0.5 * (input[frame] + input[frame - 1]) }
        }
        let output = shifter(semitones, settings: ["quality": quality]).render([input])[0]
        #expect(abs(levelDecibels(rms(output[24_000...]) / rms(input))) < 0.25)
    }

    @Test("separates the partials of a chord", arguments: ["fast", "live", "high"])
    func chord(_ quality: String) {
        let notes = [0, 4, 7].map { 196 * exp2(Double($0) / 12) }
        var input = [Float](repeating: 0, count: 96_000)
        for note in notes {
            for harmonic in 1...8 {
                let wave = sineWave(
                    note * Double(harmonic), amplitude: 0.1 / Double(harmonic), frames: 96_000,
                    sampleRate: 48_000)
                for frame in input.indices { input[frame] += wave[frame] }
            }
        }
        let output = shifter(3, settings: ["quality": quality]).render([input])[0]
        let wanted = notes.flatMap { note in (1...8).map { note * Double($0) * ratio(3) } }
        let partials = Partials(of: output[48_000...], at: wanted, sampleRate: 48_000)
        #expect(levelDecibels(partials.residual / 0.13) < -11)
    }

    @Test(
        "treats a decaying chord alike at any level", arguments: ["fast", "live", "high"])
    func quiet(_ quality: String) {
        var input = [Float](repeating: 0, count: 144_000)
        for hertz in [110.0, 164.8, 220, 261.6] {
            let wave = sineWave(hertz, amplitude: 0.1, frames: 144_000, sampleRate: 48_000)
            for frame in input.indices {
                // 20 dB per second.
                input[frame] += wave[frame] * expf(-2.3 * Float(frame) / 48_000)
            }
        }
        // A power of two, so that the samples are rounded alike.
        let quieter = input.map { $0 / 1024 }
        let loud = shifter(-5, settings: ["quality": quality]).render([input])[0]
        let raised = shifter(-5, settings: ["quality": quality]).render([quieter])[0].map {
            1024 * $0
        }
        for frames in [0..<48_000, 48_000..<96_000, 96_000..<144_000] {
            #expect(difference(raised, from: loud, lateFrames: 0, in: frames) < -60)
        }
    }

    @Test("has artifacts below -80 dB for a tone at high quality", arguments: [220.0, 440])
    func quality(_ hertz: Double) {
        let sine = sineWave(hertz, frames: 96_000, sampleRate: 48_000)
        let output = shifter(3, settings: ["quality": "high"]).render([sine])[0]
        let partials = Partials(
            of: output[48_000...], at: [hertz * ratio(3)], sampleRate: 48_000)
        #expect(levelDecibels(partials.residual / 0.354) < -80)
    }

    @Test("is silent after the tail that it reports", arguments: ["fast", "live", "high"])
    func tail(_ quality: String) {
        let processor = shifter(7, settings: ["quality": quality])
        let tail = processor.tailFrames ?? 0
        let input = whiteNoise(frames: 10_000) + [Float](repeating: 0, count: tail + 5000)
        let output = processor.render([input])[0]
        #expect(output[(10_000 + tail)...].allSatisfy { $0 == 0 })
        #expect(tail < 8192 + 2176)
    }
}
