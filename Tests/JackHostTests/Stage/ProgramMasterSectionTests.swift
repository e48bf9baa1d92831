import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The master section, which does not belong to a song.
    @Suite struct ProgramMasterSectionTests {
        private static let setlist = """
            { "version": 1, "setlist": "Night", "songs": [{ "pipeline": "one.json" }, { "pipeline": "two.json" }] }
            """

        @Test("mute and gain are kept across songs and edits")
        func levels() throws {
            let live = try LiveProgram(
                "Night levels",
                [
                    "night.json": Self.setlist, "one.json": StageFiles.level(0),
                    "two.json": StageFiles.level(StageFiles.half),
                ])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            try live.ctl("gain", "\(StageFiles.half)")
            #expect(live.listener.waits(for: 0.25))
            try live.ctl("mute", "true")
            #expect(live.listener.waits(for: 0, within: 0))
            let start = live.listener.heardFrames
            try live.ctl("next-song")
            #expect(try live.holds("song", "two"))
            live.folder.write(StageFiles.level(2 * StageFiles.half), to: "two.json")
            #expect(try live.holds("lev.gain", "\(2 * StageFiles.half)"))
            #expect(live.listener.heard[start...].allSatisfy { $0 == 0 })
            try live.ctl("mute", "false")
            #expect(live.listener.waits(for: 0.0625))
            #expect(try live.ctl("gain") == "\(StageFiles.half)")
        }

        @Test("the tempo can be set and tapped, and an edit that does not concern it keeps it")
        func tempo() throws {
            let live = try LiveProgram("Night tempo", ["p.json": StageFiles.level(0)])
            #expect(try live.ctl("tempo") == "120")
            #expect(try live.ctl("tempo", "90") == "90")
            live.edit("\"gain\": 0", "\"gain\": -1")
            #expect(try live.holds("lev.gain", "-1"))
            #expect(try live.ctl("tempo") == "90")
            try live.ctl("tap")
            usleep(400_000)
            try live.ctl("tap")
            // The delay of `ctl` varies, so the test only checks that the taps set a tempo.
            let tapped = try #require(Double(live.ctl("tempo")))
            #expect(tapped != 90 && (20...150).contains(tapped))
            #expect(try live.ctl("tempo", "900").contains("20…400 beats per minute"))
        }

        @Test("panic ends every echo, and later input is heard")
        func panic() throws {
            let echo = StageFiles.pipeline(
                """
                "nodes": [{ "id": "echo", "type": "delay", "mix": 0.5,
                  "parameters": { "time": 0.1, "feedback": 0.99 } }]
                """)
            let live = try LiveProgram("Night panic", ["p.json": echo])
            _ = live.player.playOnce([Float](repeating: 0.5, count: 4_800))
            #expect(live.listener.record(24_000).suffix(9_600).contains { $0 > 0.1 })
            try live.ctl("panic")
            #expect(live.program.waitFor(event: "panic") != nil)
            _ = live.listener.record(9_600)
            #expect(live.listener.record(24_000).allSatisfy { $0 == 0 })
            live.player.play([0.25])
            #expect(waitUntil { live.listener.now > 0.12 ? true : nil } == true)
        }

        @Test("the tuner measures an input within a tenth of a cent", arguments: [82.0, 441.0])
        func tuner(hertz: Double) throws {
            let live = try LiveProgram("Night tuner", ["p.json": StageFiles.level(0)])
            let pitches = live.folder.file("pitches")
            let watcher = try live.watch("meters", into: pitches)
            #expect(try live.ctl("tuner", "mic") == "mic")
            #expect(try live.ctl("tuner", "mix").contains("did you mean mic?"))
            // One second of the sound loops without a seam.
            live.player.play(
                (0..<48_000).map { Float(0.3 * sin(2 * .pi * hertz * Double($0) / 48_000)) })
            let isHeard = waitUntil {
                let reported = LiveProgram.text(of: pitches).split(separator: "\n")
                    .filter { $0.hasPrefix("pitch ") }.compactMap { Double($0.dropFirst(6)) }
                guard let last = reported.last, last > 0 else { return Bool?.none }
                return abs(1200 * log2(last / hertz)) < 0.1 ? true : nil
            }
            #expect(isHeard == true, "\(LiveProgram.text(of: pitches).suffix(200))")
            kill(watcher.process, SIGTERM)
        }
    }
}
