import Glibc
import Processing
import Testing
import TestSignals

private let vowel = SungVowel()

private func shifter(_ semitones: Float) -> Processor {
    effect("pitch-shift").processor(
        channels: 1, parameters: ["semitones": semitones], settings: ["mode": .text("voice")])
}

/// The mean difference of consecutive periods, relative to the period.
///
/// The periods follow each other: each is the lag at which the sound of one period is most similar,
/// as in Praat's "To PointProcess (periodic, cc)".
private func jitter(_ signal: [Float], hertz: Double, from first: Int, periods count: Int) -> Double
{
    let period = 48_000 / hertz
    var start = Double(first)
    var periods: [Double] = []
    for _ in 0..<count {
        let frame = Int(start)
        func likeness(_ lag: Int) -> Double {
            selfLikeness(signal[frame..<frame + Int(period) + lag], lagFrames: lag)
        }
        let lags = Int(0.95 * period)...Int(1.05 * period)
        let best = lags.max { likeness($0) < likeness($1) } ?? 1
        let (a, b, c) = (likeness(best - 1), likeness(best), likeness(best + 1))
        let length = Double(best) + 0.5 * (a - c) / (a - 2 * b + c)
        periods.append(length)
        start += length
    }
    let changes = zip(periods, periods.dropFirst()).map { abs($0 - $1) }
    return changes.reduce(0, +) / Double(changes.count) / period
}

@Suite("Starts and steadiness of a shifted voice")
struct VoiceStartTests {
    /// The time is counted from the start as it leaves the effect.
    @Test(
        "shifts a voice from its second period on",
        arguments: [(75.0, 18), (110, 12), (200, 6)], [-5 as Float, 4])
    func start(_ voice: (hertz: Double, milliseconds: Int), _ semitones: Float) {
        let sung = vowel.sung(from: voice.hertz, frames: 14_400, sampleRate: 48_000).sound
        let faded = sung.enumerated().map { $1 * min(1, Float($0) / 192) }
        let processor = shifter(semitones)
        let ratio = exp2(Double(semitones) / 12)
        for silence in [4800, 4817, 4841] {
            processor.resetState()
            let output = processor.render([[Float](repeating: 0, count: silence) + faded])[0]
            let first = silence + processor.latencyFrames + 48 * voice.milliseconds
            let new = Repetition(of: output, from: first, hertz: voice.hertz * ratio)
            let old = Repetition(of: output, from: first, hertz: voice.hertz)
            #expect(new.atPeriod >= 0.7, "\(silence)")
            #expect(new.atPeriod > old.atPeriod, "\(silence)")
        }
    }

    @Test("adds no jitter to a breathy voice", arguments: [(0.1 as Float, 0.001), (0.25, 0.002)])
    func breath(_ level: Float, _ limit: Double) {
        let sung = vowel.sung(from: 220, frames: 96_000, sampleRate: 48_000).sound
        let noise = whiteNoise(frames: 96_000)
        let share = level * Float(rms(sung) / rms(noise))
        let voice = zip(sung, noise).map { $0 + share * $1 }
        let own = jitter(voice, hertz: 220, from: 24_000, periods: 200)
        for semitones in [-2 as Float, 4] {
            let output = shifter(semitones).render([voice])[0]
            let hertz = 220 * exp2(Double(semitones) / 12)
            let found = jitter(output, hertz: hertz, from: 24_000, periods: 200)
            #expect(found <= own + limit, "\(semitones): \(found) after \(own)")
        }
    }

    @Test("shifts the lowest voices", arguments: [42.0, 50])
    func lowest(_ hertz: Double) {
        let voice = vowel.sung(from: hertz, frames: 48_000, sampleRate: 48_000).sound
        let output = shifter(4).render([voice])[0]
        let found = Repetition(of: output, from: 30_000, hertz: hertz * exp2(4.0 / 12))
        #expect(found.atPeriod >= 0.9)
    }
}
