import CRealtime
import Glibc
import Processing
import SoundFiles
import Synchronization
import Testing
import TestSignals

import Players

@Suite("A live player")
struct LivePlayerTests {
    private let scene = PlayerScene()

    @Test("sounds from the first frame of the cycle that starts it", arguments: [4000, 300_000])
    func start(_ frames: Int) {
        let signal = ramp(frames)
        let player = scene.player(
            scene.file("a.wav", [signal]), isLive: true, ["playing": 0], ["swell": .number(0)])
        let played = player.play(1000, moves: [Move("playing", to: 1, at: 300)])[0]
        #expect(played[..<300].allSatisfy { $0 == 0 })
        #expect(Array(played[300...]) == Array(signal[..<700]))
    }

    @Test("starts in the same cycle at another rate too", arguments: [4000, 300_000])
    func stretchedStart(_ frames: Int) {
        let signal = whiteNoise(frames: frames)
        let path = scene.file("a.wav", [signal])
        let wanted = scene.player(path, ["rate": 0.8]).play(700)[0]
        let player = scene.player(
            path, isLive: true, ["playing": 0, "rate": 0.8], ["swell": .number(0)])
        var playback = PatientPlayback(player)
        playback.play(20_000)
        #expect(playback.played.allSatisfy { $0 == 0 })
        let played = player.play(1000, moves: [Move("playing", to: 1, at: 300)])[0]
        #expect(played[..<300].allSatisfy { $0 == 0 })
        #expect(Array(played[300...]) == wanted)
    }

    @Test("fades in over a quarter of a second, and cues immediately")
    func swell() {
        let path = scene.file("a.wav", [[Float](repeating: 0.5, count: 30_000)])
        let played = scene.player(path, isLive: true).play(13_000)[0]
        #expect(abs(played[6000] - 0.25) < 0.001)
        #expect(played[12_000...].allSatisfy { $0 == 0.5 })
        #expect((1..<12_000).allSatisfy { played[$0] >= played[$0 - 1] })
        let cue = scene.player(path, isLive: true, [:], ["polyphony": .number(3)])
        #expect(cue.play(100, moves: [Move("trigger", to: 1, at: 50)])[0][50] == 0.5)
    }

    @Test("reads a long file ahead on its own thread, to the sample", arguments: [1.0, 0.8])
    func ahead(_ rate: Float) {
        let signal = whiteNoise(frames: 200_000)
        let path = scene.file("a.wav", [signal])
        let wanted = scene.player(path, ["rate": rate]).play(100_000)[0]
        let player = scene.player(path, isLive: true, ["rate": rate], ["swell": .number(0)])
        var playback = PatientPlayback(player)
        playback.play(60_000)
        let first = playback.played.firstIndex { $0 != 0 } ?? -1
        #expect(first >= 0 && first < 5000)
        #expect(Array(playback.played[first..<first + 50_000]) == Array(wanted[..<50_000]))
        #expect(player.report("silent-frames") == 0)
    }

