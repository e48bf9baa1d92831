import Glibc
import TestSignals
import Testing

extension JackTests {
    /// Scenes of an active pipeline, selected in every possible way.
    @Suite struct SceneTests {
        @Test("a scene is selected by the file, by MIDI, by name, by number, and in order")
        func ways() throws {
            let evening = try Evening("Scenes", ["p.json": StageFiles.scenes])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            let start = evening.ear.heardFrames
            evening.edit("\"scene\": \"loud\",", "\"scene\": \"soft\",")
            #expect(evening.ear.waits(for: 0.25))
            #expect(try evening.holds("scene", "soft"))
            evening.hand.send(0xC0, 0)
            #expect(evening.ear.waits(for: 0.5))
            #expect(try evening.holds("scene", "loud"))
            evening.hand.send(0xC0, 1)
            #expect(evening.ear.waits(for: 0.25))
            #expect(try evening.ctl("scene", "loud") == "loud")
            #expect(evening.ear.waits(for: 0.5))
            #expect(try evening.ctl("scene", "2") == "soft")
            #expect(evening.ear.waits(for: 0.25))
            try evening.ctl("previous-scene")
            #expect(evening.ear.waits(for: 0.5))
            try evening.ctl("next-scene")
            #expect(evening.ear.waits(for: 0.25))
            #expect(evening.ear.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
            #expect(evening.program.waitFor(event: "scene") != nil)
        }

        @Test("ctl sets, reads, dumps and watches; an unknown name is refused with a suggestion")
        func control() throws {
            let evening = try Evening("Control", ["p.json": StageFiles.scenes])
            let changes = evening.folder.file("changes")
            let watcher = try evening.watch("lev", "scene", into: changes)
            #expect(try evening.ctl("lev.gain", "-3") == "-3")
            #expect(try evening.ctl("lev.gain") == "-3")
            let dump = try evening.ctl().split(separator: "\n").map(String.init)
            #expect(dump.contains("lev.gain -3"))
            #expect(dump.contains("scene loud"))
            #expect(dump.contains("song p"))
            #expect(try evening.ctl("lev.gian") == Self.unknown)
            #expect(try evening.ctl("scene", "softt").contains("did you mean soft?"))
            #expect(try evening.ctl("pannic").contains("did you mean panic?"))
            #expect(try evening.ctl("lev.gain", "100").contains("-120…24 dB"))
            // The subscription is active by the time the watcher reports a change.
            let isTold = waitUntil {
                _ = try? evening.ctl("lev.gain", "-4")
                _ = try? evening.ctl("scene", "soft")
                let told = Evening.text(of: changes)
                return told.contains("lev.gain -4") && told.contains("scene soft") ? true : nil
            }
            #expect(isTold == true)
            kill(watcher.process, SIGTERM)
        }

        private static let unknown =
            "stompline: \"lev\" has no parameter \"gian\" (did you mean lev.gain?)"
    }
}
