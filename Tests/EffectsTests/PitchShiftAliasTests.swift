import Glibc
import Processing
import Testing
import TestSignals

/// The ways of shifting that move a partial's frequency.
private enum Way: CaseIterable {
    case fast, live, high, shapedFast, shapedLive, shapedHigh, voice

    var settings: [String: SettingValue] {
        switch self {
        case .fast: ["mode": .text("music"), "quality": .text("fast")]
        case .shapedFast:
            ["mode": .text("music"), "quality": .text("fast"), "formants": .text("preserve")]
        case .live: ["mode": .text("music"), "quality": .text("live")]
        case .high: ["mode": .text("music"), "quality": .text("high")]
        case .shapedLive:
            ["mode": .text("music"), "quality": .text("live"), "formants": .text("preserve")]
        case .shapedHigh:
            ["mode": .text("music"), "quality": .text("high"), "formants": .text("preserve")]
        case .voice: ["mode": .text("voice"), "formants": .text("follow")]
        }
    }

    /// The highest level of a silenced tone, in dB.
    var limit: Double {
        switch self {
        case .shapedFast, .shapedLive, .shapedHigh: -88
        case .fast, .live, .high, .voice: -90
        }
    }

    func shifter(_ semitones: Float, sampleRate: Double) -> Processor {
        effect("pitch-shift").processor(
            channels: 1, sampleRate: sampleRate, parameters: ["semitones": semitones],
            settings: settings)
    }
}

@Suite("Pitch shift past Nyquist")
struct PitchShiftAliasTests {
    @Test(
        "silences a tone that would move past Nyquist, to -90 dB, or -88 dB with kept formants",
        arguments: Way.allCases,
        [44_100.0, 48_000, 96_000])
    fileprivate func tone(_ way: Way, _ sampleRate: Double) {
        for semitones in [1, 5, 7, 12, 24] as [Float] {
            let limit = sampleRate / 2 / exp2(Double(semitones) / 12)
            // From just above the limit to three quarters of the way to Nyquist.
            for part in [0.03, 0.2, 0.5, 0.75] {
                let hertz = limit + part * (sampleRate / 2 - limit)
                let sine = sineWave(hertz, frames: Int(sampleRate), sampleRate: sampleRate)
                let output = way.shifter(semitones, sampleRate: sampleRate).render([sine])[0]
                let steady = Int(sampleRate / 2)..<Int(0.98 * sampleRate)
                let level = levelDecibels(rms(output[steady]) / rms(sine[steady]))
                #expect(level < way.limit, "\(hertz) Hz, \(semitones) semitones up")
            }
        }
    }

    @Test(
        "adds nothing to a tone below Nyquist if another one moves past it",
        arguments: Way.allCases.filter { $0 != .voice })
    fileprivate func mixture(_ way: Way) {
        let (frames, rate) = (96_000, 48_000.0)
        let low = sineWave(1000, frames: frames, sampleRate: rate)
        let high = sineWave(15_000, frames: frames, sampleRate: rate)
        let sum = zip(low, high).map { 0.5 * ($0 + $1) }
        let output = way.shifter(12, sampleRate: rate).render([sum])[0]
        let steady = 48_000..<95_000
        let partials = Partials(of: output[steady], at: [2000], sampleRate: rate)
        let isFast = way == .fast || way == .shapedFast
        #expect(levelDecibels(partials.residual / 0.177) < (isFast ? -50 : -58))
    }

    @Test("a tone that glides past Nyquist fades out without a click", arguments: Way.allCases)
    fileprivate func glide(_ way: Way) {
        let (frames, rate) = (144_000, 48_000.0)
        let sine = sineWave(11_000, frames: frames, sampleRate: rate)
        let shifter = way.shifter(12, sampleRate: rate)
        // Parameter 0 is the interval.
        let moves = (0...100).map { step in
            Move(0, to: 12 + 6 * Float(step) / 100, at: 48_000 + 480 * step)
        }
        let output = shifter.render([sine], moves: moves)[0]
        #expect(levelDecibels(rms(output[120_000..<144_000]) / rms(sine)) < -90)
        // A click is strong below the tone. The first frames are the start of the measurement.
        let quiet = lowPassed(Array(output[24_000...])).dropFirst(1000)
        let isFast = way == .fast || way == .shapedFast
        #expect(levelDecibels(Double(quiet.map(abs).max() ?? 0) / 0.5) < (isFast ? -70 : -75))
    }
}

/// Returns a signal below about 2 kHz: the mean of 24 frames, eight times.
private func lowPassed(_ signal: [Float]) -> [Float] {
    var signal = signal.map(Double.init)
    for _ in 0..<8 {
        var sum = 0.0
        let before = signal
        for index in signal.indices {
            sum += before[index] - (index >= 24 ? before[index - 24] : 0)
            signal[index] = sum / 24
        }
    }
    return signal.map(Float.init)
}