    @Test("fades out if the disk is too slow, counts the silence, and continues from there")
    func slowDisk() {
        let signal = [Float](repeating: 0.5, count: 400_000)
        let path = scene.file("a.wav", [signal])
        let disk = SlowDisk()
        let player = scene.player(
            ["file": .text(path), "swell": .number(0), "preload": .number(0.5)], isLive: true,
            opener: disk.opener)
        disk.isHeld.store(true, ordering: .releasing)
        let held = player.play(96_000)[0]
        let end = held.firstIndex(of: 0) ?? -1
        #expect(end > 0)
        #expect(held[end...].allSatisfy { $0 == 0 })
        #expect((1..<96_000).allSatisfy { abs(held[$0] - held[$0 - 1]) < 0.001 })
        #expect(player.report("silent-frames") > 0)
        disk.isHeld.store(false, ordering: .releasing)
        var playback = PatientPlayback(player)
        for _ in 0..<1000 where playback.played.last != 0.5 { playback.play(6000) }
        #expect(playback.played.last == 0.5)
        #expect(
            playback.played.indices.dropFirst().allSatisfy {
                abs(playback.played[$0] - playback.played[$0 - 1]) < 0.001
            })
        #expect(player.incidents?.next() == .starved(frames: Int(player.report("silent-frames"))))
    }

    @Test("reports that it has reached its end")
    func ended() {
        let player = scene.player(scene.file("a.wav", [ramp(300)]), isLive: true)
        _ = player.play(1000)
        var reported: Incident?
        for _ in 0..<5000 where reported == nil {
            reported = player.incidents?.next()
            usleep(1000)
        }
        #expect(reported == .ended)
    }

    @Test("plays 32 files of three rates at once, each to the sample")
    func many() {
        let rates = [48_000.0, 44_100, 96_000]
        let paths = rates.map { rate in
            let frames = Int(rate * 3)
            return scene.file(
                "\(rate).wav", [sineWave(200, frames: frames, sampleRate: rate)], sampleRate: rate)
        }
        let players = (0..<32).map {
            scene.player(
                ["file": .text(paths[$0 % 3]), "swell": .number(0), "preload": .number(0.5)],
                isLive: true, ["playing": 1])
        }
        var shows = players.map { PatientPlayback($0) }
        for _ in 0..<20 { for index in shows.indices { shows[index].play(1000) } }
        let wanted = sineWave(200, frames: 20_000, sampleRate: 48_000)
        for playback in shows {
            let worst = (1000..<20_000).map { abs(playback.played[$0] - wanted[$0]) }.max() ?? 1
            #expect(worst < 1e-4)
            #expect(playback.player.report("silent-frames") == 0)
        }
    }

    @Test("shares its memory with other players of the same file")
    func shared() {
        let opened = SlowDisk()
        let path = scene.file("a.wav", [ramp(1000)])
        let settings: [String: SettingValue] = ["file": .text(path)]
        let players = (0..<4).map { _ in scene.player(settings, opener: opened.opener) }
        #expect(opened.readFrames.load(ordering: .relaxed) == 1000)
        #expect(players.allSatisfy { $0.play(500)[0] == ramp(500) })
    }
}

/// Runs a live player no faster than its disk thread reads.
struct PatientPlayback {
    let player: Processor
    private(set) var played: [Float] = []

    init(_ player: Processor) { self.player = player }

    /// Plays frames in blocks of 64, and gives the reader time after each tenth of a second.
    mutating func play(_ frames: Int) {
        var left = frames
        while left > 0 {
            let count = min(64, left)
            let patience = played.count / 1024
            played += player.play(count)[0]
            left -= count
            if played.count / 1024 != patience { usleep(10_000) }
        }
    }
}

/// A disk that a test can block.
final class SlowDisk: Sendable {
    let isHeld = Atomic(false)
    let readFrames = Atomic(0)

    /// Opens files whose reads wait for the disk.
    var opener: SoundOpener {
        SoundOpener { path, sampleRate throws(SoundFileError) in
            SlowSource(try SoundOpener.files.open(path, sampleRate), self)
        }
    }
}

private final class SlowSource: SeekableSource {
    private let source: any SeekableSource
    private let disk: SlowDisk

    init(_ source: any SeekableSource, _ disk: SlowDisk) {
        self.source = source
        self.disk = disk
    }

    var path: String { "slow" }
    var channels: Int { source.channels }
    var sampleRate: Double { source.sampleRate }
    var frameCount: Int { source.frameCount }

    func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileError) -> Int {
        while disk.isHeld.load(ordering: .acquiring) { usleep(1000) }
        disk.readFrames.add(frames, ordering: .relaxed)
        return try source.read(frames, into: samples)
    }

    func seek(to frame: Int) throws(SoundFileError) { try source.seek(to: frame) }
}
