import Processing
import Testing
import TestSignals

import Players

@Suite("A player of one file")
struct FilePlayerTests {
    private let scene = PlayerScene()
    /// One file is held in memory, the other read one page at a time.
    private static let lengths = [4000, 150_000]

    @Test("plays the file's samples from the first frame on, then silence", arguments: lengths)
    func plain(_ frames: Int) {
        let signals = [ramp(frames), ramp(frames, from: 77)]
        let player = scene.player(scene.file("a.wav", signals), channels: 2)
        let played = player.play(frames + 500)
        for channel in 0..<2 {
            #expect(played[channel] == signals[channel] + [Float](repeating: 0, count: 500))
        }
    }

    @Test(
        "gives identical output for every partition into blocks",
        arguments: [
            .even(1), .even(31), .even(4096), .random(seed: 3),
        ] as [Partition])
    func partition(_ partition: Partition) {
        let path = scene.file("a.wav", [whiteNoise(frames: 120_000)])
        let moves = [
            Move("rate", to: 0.7, at: 3000), Move("semitones", to: 4, at: 9001),
            Move("position", to: 1.5, at: 20_000), Move("semitones", to: 0, at: 24_000),
            Move("rate", to: 1, at: 25_000), Move("playing", to: 0, at: 41_003),
            Move("playing", to: 1, at: 44_000), Move("trigger", to: 1, at: 50_000),
            Move("trigger", to: 0, at: 50_001), Move("trigger", to: 1, at: 50_100),
            Move("gain", to: -6, at: 52_000), Move("loop", to: 1, at: 53_000),
        ]
        let whole = scene.player(path).play(60_000, partition: .even(64), moves: moves)
        let cut = scene.player(path).play(60_000, partition: partition, moves: moves)
        #expect(whole == cut)
        #expect(whole[0][59_000...].contains { $0 != 0 })
    }

    @Test("is equal to a new player after a reset", arguments: lengths)
    func reset(_ frames: Int) {
        let player = scene.player(scene.file("a.wav", [whiteNoise(frames: frames)]), ["rate": 0.8])
        let first = player.play(6000)
        player.resetState()
        #expect(player.play(6000) == first)
    }

    @Test("fades out over `swell-out` when it stops, and continues at the current level")
    func swellOut() {
        let path = scene.file("a.wav", [[Float](repeating: 1, count: 60_000)])
        func play(_ moves: [Move]) -> [Float] {
            scene.player(path, [:], ["swell-out": .number(0.1)]).play(20_000, moves: moves)[0]
        }
        let stopped = play([Move("playing", to: 0, at: 1000)])
        #expect(stopped[..<1000].allSatisfy { $0 == 1 })
        #expect(abs(stopped[1000 + 2399] - 0.5) < 0.001)
        #expect(stopped[1000 + 4700] > 0)
        #expect(stopped[(1000 + 4800)...].allSatisfy { $0 == 0 })
        let resumed = play([Move("playing", to: 0, at: 1000), Move("playing", to: 1, at: 3000)])
        let steps = zip(resumed, resumed.dropFirst()).map { abs($1 - $0) }
        #expect((steps.max() ?? 1) < 0.001)
        #expect(resumed[19_999] == 1)
    }

