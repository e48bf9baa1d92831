import Processing
import Testing
import TestSignals

import Players

@Suite("A playlist")
struct PlaylistTests {
    private let scene = PlayerScene()

    private func list(_ paths: [String], _ gains: [Double] = []) -> SettingValue {
        .playlist(
            paths.enumerated().map {
                PlaylistItem(path: $1, gain: gains.indices.contains($0) ? gains[$0] : 0)
            })
    }

    @Test(
        "joins its files without a gap, from memory and disk", arguments: [2000, 90_000, 120_000])
    func gapless(_ frames: Int) {
        let signals = [ramp(frames), ramp(700, from: 300_000), ramp(frames, from: 400_000)]
        let paths = signals.enumerated().map { scene.file("\($0).wav", [$1]) }
        let player = scene.player(["files": list(paths, [0, 6, 0]), "preload": .number(0.5)])
        let played = player.play(2 * frames + 1000)
        let louder = signals[1].map { $0 * Float(1.9952623149688795) }
        #expect(played == [signals[0] + louder + signals[2] + [Float](repeating: 0, count: 300)])
        #expect(player.report("playing") == 0)
    }

    @Test("joins files of other rates at their ends")
    func rates() {
        let slow = sineWave(100, frames: 3000, sampleRate: 3000)
        let paths = [
            scene.file("a.wav", [slow], sampleRate: 3000), scene.file("b.wav", [ramp(1000)]),
            scene.file(
                "c.wav", [sineWave(50, frames: 44_100, sampleRate: 44_100)], sampleRate: 44_100),
        ]
        let played = scene.player(["files": list(paths)]).play(98_000)[0]
        #expect(Array(played[48_000..<49_000]) == ramp(1000))
        let wanted = sineWave(50, frames: 48_000, sampleRate: 48_000)
        #expect((1000..<47_000).allSatisfy { abs(played[49_000 + $0] - wanted[$0]) < 1e-4 })
        #expect(played[97_010...].allSatisfy { $0 == 0 })
    }

    @Test("reports the path of its current file")
    func file() {
        let paths = ["a.wav", "b.wav"].map { scene.file($0, [ramp(900)]) }
        let player = scene.player(["files": list(paths)])
        #expect(player.reportTexts?([0, 0, 1, 1]) == [paths[0]])
        #expect(player.reportTexts?([0, 0, 2, 1]) == [paths[1]])
        // The value arrives from the audio thread, and is not known at first.
        for item: Float in [0, 3, -1, 1.5, .infinity] {
            #expect(player.reportTexts?([0, 0, item]) == [""])
        }
        #expect(player.reportTexts?([]) == [""])
    }

    @Test("repeats as a whole if it loops, for the requested count")
    func loops() {
        let signals = [ramp(900), ramp(500, from: 1000)]
        let paths = signals.enumerated().map { scene.file("\($0).wav", [$1]) }
        let player = scene.player(
            ["files": list(paths), "loops": .number(2)], ["loop": 1])
        let once = signals[0] + signals[1]
        #expect(player.play(3000) == [once + once + [Float](repeating: 0, count: 200)])
    }

