import Processing
import SoundFiles
import Synchronization
import Testing
import TestSignals

import Players

@Suite("A player whose list is edited while it plays")
struct PlaylistEditTests {
    private let scene = PlayerScene()

    private func settings(
        _ paths: [String], _ others: [String: SettingValue] = [:]
    ) -> [String: SettingValue] {
        let usual: [String: SettingValue] = [
            "files": .playlist(paths.map { PlaylistItem(path: $0) }), "preload": .number(0.5),
        ]
        return usual.merging(others) { _, given in given }
    }

    /// Replaces the list of a player.
    private func edit(
        _ player: Processor, _ paths: [String], _ others: [String: SettingValue] = [:]
    ) throws {
        try scene.change(player, to: settings(paths, others)).commit()
    }

    private func files(_ signals: [[Float]]) -> [String] {
        signals.enumerated().map { scene.file("\($0).wav", [$1]) }
    }

    private func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

    @Test("continues its file when one is added, and plays the new one next", arguments: lengths)
    func addition(_ frames: Int) throws {
        let signals = [ramp(frames), ramp(700, from: 300_000), ramp(30_000, from: 400_000)]
        let paths = files(signals)
        let player = scene.player(settings([paths[0]]))
        let before = player.play(1000)[0]
        try edit(player, paths)
        let after = player.play(frames - 1000 + 30_700 + 300)[0]
        #expect(before + after == signals[0] + signals[1] + signals[2] + silence(300))
    }

