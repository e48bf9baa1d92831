import CRealtime
import Glibc
import Processing
import Testing
import TestSignals

import Players

@Suite("A synchronized player")
struct TimedPlayerTests {
    private let scene = PlayerScene()

    @Test(
        "plays at the rolling transport's position, and follows its jumps", arguments: [64, 333])
    func sync(_ blockFrames: Int) {
        let signal = ramp(300_000)
        let player = scene.player(
            [
                "file": .text(scene.file("a.wav", [signal])), "sync": .toggle(true),
                "swell": .number(0),
            ])
        var playback = TimedPlayback(player)
        playback.play(3 * blockFrames, blockFrames: blockFrames)
        #expect(playback.played.allSatisfy { $0 == 0 })
        playback.locate(10_000)
        playback.isRolling = true
        playback.play(20 * blockFrames, blockFrames: blockFrames)
        #expect(
            Array(playback.played.suffix(20 * blockFrames))
                == Array(signal[10_000..<10_000 + 20 * blockFrames]))
        playback.locate(200_000)
        playback.play(2000, blockFrames: 100)
        #expect(Array(playback.played.suffix(1000)) == Array(signal[201_000..<202_000]))
        playback.isRolling = false
        playback.play(2000, blockFrames: 100)
        #expect(playback.played.suffix(1000).allSatisfy { $0 == 0 })
        playback.isRolling = true
        playback.play(1000, blockFrames: 100)
        #expect(Array(playback.played.suffix(1000)) == Array(signal[202_000..<203_000]))
        playback.locate(400_000)
        playback.play(2000, blockFrames: 100)
        #expect(playback.played.suffix(1000).allSatisfy { $0 == 0 })
    }

    @Test("is at the transport's position after a jump, even if it must wait for the disk")
    func liveSync() {
        let signal = ramp(900_000)
        let player = scene.player(
            [
                "file": .text(scene.file("a.wav", [signal])), "sync": .toggle(true),
                "swell": .number(0),
            ],
            isLive: true)
        var playback = TimedPlayback(player)
        playback.isRolling = true
        for start in [0, 700_000, 300_000] {
            playback.locate(start)
            var played = 0
            for _ in 0..<1000 where played == 0 || playback.played.last == 0 || played < 3000 {
                playback.play(100, blockFrames: 100)
                played += 100
                usleep(500)
            }
            #expect(
                Array(playback.played.suffix(1000))
                    == Array(signal[start + played - 1000..<start + played]))
        }
    }

    @Test("finds its position in loops and playlists")
    func syncedLoop() {
        let signals = [ramp(1000), ramp(700, from: 5000)]
        let paths = signals.enumerated().map { scene.file("\($0).wav", [$1]) }
        let files = SettingValue.playlist(paths.map { PlaylistItem(path: $0) })
        let player = scene.player(
            ["files": files, "sync": .toggle(true), "swell": .number(0)], ["loop": 1])
        var playback = TimedPlayback(player)
        playback.isRolling = true
        playback.locate(1700 * 5 + 1200)
        playback.play(1700, blockFrames: 64)
        let whole = signals[0] + signals[1]
        #expect(playback.played == Array(whole[1200...]) + Array(whole[..<1200]))
    }

    @Test("starts exactly on the bar or the beat", arguments: ["beat", "bar"], [120.0, 133])
    func startOn(_ point: String, _ tempo: Double) {
        let signal = whiteNoise(frames: 5000)
        let player = scene.player(
            [
                "file": .text(scene.file("a.wav", [signal])), "start-on": .text(point),
                "swell": .number(0),
            ], ["playing": 0])
        var playback = TimedPlayback(player)
        playback.beatsPerMinute = tempo
        playback.isRolling = true
        playback.play(30_000, blockFrames: 64)
        player.kernel.set(playerParameter("playing"), to: 1)
        playback.play(100_000, blockFrames: 101)
        let first = playback.played.firstIndex { $0 != 0 } ?? -1
        let beatFrames = 48_000 * 60 / tempo
        let wanted =
            point == "beat" ? (30_000 / beatFrames).rounded(.up) * beatFrames : 4 * beatFrames
        #expect(first == Int(wanted.rounded(.up)))
        #expect(Array(playback.played[first..<first + 5000]) == signal)
    }
}

/// A player with a transport under a test's control.
struct TimedPlayback {
    let player: Processor
    var isRolling = false
    var beatsPerMinute = 120.0
    private var frame = 0
    private(set) var played: [Float] = []

    init(_ player: Processor) { self.player = player }

    /// Moves the transport.
    mutating func locate(_ frame: Int) { self.frame = frame }

    /// Plays frames in blocks.
    mutating func play(_ frames: Int, blockFrames: Int) {
        var block = [Float](repeating: 0, count: blockFrames)
        var left = frames
        while left > 0 {
            let count = min(left, blockFrames)
            run(count, into: &block)
            played += block[..<count]
            left -= count
        }
    }

    private mutating func run(_ count: Int, into output: UnsafeMutablePointer<Float>) {
        let beats = Double(frame) * beatsPerMinute / 60 / 48_000
        let bar = (beats / 4).rounded(.down)
        var transport = RTTransport(
            revision: 1, isRolling: isRolling, isFreewheeling: false, hasBeats: true, beatUnit: 4,
            frame: Int64(frame), bar: Int64(bar), barBeat: beats - 4 * bar, beatsPerBar: 4,
            beatsPerMinute: beatsPerMinute)
        withUnsafePointer(to: &transport) { transport in
            var beside = RTContext(
                messages: RTMessages(), sink: RTMessageSink(), transport: transport)
            var outputs: [UnsafeMutablePointer<Float>] = [output]
            outputs.withUnsafeMutableBufferPointer { outputs in
                guard let base = outputs.baseAddress else { return }
                withUnsafePointer(to: &beside) { beside in
                    let none = UnsafeRawPointer(base).assumingMemoryBound(
                        to: UnsafePointer<Float>.self)
                    var block = RTBlock(
                        frameCount: Int32(count), inputCount: 0, outputCount: 1, inputs: none,
                        outputs: UnsafePointer(base))
                    block.context = beside
                    player.kernel.run(&block)
                }
            }
        }
        if isRolling { frame += count }
    }
}
