import Glibc
import Testing
import TestSignals

extension JackTests {
    /// A setlist in which some songs have errors.
    @Suite struct BrokenSongTests {
        private static let setlist = """
            {
              "version": 1,
              "setlist": "Night",
              "songs": [{ "pipeline": "brace.json" }, { "pipeline": "one.json" },
                        { "pipeline": "amp.json" }, { "name": "Stray", "pipeline": "brace.json" },
                        { "pipeline": "tape.json" }, { "pipeline": "none.json" }],
              "midi": [{ "cc": 80, "action": "next-song" }]
            }
            """
        private static let broken = "{ \"version\": 1, \"nodes\": [}] }"
        private static let amp = StageFiles.pipeline(
            """
            "nodes": [{ "id": "amp", "type": "lv2", "uri": "urn:stompline:none" },
                { "id": "lev", "type": "gain", "parameters": { "gain": \(StageFiles.half) } }]
            """)
        private static let tape = StageFiles.pipeline(
            """
            "nodes": [{ "id": "tape", "type": "player",
                  "settings": { "file": "tape.wav", "channels": 1 } }]
            """)

        private static func live(_ name: String) throws -> LiveProgram {
            try LiveProgram(
                name,
                [
                    "night.json": setlist, "brace.json": broken, "one.json": StageFiles.level(0),
                    "amp.json": amp, "tape.json": tape,
                ])
        }

        @Test("everything that can play does, and each problem is reported once in one list")
        func playing() throws {
            let live = try Self.live("Broken")
            let line = try #require(live.program.waitFor(event: "problems"))
            for part in [
                #""song": "brace", "node": null, "consequence": "skipped""#,
                #""song": "amp", "node": "amp", "consequence": "dry""#,
                #""song": "Stray", "node": null, "consequence": "skipped""#,
                #""song": "tape", "node": "tape", "consequence": "silent""#,
                #""song": "none", "node": null, "consequence": "skipped""#,
            ] { #expect(line.contains(part), "\(part) in \(line)") }
            #expect(live.program.count(event: "problems") == 1)
            #expect(live.says("song \"amp\", node \"amp\" passes its input:"))
            #expect(try live.ctl("problems").contains("node \"tape\" is silent:"))
            live.player.play([0.5])
            #expect(try live.ctl("song") == "one")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("next-song") == "amp")
            #expect(live.listener.waits(for: 0.25))
            // The broken song is skipped.
            live.player.send(0xB0, 80, 127)
            #expect(try live.holds("song", "tape"))
            #expect(live.listener.waits(for: 0))
            let skip = try #require(live.program.waitFor(event: "song_skipped"))
            #expect(skip.contains("\"name\": \"Stray\""))
            #expect(live.says("skipped \"Stray\": "))
            #expect(try live.ctl("song", "none").contains("\"none\" cannot play: "))
            #expect(try live.ctl("song") == "tape")
        }

        @Test("mended songs and files that appear play without a restart")
        func mending() throws {
            let live = try Self.live("Mended")
            live.player.play([0.25])
            #expect(try live.ctl("song", "tape") == "tape")
            #expect(live.listener.waits(for: 0))
            try live.folder.write([[Float](repeating: 0.5, count: 960_000)], to: "tape.wav")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("song", "Stray").contains("cannot play"))
            live.folder.write(StageFiles.level(StageFiles.half), to: "brace.json")
            #expect(try live.holds("song", "tape"))
            var answer = ""
            for _ in 0..<50 where answer != "Stray" {
                answer = try live.ctl("song", "Stray")
                usleep(100_000)
            }
            #expect(answer == "Stray")
            #expect(live.listener.waits(for: 0.125))
            // If an edit breaks the song again, its previous version continues.
            live.folder.write("\n\n" + Self.broken, to: "brace.json")
            #expect(live.says("brace.json:3:"))
            _ = live.listener.record(24_000)
            #expect(live.listener.now == 0.125)
        }

        @Test("--strict refuses a setlist with one broken song, and a missing plugin")
        func strict() throws {
            let folder = ScratchFolder()
            folder.write(Self.broken, to: "brace.json")
            folder.write(StageFiles.level(0), to: "one.json")
            folder.write(Self.amp, to: "amp.json")
            let night = folder.write(
                """
                { "version": 1, "setlist": "N",
                  "songs": [{ "pipeline": "one.json" }, { "pipeline": "brace.json" }] }
                """, to: "night.json")
            for (file, status) in [(night, Int32(65)), (folder.file("amp.json"), 69)] {
                let program = try Program(
                    ["run", file, "--strict", "--server", TestServer.shared.name])
                #expect(program.waitForStatus() == status)
            }
        }

        @Test("a file without anything that can play is refused")
        func nothing() throws {
            let folder = ScratchFolder()
            let brace = folder.write(Self.broken, to: "brace.json")
            let night = folder.write(
                """
                { "version": 1, "setlist": "N", "songs": [{ "pipeline": "brace.json" }] }
                """, to: "night.json")
            for file in [brace, night] {
                let program = try Program(["run", file, "--server", TestServer.shared.name])
                #expect(program.waitForStatus() == 65)
            }
        }
    }
}