    @Test("plays a removed file to its end, then the file in its place", arguments: lengths)
    func removal(_ frames: Int) throws {
        let signals = [ramp(frames), ramp(700, from: 300_000), ramp(900, from: 400_000)]
        let paths = files(signals)
        let player = scene.player(settings(paths))
        let before = player.play(1000)[0]
        #expect(player.report("item") == 1)
        try edit(player, [paths[1], paths[2]])
        let during = player.play(500)[0]
        #expect(player.report("item") == 0)
        #expect(player.report("duration") == Float(Double(frames) / 48_000))
        let after = player.play(frames - 1500 + 300)[0]
        #expect(player.report("item") == 1)
        let last = player.play(1600)[0]
        #expect(
            before + during + after + last
                == signals[0] + signals[1] + signals[2] + silence(300))
    }

    @Test("follows a new order, and files that replace others")
    func order() throws {
        let signals = (0..<4).map { ramp(3000, from: 5000 * $0) }
        let paths = files(signals)
        let player = scene.player(settings([paths[0], paths[1], paths[2]]))
        let before = player.play(4000)[0]
        try edit(player, [paths[2], paths[1], paths[3]])
        let after = player.play(4900)[0]
        #expect(before + after == signals[0] + signals[1] + Array(signals[3][..<2900]))
        #expect(player.report("item") == 3)
    }

    @Test("goes from a removed file to its neighbours in the list")
    func steps() throws {
        let signals = (0..<3).map { ramp(60_000, from: 70_000 * $0) }
        let paths = files(signals)
        for (name, wanted) in [("next", 2), ("previous", 0), ("item", 2), ("trigger", 2)] {
            let player = scene.player(settings(paths, ["swell": .number(0)]), ["item": 2])
            _ = player.play(1000)
            try edit(player, [paths[0], paths[2]], ["swell": .number(0)])
            _ = player.play(100)
            let move = Move(name, to: name == "item" ? 2 : 1, at: 100)
            let played = player.play(5000, moves: [move])[0]
            #expect(Array(played[..<100]) == Array(signals[1][1100..<1200]))
            #expect(
                Array(played[1060...]) == Array(signals[wanted][960..<4900]), "\(name)")
        }
    }

    @Test("repeats the one file that is left only after a removed one has ended")
    func remaining() throws {
        let signals = [ramp(3000), ramp(2000, from: 5000)]
        let paths = files(signals)
        let player = scene.player(settings([paths[0]]), ["loop": 1])
        let before = player.play(1000)[0]
        try edit(player, [paths[1]])
        let after = player.play(8000)[0]
        #expect(before + after == signals[0] + signals[1] + signals[1] + signals[1])
    }

    @Test("continues a removed file that comes back", arguments: lengths)
    func undo(_ frames: Int) throws {
        let signals = [ramp(frames), ramp(700, from: 300_000)]
        let paths = files(signals)
        let player = scene.player(settings(paths))
        var played = player.play(500)[0]
        for _ in 0..<5 {
            try edit(player, [paths[1]])
            played += player.play(100)[0]
            #expect(player.report("item") == 0)
            try edit(player, paths)
            played += player.play(100)[0]
            #expect(player.report("item") == 1)
        }
        played += player.play(frames + 700 - 1500)[0]
        #expect(played == signals[0] + signals[1])
    }

    @Test("ends a loop's crossfade as it began, if the list changes during it", arguments: [1, 2])
    func crossfade(_ added: Int) throws {
        let signals = [whiteNoise(frames: 4000), ramp(3000)]
        let paths = files(signals)
        let others = ["crossfade": SettingValue.number(0.02)]
        let unedited = scene.player(settings([paths[0]], others), ["loop": 1]).play(6000)[0]
        let player = scene.player(settings([paths[0]], others), ["loop": 1])
        // The crossfade is from 3040 to 4000. Afterwards the list has two files, or only the other
        // one.
        let before = player.play(3500)[0]
        try edit(player, Array(paths.suffix(added)), others)
        let after = player.play(5500)[0]
        let played = before + after
        #expect(Array(played[..<6000]) == unedited)
        #expect(Array(played[4000..<7040]) == Array(signals[0][960...]))
        #expect(Array(played[7040...]) == Array(signals[1][..<1960]))
    }

    @Test("begins no crossfade in its middle, if only one file is left shortly before its end")
    func noCrossfade() throws {
        let signals = [whiteNoise(frames: 4000), ramp(3000)]
        let paths = files(signals)
        let others = ["crossfade": SettingValue.number(0.02)]
        let player = scene.player(settings(paths, others), ["loop": 1])
        let before = player.play(3500)[0]
        try edit(player, [paths[0]], others)
        let after = player.play(3500)[0]
        #expect(before + after == signals[0] + Array(signals[0][..<3000]))
    }

    @Test("changes nothing if the change is not committed, or a file cannot be read")
    func refused() throws {
        let signals = [ramp(3000), ramp(700, from: 5000)]
        let paths = files(signals)
        let player = scene.player(settings([paths[0]]))
        let before = player.play(1000)[0]
        _ = try scene.change(player, to: settings([paths[1]]))
        #expect(throws: PluginError.self) {
            try edit(player, [paths[1], scene.folder.file("none.wav")])
        }
        let after = player.play(2300)[0]
        #expect(before + after == signals[0] + silence(300))
    }

    @Test("lets a removed cue end, and starts the cue in its place at the next trigger")
    func cues() throws {
        let signals = [ramp(3000), ramp(2000, from: 5000)]
        let paths = files(signals)
        let others = ["polyphony": SettingValue.number(2)]
        let player = scene.player(settings(paths, others))
        let before = player.play(1000, moves: [Move("trigger", to: 1, at: 0)])[0]
        try edit(player, [paths[1]], others)
        let after = player.play(3000, moves: [Move("trigger", to: 1, at: 2500)])[0]
        #expect(
            before + after == signals[0] + silence(500) + Array(signals[1][..<500]))
    }

    @Test("closes a removed file when it has ended")
    func closing() throws {
        let disk = CountedFiles()
        let signals = [ramp(30_000), ramp(30_000, from: 40_000)]
        let paths = files(signals)
        let player = scene.player(settings(paths), opener: disk.opener)
        _ = player.play(1000)
        #expect(disk.openCount.load(ordering: .relaxed) == 2)
        try edit(player, [paths[1]])
        _ = player.play(1000)
        #expect(disk.openCount.load(ordering: .relaxed) == 2)
        _ = player.play(30_000)
        #expect(disk.openCount.load(ordering: .relaxed) == 1)
        #expect(player.play(1000)[0] == Array(signals[1][2000..<3000]))
    }

    @Test("reuses the memory of a removed file without its sound", arguments: lengths)
    func reuse(_ frames: Int) throws {
        let signals = (0..<6).map { ramp(frames, from: 100_000 * $0) }
        let paths = files(signals)
        let player = scene.player(settings([paths[0]]))
        var played = player.play(100)[0]
        for next in 1..<6 {
            try edit(player, [paths[next]])
            played += player.play(frames)[0]
        }
        #expect(played == Array(signals[..<5].joined()) + Array(signals[5][..<100]))
    }

    @Test(
        "sounds like a player that was not edited, whatever is edited",
        arguments: [Float(1), 0.8], UInt64(1)...6)
    func randomEdits(_ rate: Float, _ seed: UInt64) throws {
        let signals =
            [whiteNoise(frames: 120_000)]
            + [2000, 30_000, 500, 40_000, 9000].map { ramp($0, from: $0) }
        let paths = files(signals)
        let values = ["rate": rate]
        let unedited = scene.player(settings([paths[0], paths[1]]), values)
        let player = scene.player(settings([paths[0], paths[1]]), values)
        var random = PlaylistRandom(seed: seed)
        var (wanted, played) = ([Float](), [Float]())
        // The last edit is before the end of the first file comes near.
        while played.count < 90_000 {
            let frames = 1 + random.next(below: 5000)
            wanted += unedited.play(frames)[0]
            played += player.play(frames)[0]
            let order = random.order(paths.count).prefix(1 + random.next(below: 6))
            try edit(player, order.map { paths[$0] })
        }
        try edit(player, [paths[0], paths[1]])
        wanted += unedited.play(70_000)[0]
        played += player.play(70_000)[0]
        #expect(played == wanted)
    }

    @Test("plays live without a gap, and frees removed files on the reader's thread")
    func live() throws {
        let signals = [whiteNoise(frames: 150_000), ramp(100_000), ramp(60_000, from: 200_000)]
        let paths = files(signals)
        let others = ["swell": SettingValue.number(0)]
        let player = scene.player(settings([paths[0], paths[1]], others), isLive: true)
        var playback = PatientPlayback(player)
        for round in 0..<60 {
            playback.play(1000)
            let list = [[2], [0, 1], [1, 2, 0], [0, 2]][round % 4]
            try scene.change(player, to: settings(list.map { paths[$0] }, others), isLive: true)
                .commit()
        }
        playback.play(100_000)
        let first = playback.played.firstIndex { $0 != 0 } ?? 0
        #expect(first < 5000)
        let wanted = signals[0] + signals[2]
        let count = min(playback.played.count - first, wanted.count)
        #expect(Array(playback.played[first..<first + count]) == Array(wanted[..<count]))
        #expect(player.report("silent-frames") == 0)
    }

    @Test("follows only changes of the list")
    func rule() throws {
        let allows = try #require(Player.effect().settingsRule).allows
        let list = settings(["a.wav", "b.wav"])
        #expect(allows(list, settings(["b.wav"])))
        #expect(allows(list, settings(["c.wav"])))
        #expect(!allows(list, settings(["a.wav", "b.wav"], ["loops": .number(2)])))
        #expect(!allows(list, ["url": .text("https://example.org/a.ogg")]))
        let single: [String: SettingValue] = ["file": .text("a.wav"), "preload": .number(0.5)]
        #expect(allows(single, list))
        #expect(allows(list, single))
        #expect(!allows(single, ["file": .text("b.wav"), "preload": .number(0.5)]))
        #expect(!allows(single, settings(["b.wav"])))
    }

    @Test("needs memory only for the files that an edit adds")
    func memory() throws {
        let paths = files([ramp(20_000), ramp(10_000)])
        let rule = try #require(Player.effect().settingsRule)
        func bytes(_ paths: [String]) -> Int {
            rule.memoryBytes(
                settings([paths[0]]),
                ProcessorRequest(
                    format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64),
                    inputChannels: 0, outputChannels: 1, parameters: [],
                    settings: settings(paths)))
        }
        #expect(bytes([paths[0]]) == 0)
        #expect(bytes([paths[0], paths[1]]) == 40_000)
    }
}

/// Files that a player loads into memory, and files that it reads in pages.
private let lengths = [3000, 90_000]

/// Counts the open files.
private final class CountedFiles: Sendable {
    let openCount = Atomic(0)

    var opener: SoundOpener {
        SoundOpener { path, sampleRate throws(SoundFileError) in
            CountedSource(try SoundOpener.files.open(path, sampleRate), self)
        }
    }
}

private final class CountedSource: SeekableSource {
    private let source: any SeekableSource
    private let files: CountedFiles

    init(_ source: any SeekableSource, _ files: CountedFiles) {
        self.source = source
        self.files = files
        files.openCount.add(1, ordering: .relaxed)
    }

    deinit { files.openCount.subtract(1, ordering: .relaxed) }

    var path: String { source.path }
    var channels: Int { source.channels }
    var sampleRate: Double { source.sampleRate }
    var frameCount: Int { source.frameCount }

    func read(
        _ frames: Int, into samples: UnsafeMutablePointer<Float>
    ) throws(SoundFileError) -> Int { try source.read(frames, into: samples) }

    func seek(to frame: Int) throws(SoundFileError) { try source.seek(to: frame) }
}