    @Test("starts at `start` and stops before `end`, to the sample", arguments: lengths)
    func region(_ frames: Int) {
        let signal = ramp(frames)
        let player = scene.player(
            scene.file("a.wav", [signal]), [:],
            ["start": .number(0.01), "end": .number(0.05)])
        #expect(
            player.play(2400) == [Array(signal[480..<2400]) + [Float](repeating: 0, count: 480)])
    }

    @Test("joins its end to its start to the sample, three times", arguments: lengths)
    func loops(_ frames: Int) {
        let signal = ramp(frames)
        let player = scene.player(
            scene.file("a.wav", [signal]), ["loop": 1], ["loops": .number(3)])
        let played = player.play(3 * frames + 100)
        #expect(played == [signal + signal + signal + [Float](repeating: 0, count: 100)])
    }

    @Test("crossfades from the end of a loop to its start at equal power", arguments: lengths)
    func crossfade(_ frames: Int) {
        let signal = whiteNoise(frames: frames)
        let player = scene.player(
            scene.file("a.wav", [signal]), ["loop": 1], ["crossfade": .number(0.02)])
        let played = player.play(2 * frames)[0]
        let (length, period) = (960, frames - 960)
        #expect(Array(played[..<period]) == Array(signal[..<period]))
        #expect(Array(played[frames..<2 * period]) == Array(signal[length..<period]))
        let middle = period + length / 2
        let half = Float(0.5).squareRoot()
        #expect(
            abs(played[middle] - half * (signal[middle] + signal[middle - period])) < 0.01)
        let over = played[period..<frames].reduce(0) { $0 + $1 * $1 }
        let before = signal[..<length].reduce(0) { $0 + $1 * $1 }
        #expect((0.8...1.25).contains(over / before))
    }

    @Test(
        "plays a file with another rate from its first frame to its last",
        arguments: [
            44_100.0, 3000, 96_000,
        ])
    func rates(_ sampleRate: Double) {
        let hertz = 440.0
        let file = scene.file(
            "a.wav", [sineWave(hertz, frames: Int(sampleRate), sampleRate: sampleRate)],
            sampleRate: sampleRate)
        let played = scene.player(file).play(49_000)[0]
        let wanted = sineWave(hertz, frames: 48_000, sampleRate: 48_000)
        let worst = (2000..<46_000).map { abs(played[$0] - wanted[$0]) }.max() ?? 1
        #expect(worst < 1e-5)
        #expect(played[48_010...].allSatisfy { $0 == 0 })
    }

    @Test("copies mono to all channels, mixes all to mono by their mean, and silences missing ones")
    func channels() {
        let (left, right) = (ramp(3000), ramp(3000, from: 9))
        let (mono, stereo) = (scene.file("m.wav", [left]), scene.file("s.wav", [left, right]))
        #expect(scene.player(mono, channels: 2).play(3000) == [left, left])
        let mean = zip(left, right).map { ($0 + $1) / 2 }
        #expect(scene.player(stereo, channels: 1).play(3000) == [mean])
        let wide = scene.player(stereo, channels: 3).play(3000)
        #expect(wide == [left, right, [Float](repeating: 0, count: 3000)])
    }

    @Test("replaces samples that are not numbers by 0")
    func notFinite() {
        var signal = ramp(3000)
        (signal[10], signal[20], signal[30]) = (.nan, .infinity, -1e30)
        var wanted = signal
        for frame in [10, 20, 30] { wanted[frame] = 0 }
        #expect(scene.player(scene.file("a.wav", [signal])).play(3000) == [wanted])
    }

    @Test("seeks: the old position fades out, and the new one fades in", arguments: lengths)
    func seek(_ frames: Int) {
        let signal = whiteNoise(frames: frames)
        let player = scene.player(
            scene.file("a.wav", [signal]), [:], ["swell": .number(0.01)])
        let played = player.play(3000, moves: [Move("position", to: 0.03, at: 1000)])[0]
        #expect(Array(played[..<1000]) == Array(signal[..<1000]))
        #expect(Array(played[1960...]) == Array(signal[1440 + 960..<1440 + 2000]))
        #expect(player.report("position") == Float(3440) / 48_000)
    }

    @Test("keeps its position while stopped, and fades in from there")
    func pause() {
        let signal = whiteNoise(frames: 60_000)
        let player = scene.player(scene.file("a.wav", [signal]), [:], ["swell": .number(0.01)])
        let moves = [Move("playing", to: 0, at: 1000), Move("playing", to: 1, at: 5000)]
        let played = player.play(8000, moves: moves)[0]
        #expect(played[1960..<5000].allSatisfy { $0 == 0 })
        #expect(Array(played[5480...]) == Array(signal[2440..<2440 + 2520]))
    }

    @Test("starts again on a restart")
    func restart() {
        let signal = whiteNoise(frames: 60_000)
        let player = scene.player(
            scene.file("a.wav", [signal]), [:],
            ["swell": .number(0.01), "restart": .toggle(true)])
        let moves = [Move("playing", to: 0, at: 1000), Move("playing", to: 1, at: 5000)]
        let played = player.play(8000, moves: moves)[0]
        #expect(Array(played[5480...]) == Array(signal[480..<3000]))
    }

    @Test("plays an endless loop identically from memory and from disk")
    func endless() {
        let signal = ramp(30_000)
        let path = scene.file("a.wav", [signal])
        let short = scene.player(path, ["loop": 1], ["preload": .number(1)]).play(100_000)
        let long = scene.player(path, ["loop": 1]).play(100_000)
        #expect(short == long)
        #expect(short[0][90_000..<100_000] == signal[..<10_000])
    }
}

@Suite("The ends that a player counts")
struct PlayerEndTests {
    private let scene = PlayerScene()

    private func player(_ values: [String: Float] = [:]) -> Processor {
        scene.player(scene.file("a.wav", [ramp(4_000)]), values)
    }

    private func ends(_ player: Processor) -> UInt32? { player.endCount?.pointee }

    @Test("count when the file has played to its end, at every play")
    func natural() {
        let player = player()
        #expect(ends(player) == 0)
        _ = player.play(3_900)
        #expect(ends(player) == 0)
        _ = player.play(200)
        #expect(ends(player) == 1)
        _ = player.play(5_000, moves: [Move("trigger", to: 1, at: 0)])
        #expect(ends(player) == 2)
    }

    @Test("do not count a stop, a loop or a new start")
    func others() {
        let stopped = player()
        _ = stopped.play(9_000, moves: [Move("playing", to: 0, at: 1_000)])
        #expect(ends(stopped) == 0)
        let looping = player(["loop": 1])
        _ = looping.play(20_000)
        #expect(ends(looping) == 0)
        let again = player()
        _ = again.play(
            6_000, moves: [Move("trigger", to: 1, at: 2_000), Move("trigger", to: 1, at: 4_500)])
        #expect(ends(again) == 0)
    }
}
