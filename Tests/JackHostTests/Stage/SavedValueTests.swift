import Glibc
import Testing
import TestSignals

extension JackTests {
    /// Values that are saved, undone, compared and kept.
    @Suite struct SavedValueTests {
        /// A file with an unusual layout, of which no byte may change without need.
        private static let text = """
            {"version":1,   "inputs": { "mic": {}},
              "outputs": {"main": {"limiter": false}}, "nodes": [ {"id":"lev",
                "type": "gain", "parameters": {"gain" :  0.0}}, { "id": "pad", "type": "gain" }],
              "scenes" : {"soft": { "pad.gain": -6 }, "full": {"pad.gain": 0}},
              "midi": [ {"cc": 20, "action": "save"}, {"cc": 21, "action": "save-scene"},
                {"cc": 22, "action": "undo"}, {"cc": 23, "action": "compare"},
                {"cc": 7, "to": "lev.gain"} ] }
            """

        private static func live(_ name: String) throws -> LiveProgram {
            let live = try LiveProgram(name, ["p.json": text])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            return live
        }

        /// Returns the answers of `ctl` to some requests, and the sound until half a second later.
        private func perform(
            _ requests: [[String]], _ live: LiveProgram
        ) throws -> (answers: [String], sound: ArraySlice<Float>) {
            let start = live.listener.heardFrames
            let answers = try requests.map { try live.ctl($0) }
            _ = live.listener.record(24_000)
            return (answers, live.listener.heard[start...])
        }

        @Test("ctl save writes only the moved values, nothing is heard, and undo restores the file")
        func save() throws {
            let live = try Self.live("Saved")
            #expect(try live.ctl("save").contains("nothing to save"))
            try live.ctl("lev.gain", "-6.0206")
            try live.ctl("pad.mix", "1")
            try live.ctl("pad.invert", "true")
            #expect(live.listener.waits(for: -0.25))
            _ = live.listener.record(9_600)
            let (answers, heard) = try perform([["save"]], live)
            #expect(
                answers == [
                    "saved 2 values in \(live.file): lev.gain -6.0206, pad.invert true"
                ])
            #expect(heard.allSatisfy { abs($0 + 0.25) < 1e-5 })
            let saved = Self.text
                .replacing("\"gain\" :  0.0", with: "\"gain\" :  -6.0206")
                .replacing(
                    "{ \"id\": \"pad\", \"type\": \"gain\" }",
                    // The new text is in the style of the file's first line.
                    with:
                        "{ \"id\": \"pad\", \"type\": \"gain\",\"parameters\":{\"invert\":true} }")
            #expect(LiveProgram.text(of: live.file) == saved)
            #expect(live.says("saved 2 values in"))
            #expect(!live.standardError.contains("reloaded"))
            #expect(live.program.waitFor(event: "saved") != nil)
            let (restored, undone) = try perform([["undo"]], live)
            #expect(restored[0].hasPrefix("restored \(live.file)"))
            #expect(undone.allSatisfy { abs($0 + 0.25) < 1e-5 })
            #expect(LiveProgram.text(of: live.file) == Self.text)
            #expect(try live.ctl("undo").contains("nothing to undo"))
            #expect(try live.ctl("lev.gain") == "-6.0206")
            // An edit by another program takes effect as before.
            live.edit("\"gain\" :  0.0", "\"gain\" :  -12.0412")
            #expect(live.listener.waits(for: -0.125))
        }

