import Glibc
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// Saved changes of the file are heard.
    @Suite struct EditedFileTests {
        @Test("an edited value moves, and the active nodes are not recreated")
        func values() throws {
            let live = try LiveProgram("Edit values", ["p.json": StageFiles.line])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            live.edit("\"gain\": 0", "\"gain\": \(StageFiles.half)")
            #expect(live.listener.waits(for: 0.25))
            #expect(live.listener.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
        }

        @Test("an inserted node fades in, and the others keep their state")
        func insertion() throws {
            let live = try LiveProgram("Edit nodes", ["p.json": StageFiles.line])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            live.edit(
                "{ \"id\": \"line\"",
                """
                { "id": "pad", "type": "gain", "parameters": { "gain": \(StageFiles.half) } },
                { "id": "line"
                """)
            #expect(live.listener.waits(for: 0.25))
            #expect(live.listener.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
            #expect(try live.ctl("pad.gain") == "\(StageFiles.half)")
        }

        @Test("a file added to the list of a playing player does not interrupt its track")
        func addedFile() throws {
            let sounds = ScratchFolder()
            // Each frame of the track differs from the others, so a restart or a gap is visible.
            let track = (0..<20 * 48_000).map { 0.25 + Float($0) / 4_194_304 }
            let paths = ["track.wav", "next.wav"].map { sounds.file($0) }
            for (path, sound) in zip(paths, [track, [Float](repeating: -0.5, count: 480_000)]) {
                let writer = try SoundFileWriter(
                    path: path, channels: 1, sampleRate: 48_000, expectedFrames: sound.count)
                try writer.write(sound.count, from: sound)
                try writer.close()
            }
            let text = """
                {
                  "version": 1,
                  "inputs": {},
                  "outputs": { "main": { "limiter": false } },
                  "nodes": [{ "id": "song", "type": "player", "parameters": { "playing": false },
                              "settings": { "files": ["\(paths[0])"], "swell": 0 } }]
                }
                """
            let live = try LiveProgram(
                "Edit list", ["p.json": text], input: nil, "--allow-outside")
            try live.ctl("song.playing", "true")
            #expect(waitUntil { live.listener.now >= 0.25 ? true : nil } == true)
            _ = live.listener.record(24_000)
            live.edit("[\"\(paths[0])\"]", "[\"\(paths[0])\", \"\(paths[1])\"]")
            _ = live.listener.record(96_000)
            // The removed track continues too.
            live.edit("[\"\(paths[0])\", \"\(paths[1])\"]", "[\"\(paths[1])\"]")
            _ = live.listener.record(96_000)
            let heard = live.listener.heard
            let start = heard.firstIndex { $0 != 0 } ?? heard.count
            let played = Array(heard[start...])
            try #require(played.count > 216_000)
            #expect(
                Array(played.prefix(track.count)) == Array(track.prefix(played.count)),
                "\(live.standardError)")
            try live.ctl("song.next", "true")
            #expect(live.listener.waits(for: -0.5), "\(live.standardError)")
        }

        @Test("an invalid file has all its errors reported, and the session continues")
        func errors() throws {
            let live = try LiveProgram("Edit faults", ["p.json": StageFiles.level(0)])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            live.edit("\"gain\": 0", "\"gian\": 0, \"pan\": 7")
            #expect(live.says("p.json:5:60: error"))
            #expect(live.says("did you mean gain?"))
            #expect(live.says("/nodes/0/parameters/pan"))
            _ = live.listener.record(4_800)
            #expect(live.listener.heard[start...].allSatisfy { $0 == 0.5 })
            live.edit("\"gian\": 0, \"pan\": 7", "\"gain\": \(StageFiles.half)")
            #expect(live.listener.waits(for: 0.25))
        }

        @Test("the last of many saves in a second is played, without dropouts")
        func manySaves() throws {
            let live = try LiveProgram("Edit often", ["p.json": StageFiles.level(0)])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            for count in 0..<50 {
                live.write(StageFiles.level(Double(count % 7) * -0.5))
                usleep(15_000)
            }
            live.write(StageFiles.level(StageFiles.half))
            #expect(live.listener.waits(for: 0.25))
            #expect(live.listener.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
        }

        @Test("the way an editor saves does not matter: over the file, in place, or behind a link")
        func waysToSave() throws {
            let live = try LiveProgram("Edit ways", ["p.json": StageFiles.level(0)])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            live.folder.write(StageFiles.level(StageFiles.half), to: "p.json~")
            rename(live.folder.file("p.json~"), live.file)
            #expect(live.listener.waits(for: 0.25))
            live.folder.write(StageFiles.level(0), to: "other.json")
            symlink("other.json", live.folder.file("link"))
            rename(live.folder.file("link"), live.file)
            #expect(live.listener.waits(for: 0.5))
            live.folder.write(StageFiles.level(StageFiles.half), to: "new")
            rename(live.folder.file("new"), live.folder.file("other.json"))
            #expect(live.listener.waits(for: 0.25))
        }

        @Test("connections made by hand survive edits, including those that add and remove ports")
        func connections() throws {
            let live = try LiveProgram("Edit ports", ["p.json": StageFiles.level(0)])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            let main = "\"main\": { \"limiter\": false }"
            live.edit(main, "\(main), \"aux\": { \"limiter\": false }")
            #expect(live.has(port: "aux"))
            live.edit("\"mic\": {}", "\"mic\": {}, \"second\": {}")
            #expect(live.has(port: "second"))
            live.edit(", \"aux\": { \"limiter\": false }", "")
            #expect(live.has(port: "aux", exists: false))
            _ = live.listener.record(4_800)
            #expect(
                live.listener.heard[start...].allSatisfy { $0 == 0.5 }, "\(live.standardError)")
            #expect(live.isConnected("Edit ports-hand:out", "Edit ports:mic"))
            #expect(live.isConnected("Edit ports:main", "Edit ports-ear:in"))
        }

        @Test("a panic between edits loses none of the edits")
        func panic() throws {
            // The next song takes long to prepare, so edits have to wait.
            let delays = (0..<20).map {
                """
                { "id": "d\($0)", "type": "delay", "settings": { "maximum": 60 } }
                """
            }
            let live = try LiveProgram(
                "Edit panic",
                [
                    "night.json": """
                    { "version": 1, "setlist": "N", "songs": [{ "pipeline": "p.json" }, { "pipeline": "slow.json" }] }
                    """, "p.json": StageFiles.level(0),
                    "slow.json": StageFiles.pipeline(
                        "\"nodes\": [\(delays.joined(separator: ","))]"),
                ])
            for _ in 0..<8 {
                for text in [StageFiles.line, StageFiles.level(-1), StageFiles.line] {
                    live.folder.write(text, to: "p.json")
                    usleep(90_000)
                    try live.ctl("panic")
                }
                #expect(try live.holds("line.time", "0.5"), "\(live.standardError)")
                live.folder.write(StageFiles.level(-2), to: "p.json")
                #expect(try live.holds("lev.gain", "-2"), "\(live.standardError)")
            }
        }

        @Test("with --no-watch, changes of the file have no effect")
        func unwatched() throws {
            let live = try LiveProgram(
                "Edit unwatched", ["p.json": StageFiles.level(0)], "--no-watch")
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            live.write(StageFiles.level(StageFiles.half))
            _ = live.listener.record(96_000)
            #expect(live.listener.now == 0.5)
        }
    }
}
