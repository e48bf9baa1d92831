import Glibc
import TestSignals
import Testing

extension JackTests {
    /// Saved changes of the file are heard.
    @Suite struct EditedFileTests {
        @Test("an edited value moves, and the active nodes are not recreated")
        func values() throws {
            let evening = try Evening("Edit values", ["p.json": StageFiles.line])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            let start = evening.ear.heardFrames
            evening.edit("\"gain\": 0", "\"gain\": \(StageFiles.half)")
            #expect(evening.ear.waits(for: 0.25))
            #expect(evening.ear.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
        }

        @Test("an inserted node fades in, and the others keep their state")
        func insertion() throws {
            let evening = try Evening("Edit nodes", ["p.json": StageFiles.line])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            let start = evening.ear.heardFrames
            evening.edit(
                "{ \"id\": \"line\"",
                """
                { "id": "pad", "type": "gain", "parameters": { "gain": \(StageFiles.half) } },
                { "id": "line"
                """)
            #expect(evening.ear.waits(for: 0.25))
            #expect(evening.ear.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
            #expect(try evening.ctl("pad.gain") == "\(StageFiles.half)")
        }

        @Test("an invalid file has all its errors reported, and the session continues")
        func faults() throws {
            let evening = try Evening("Edit faults", ["p.json": StageFiles.level(0)])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            let start = evening.ear.heardFrames
            evening.edit("\"gain\": 0", "\"gian\": 0, \"pan\": 7")
            #expect(evening.says("p.json:5:60: error"))
            #expect(evening.says("did you mean gain?"))
            #expect(evening.says("/nodes/0/parameters/pan"))
            _ = evening.ear.hear(4_800)
            #expect(evening.ear.heard[start...].allSatisfy { $0 == 0.5 })
            evening.edit("\"gian\": 0, \"pan\": 7", "\"gain\": \(StageFiles.half)")
            #expect(evening.ear.waits(for: 0.25))
        }

        @Test("the last of many saves in a second is played, without dropouts")
        func manySaves() throws {
            let evening = try Evening("Edit often", ["p.json": StageFiles.level(0)])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            let start = evening.ear.heardFrames
            for count in 0..<50 {
                evening.write(StageFiles.level(Double(count % 7) * -0.5))
                usleep(15_000)
            }
            evening.write(StageFiles.level(StageFiles.half))
            #expect(evening.ear.waits(for: 0.25))
            #expect(evening.ear.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
        }

        @Test("the way an editor saves does not matter: over the file, in place, or behind a link")
        func waysToSave() throws {
            let evening = try Evening("Edit ways", ["p.json": StageFiles.level(0)])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            evening.folder.write(StageFiles.level(StageFiles.half), to: "p.json~")
            rename(evening.folder.file("p.json~"), evening.file)
            #expect(evening.ear.waits(for: 0.25))
            evening.folder.write(StageFiles.level(0), to: "other.json")
            symlink("other.json", evening.folder.file("link"))
            rename(evening.folder.file("link"), evening.file)
            #expect(evening.ear.waits(for: 0.5))
            evening.folder.write(StageFiles.level(StageFiles.half), to: "new")
            rename(evening.folder.file("new"), evening.folder.file("other.json"))
            #expect(evening.ear.waits(for: 0.25))
        }

        @Test("connections made by hand survive edits, including those that add and remove ports")
        func connections() throws {
            let evening = try Evening("Edit ports", ["p.json": StageFiles.level(0)])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            let start = evening.ear.heardFrames
            let main = "\"main\": { \"limiter\": false }"
            evening.edit(main, "\(main), \"aux\": { \"limiter\": false }")
            #expect(evening.has(port: "aux"))
            evening.edit("\"mic\": {}", "\"mic\": {}, \"second\": {}")
            #expect(evening.has(port: "second"))
            evening.edit(", \"aux\": { \"limiter\": false }", "")
            #expect(evening.has(port: "aux", isThere: false))
            _ = evening.ear.hear(4_800)
            #expect(
                evening.ear.heard[start...].allSatisfy { $0 == 0.5 }, "\(evening.complaints)")
            #expect(evening.isConnected("Edit ports-hand:out", "Edit ports:mic"))
            #expect(evening.isConnected("Edit ports:main", "Edit ports-ear:in"))
        }

        @Test("a panic between edits loses none of the edits")
        func panic() throws {
            // The next song takes long to prepare, so edits have to wait.
            let delays = (0..<20).map {
                """
                { "id": "d\($0)", "type": "delay", "settings": { "maximum": 60 } }
                """
            }
            let evening = try Evening(
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
                    evening.folder.write(text, to: "p.json")
                    usleep(90_000)
                    try evening.ctl("panic")
                }
                #expect(try evening.holds("line.time", "0.5"), "\(evening.complaints)")
                evening.folder.write(StageFiles.level(-2), to: "p.json")
                #expect(try evening.holds("lev.gain", "-2"), "\(evening.complaints)")
            }
        }

        @Test("with --no-watch, changes of the file have no effect")
        func unwatched() throws {
            let evening = try Evening(
                "Edit unwatched", ["p.json": StageFiles.level(0)], "--no-watch")
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            evening.write(StageFiles.level(StageFiles.half))
            _ = evening.ear.hear(96_000)
            #expect(evening.ear.now == 0.5)
        }
    }
}