    @Test("moves to the next item, the previous item, or an item by number")
    func steps() {
        let signals = (0..<3).map { ramp(100_000, from: 200_000 * $0) }
        let paths = signals.enumerated().map { scene.file("\($0).wav", [$1]) }
        let player = scene.player(
            ["files": list(paths), "swell": .number(0), "preload": .number(0.5)])
        let moves = [
            Move("next", to: 1, at: 5000), Move("next", to: 0, at: 5001),
            Move("previous", to: 1, at: 10_000), Move("item", to: 3, at: 15_000),
            Move("next", to: 1, at: 20_000),
        ]
        let played = player.play(25_000, moves: moves)[0]
        for (first, item) in [(5000, 1), (10_000, 0), (15_000, 2), (20_000, 0)] {
            #expect(
                Array(played[first + 960..<first + 5000]) == Array(signals[item][960..<5000]))
        }
        #expect(player.report("item") == 1)
        #expect(player.report("position") == Float(5000) / 48_000)
    }

    @Test("selects the next item while stopped")
    func chosen() {
        let signals = (0..<3).map { ramp(5000, from: 6000 * $0) }
        let paths = signals.enumerated().map { scene.file("\($0).wav", [$1]) }
        let player = scene.player(
            ["files": list(paths), "swell": .number(0)], ["playing": 0, "item": 2])
        let moves = [Move("next", to: 1, at: 100), Move("playing", to: 1, at: 200)]
        let played = player.play(1200, moves: moves)[0]
        #expect(played[..<200].allSatisfy { $0 == 0 })
        #expect(Array(played[200...]) == Array(signals[2][..<1000]))
    }

    @Test("plays each file once in shuffled order, which is always the same offline")
    func shuffle() {
        let signals = (0..<8).map { [Float](repeating: Float($0 + 1) / 16, count: 100) }
        let paths = signals.enumerated().map { scene.file("\($0).wav", [$1]) }
        func order() -> [Float] {
            let played = scene.player(["files": list(paths), "shuffle": .toggle(true)]).play(800)[0]
            return stride(from: 0, to: 800, by: 100).map { played[$0] * 16 }
        }
        #expect(order().sorted() == (1...8).map { Float($0) })
        #expect(order() != (1...8).map { Float($0) })
        #expect(order() == order())
    }

    @Test("lets cues overlap, up to the number of voices")
    func cues() {
        let (low, high) = (ramp(3000), ramp(20_000, from: 50_000))
        let paths = [scene.file("a.wav", [low]), scene.file("b.wav", [high])]
        let player = scene.player(["files": list(paths), "polyphony": .number(2)])
        let moves = [
            Move("trigger", to: 1, at: 100), Move("trigger", to: 0, at: 101),
            Move("item", to: 2, at: 500), Move("trigger", to: 1, at: 500),
            Move("trigger", to: 0, at: 501), Move("trigger", to: 1, at: 6000),
            Move("trigger", to: 0, at: 6001), Move("trigger", to: 1, at: 8000),
        ]
        let played = player.play(12_000, moves: moves)[0]
        var wanted = [Float](repeating: 0, count: 12_000)
        for (frame, value) in low.enumerated() { wanted[100 + frame] += value }
        for (frame, value) in high.enumerated() where 500 + frame < 12_000 {
            wanted[500 + frame] += value
        }
        #expect(Array(played[..<6000]) == Array(wanted[..<6000]))
        // The third cue has replaced the oldest one.
        let third = (8960..<12_000).map { high[$0 - 6000] + high[$0 - 8000] }
        #expect(Array(played[8960...]) == third)
        #expect(player.report("voices") == 2)
    }

    @Test("starts a cue at each trigger, without a release and with one in the same frame")
    func everyTrigger() {
        let low = ramp(3000)
        let player = scene.player([
            "files": list([scene.file("a.wav", [low])]), "polyphony": .number(4),
        ])
        let moves = [
            Move("trigger", to: 1, at: 100), Move("trigger", to: 1, at: 500),
            Move("trigger", to: 1, at: 900), Move("trigger", to: 0, at: 900),
        ]
        let played = player.play(4000, moves: moves)[0]
        var wanted = [Float](repeating: 0, count: 4000)
        for start in [100, 500, 900] {
            for (frame, value) in low.enumerated() { wanted[start + frame] += value }
        }
        #expect(played == wanted)
    }

    @Test("restarts a playing file when it is triggered")
    func retrigger() {
        let signal = whiteNoise(frames: 60_000)
        let player = scene.player(
            ["file": .text(scene.file("a.wav", [signal])), "swell": .number(0)])
        let moves = (0..<10).flatMap {
            [
                Move("trigger", to: 1, at: 5000 + 100 * $0),
                Move("trigger", to: 0, at: 5050 + 100 * $0),
            ]
        }
        let played = player.play(10_000, moves: moves)[0]
        let start = (5900..<8000).first { first in
            (0..<500).allSatisfy { played[first + 960 + $0] == signal[960 + $0] }
        }
        // The last start waits until a playback voice is free.
        #expect(start.map { $0 <= 5900 + 960 } == true)
    }
}
