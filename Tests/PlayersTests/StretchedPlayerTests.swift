import Processing
import Testing
import TestSignals

import Players

@Suite("A player at another rate or pitch")
struct StretchedPlayerTests {
    private let scene = PlayerScene()

    @Test(
        "plays the same as the stretch engine", arguments: [0.5, 0.8, 1.25, 2, 4], [0, 5])
    func engine(_ rate: Double, _ semitones: Double) {
        let tone = sineWave(440, frames: 96_000, sampleRate: 48_000)
        // Faster reading filters out aliases, with another slope than in the reference: a tone is
        // not affected.
        let signal = semitones == 0 ? zip(tone, clicks(96_000)).map(+) : tone
        let path = scene.file("a.wav", [signal], sampleRate: 48_000)
        let wanted = transposed([signal], rate: rate, semitones: semitones)[0]
        let played = scene.player(path, ["rate": Float(rate), "semitones": Float(semitones)])
            .play(wanted.count + 2000)[0]
        let middle = 4096..<wanted.count - 4096
        let apart = middle.map { played[$0] - wanted[$0] }
        let level = rms(middle.map { wanted[$0] })
        #expect(rms(apart) < (semitones == 0 ? 1e-6 : 1e-4) * level)
        #expect(played[(wanted.count + 1)...].allSatisfy { $0 == 0 })
    }

    @Test(
        "keeps clicks whole and on time at any rate",
        arguments: [0.25, 0.8, 1.25, 2])
    func clickTimes(_ rate: Double) {
        let path = scene.file("a.wav", [clicks(96_000)])
        let played = scene.player(path, ["rate": Float(rate)]).play(Int(90_000 / rate))[0]
        for frame in stride(from: 9000, to: 80_000, by: 6000) {
            let wanted = Double(frame) / rate
            let around = Int(wanted) - 600..<Int(wanted) + 600
            let loudest = around.max { abs(played[$0]) < abs(played[$1]) } ?? 0
            #expect(abs(Double(loudest) - wanted) <= 1)
            #expect(abs(played[loudest]) > 0.45)
        }
    }

    @Test("is bit-identical to the file again when the rate returns to 1", arguments: [0.6, 1.7])
    func backAtOne(_ rate: Float) {
        let signal = whiteNoise(frames: 200_000)
        let player = scene.player(scene.file("a.wav", [signal]))
        let moves = [Move("rate", to: rate, at: 10_000), Move("rate", to: 1, at: 40_000)]
        let played = player.play(100_000, moves: moves)[0]
        #expect(Array(played[..<12_000]) == Array(signal[..<12_000]))
        let tail = Array(played[70_000...])
        let start = signal.indices.first { signal[$0] == tail[0] && signal[$0 + 1] == tail[1] }
        #expect(start != nil)
        if let start { #expect(tail == Array(signal[start..<start + tail.count])) }
    }

    @Test("is bit-identical to the file again when the interval returns to 0", arguments: [-7, 12])
    func backAtZero(_ semitones: Float) {
        let signal = whiteNoise(frames: 200_000)
        let player = scene.player(scene.file("a.wav", [signal]))
        let moves = [
            Move("semitones", to: semitones, at: 10_000), Move("semitones", to: 0, at: 40_000),
        ]
        let played = player.play(100_000, moves: moves)[0]
        let tail = Array(played[75_000...])
        let start = signal.indices.first { signal[$0] == tail[0] && signal[$0 + 1] == tail[1] }
        #expect(start != nil)
        if let start { #expect(tail == Array(signal[start..<start + tail.count])) }
    }

    @Test("changes without a click: a tone stays smooth while rate and pitch move")
    func smooth() {
        let tone = sineWave(300, frames: 400_000, sampleRate: 48_000)
        let player = scene.player(scene.file("a.wav", [tone]))
        let moves = [
            Move("rate", to: 0.8, at: 10_007), Move("rate", to: 1.3, at: 30_000),
            Move("semitones", to: 3, at: 40_000), Move("semitones", to: -2, at: 50_001),
            Move("semitones", to: 0, at: 60_000), Move("rate", to: 1, at: 70_000),
            Move("rate", to: 0.9, at: 71_000), Move("rate", to: 1, at: 71_500),
        ]
        let played = player.play(100_000, moves: moves)[0]
        let bend = (1..<99_999).map { (frame: Int) -> Float in
            let beside: Float = played[frame - 1] + played[frame + 1]
            return abs(beside - 2 * played[frame])
        }
        // The largest curvature of a tone three semitones higher.
        let radians = 2 * Double.pi * 300 * 1.19 / 48_000
        let most = Float(0.5 * radians * radians)
        #expect((bend.max() ?? 1) < 1.1 * most)
        let level = stride(from: 0, to: 96_000, by: 2000).map { rms(played[$0..<$0 + 2000]) }
        #expect(level.allSatisfy { $0 > 0.3 && $0 < 0.4 })
    }
}

/// Returns clicks every 6000 frames.
private func clicks(_ frames: Int) -> [Float] {
    (0..<frames).map { $0 % 6000 == 3000 ? 0.5 : 0 }
}
