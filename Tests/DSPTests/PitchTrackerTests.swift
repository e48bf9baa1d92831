import DSP
import Glibc
import Testing
import TestSignals

@Suite("Pitch tracker of a voice")
struct PitchTrackerTests {
    /// Returns the pitch after each step of a signal, at 48 kHz.
    private func pitches(_ signal: [Float]) -> [VoicePitch] {
        var tracker = PitchTracker(sampleRate: 48_000)
        let count = tracker.scale.stepFrames
        return stride(from: 0, through: signal.count - count, by: count).map { first in
            for frame in 0..<count { tracker.frames[frame] = signal[first + frame] }
            tracker.step()
            return tracker.pitch
        }
    }

    /// Returns a vowel that starts within 4 ms, after silence.
    private func start(_ hertz: Double, silence: Int) -> [Float] {
        let voice = SungVowel().sung(from: hertz, frames: 9600, sampleRate: 48_000).sound
        let faded = voice.enumerated().map { $1 * min(1, Float($0) / 192) }
        return [Float](repeating: 0, count: silence) + faded
    }

    @Test(
        "finds the pitch two and a half periods after the start of a low voice, and no other",
        arguments: [60.0, 75, 90, 110, 140, 170])
    func start(_ hertz: Double) {
        for silence in stride(from: 4800, to: 4864, by: 16) {
            let pitches = pitches(start(hertz, silence: silence))
            let period = 48_000 / hertz
            for (index, pitch) in pitches.enumerated() where pitch.isVoiced {
                #expect(abs(pitch.periodFrames / period - 1) < 0.03, "step \(index)")
            }
            let first = pitches.firstIndex { $0.isVoiced }.map { 64 * ($0 + 1) - silence }
            #expect(Double(first ?? 9600) <= 2.5 * period, "\(silence)")
        }
    }

    @Test("finds the pitch of a high voice after 15 ms", arguments: [220.0, 330, 500, 800])
    func high(_ hertz: Double) {
        let pitches = pitches(start(hertz, silence: 4810))
        for pitch in pitches[((4810 + 720) / 64)...].dropLast() {
            #expect(pitch.isVoiced)
            #expect(abs(pitch.periodFrames * hertz / 48_000 - 1) < 0.01)
        }
    }

    @Test("follows voices from 41 Hz", arguments: [41.0, 45, 52])
    func lowest(_ hertz: Double) {
        let pitches = pitches(
            SungVowel().sung(from: hertz, frames: 24_000, sampleRate: 48_000).sound)
        for pitch in pitches.suffix(200) {
            #expect(pitch.isVoiced)
            #expect(abs(pitch.periodFrames * hertz / 48_000 - 1) < 0.01)
        }
    }

    @Test(
        "has the new pitch soon after a leap within 30 ms",
        arguments: [(392.0, 196.0, 256), (330, 165, 448), (220, 110, 576), (196, 392, 256)])
    func leap(_ first: Double, _ second: Double, _ frames: Int) {
        let course = (0..<24_000).map { frame in
            first * pow(second / first, min(max(Double(frame - 12_000) / 1440, 0), 1))
        }
        let pitches = pitches(SungVowel().sung(at: course, sampleRate: 48_000))
        for (index, pitch) in pitches.enumerated() where 64 * (index + 1) >= 13_440 + frames {
            #expect(abs(pitch.periodFrames * second / 48_000 - 1) < 0.03, "step \(index)")
        }
    }

    @Test("takes no low bass drum for a voice", arguments: [48.0, 52, 55])
    func drum(_ hertz: Double) {
        let drum = (0..<24_000).map { frame in
            let seconds = Double(frame) / 48_000
            let turns = hertz * seconds + 1.5 * (1 - exp(-seconds / 0.015))
            return Float(0.5 * exp(-seconds / 0.2) * sin(2 * .pi * turns))
        }
        let pitches = pitches([Float](repeating: 0, count: 4800) + drum)
        #expect(pitches.dropFirst(75).count { $0.isVoiced } < 75)
    }

    @Test("follows a dark vowel of the lowest voice", arguments: [42.0, 50, 58])
    func darkVowel(_ hertz: Double) {
        let voice = (0..<24_000).map { frame in
            (1...12).reduce(Float(0)) { sum, harmonic in
                let f = Double(harmonic) * hertz
                let level = 250 * 250 / hypot(250 * 250 - f * f, 80 * f) / Double(harmonic)
                return sum + Float(0.05 * level * sin(2 * .pi * f * Double(frame) / 48_000))
            }
        }
        #expect(pitches(voice).suffix(250).allSatisfy { $0.isVoiced })
    }

    @Test("finds no pitch in noise")
    func noise() {
        #expect(!pitches(whiteNoise(frames: 96_000)).contains { $0.isVoiced })
    }
}