        @Test("a scene is changed or created, and becomes the one in effect")
        func scene() throws {
            let live = try Self.live("Saved scene")
            try live.ctl("scene", "soft")
            try live.ctl("pad.gain", "-12.0412")
            #expect(live.listener.waits(for: 0.125))
            _ = live.listener.record(9_600)
            let (answers, heard) = try perform(
                [["save", "scene"], ["save", "scene", "chorus"]], live)
            #expect(
                answers == [
                    "saved 1 value in the scene soft of \(live.file): pad.gain -12.0412",
                    "saved 1 value in the scene chorus of \(live.file): pad.gain -12.0412",
                ])
            #expect(heard.allSatisfy { abs($0 - 0.125) < 1e-5 })
            #expect(
                LiveProgram.text(of: live.file)
                    == Self.text
                    .replacing("\"pad.gain\": -6", with: "\"pad.gain\": -12.0412")
                    .replacing(
                        "{\"pad.gain\": 0}",
                        with: "{\"pad.gain\": 0},\"chorus\":{\"pad.gain\":-12.0412}"))
            #expect(try live.ctl("scene") == "chorus")
            try live.ctl("scene", "full")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.holds("scene", "full"))
            try live.ctl("scene", "chorus")
            #expect(live.listener.waits(for: 0.125))
        }

        @Test("MIDI controls save, undo and compare")
        func controls() throws {
            let live = try Self.live("Saved by foot")
            live.player.send(0xB0, 7, 0)
            #expect(live.listener.waits(for: 0))
            live.player.send(0xB0, 23, 127)
            #expect(live.listener.waits(for: 0.5))
            live.player.send(0xB0, 20, 127)
            #expect(live.says("not done: the saved values sound"))
            live.player.send(0xB0, 23, 0)
            live.player.send(0xB0, 23, 127)
            #expect(live.listener.waits(for: 0))
            live.player.send(0xB0, 20, 0)
            live.player.send(0xB0, 20, 127)
            #expect(live.says("saved 1 value in"))
            #expect(
                LiveProgram.text(of: live.file)
                    == Self.text.replacing("\"gain\" :  0.0", with: "\"gain\" :  -120"))
            live.player.send(0xB0, 22, 127)
            #expect(live.says("restored"))
            #expect(LiveProgram.text(of: live.file) == Self.text)
            live.player.send(0xB0, 21, 127)
            #expect(live.says("not done: no scene is in effect"))
        }

        @Test("a file that cannot be edited is refused with the reason, and remains unchanged")
        func refused() throws {
            let live = try Self.live("Not saved")
            try live.ctl("lev.gain", "-6")
            #expect(try live.ctl("save").hasPrefix("saved 1 value"))
            // Another program changes the file, so the edit cannot be undone.
            let changed = LiveProgram.text(of: live.file) + "\n"
            live.write(changed)
            #expect(try live.ctl("undo").contains("another program has changed"))
            #expect(LiveProgram.text(of: live.file) == changed)
            // Not valid JSON at this moment.
            try live.ctl("lev.gain", "-7")
            live.write("{")
            #expect(try live.ctl("save").contains("line 1"))
            #expect(LiveProgram.text(of: live.file) == "{")
            let twice = Self.text.replacing(
                "{\"version\":1,", with: "{\"version\":1,\"version\":1,")
            live.write(twice)
            #expect(try live.ctl("save").contains("version"))
            #expect(LiveProgram.text(of: live.file) == twice)
            #expect(unlink(live.file) == 0)
            #expect(try live.ctl("save").contains("cannot be read"))
            #expect(access(live.file, F_OK) != 0)
            #expect(try live.ctl("lev.gain") == "-7")
        }

        @Test("a song of a setlist is saved into its own file, and returns with its live values")
        func setlist() throws {
            let setlist = """
                { "version": 1, "setlist": "Night",
                  "songs": [{ "pipeline": "one.json" }, { "pipeline": "two.json" }] }
                """
            let one = StageFiles.level(0)
            let two = StageFiles.level(-12.0412)
            let live = try LiveProgram(
                "Saved songs", ["night.json": setlist, "one.json": one, "two.json": two])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("next-song") == "two")
            #expect(live.listener.waits(for: 0.125))
            try live.ctl("lev.gain", "-6.0206")
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.ctl("previous-song") == "one")
            #expect(live.listener.waits(for: 0.5))
            _ = live.listener.record(48_000)
            #expect(try live.ctl("next-song") == "two")
            #expect(live.listener.waits(for: 0.25))
            _ = live.listener.record(9_600)
            #expect(live.listener.record(24_000).allSatisfy { abs($0 - 0.25) < 1e-4 })
            #expect(try live.ctl("save").hasPrefix("saved 1 value in "))
            #expect(
                LiveProgram.text(of: live.folder.file("two.json"))
                    == two.replacing("-12.0412", with: "-6.0206"))
            #expect(LiveProgram.text(of: live.folder.file("one.json")) == one)
            #expect(LiveProgram.text(of: live.file) == setlist)
        }

        @Test("a setlist that keeps nothing begins each song as in its file")
        func keepsNothing() throws {
            let setlist = """
                { "version": 1, "setlist": "Night", "keep": "nothing",
                  "songs": [{ "pipeline": "one.json" }, { "pipeline": "two.json" }] }
                """
            let live = try LiveProgram(
                "Kept nothing",
                [
                    "night.json": setlist, "one.json": StageFiles.level(0),
                    "two.json": StageFiles.level(-12.0412),
                ])
            live.player.play([0.5])
            #expect(try live.ctl("next-song") == "two")
            try live.ctl("lev.gain", "-6.0206")
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.ctl("previous-song") == "one")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("next-song") == "two")
            #expect(live.listener.waits(for: 0.125))
        }
    }
}
