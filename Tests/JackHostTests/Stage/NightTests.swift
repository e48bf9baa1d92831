import Glibc
import TestSignals
import Testing

extension JackTests {
    /// The master section, which does not belong to a song.
    @Suite struct NightTests {
        private static let setlist = """
            { "version": 1, "setlist": "Night", "songs": [{ "pipeline": "one.json" }, { "pipeline": "two.json" }] }
            """

        @Test("mute and gain are kept across songs and edits")
        func levels() throws {
            let evening = try Evening(
                "Night levels",
                [
                    "night.json": Self.setlist, "one.json": StageFiles.level(0),
                    "two.json": StageFiles.level(StageFiles.half),
                ])
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            try evening.ctl("gain", "\(StageFiles.half)")
            #expect(evening.ear.waits(for: 0.25))
            try evening.ctl("mute", "true")
            #expect(evening.ear.waits(for: 0, within: 0))
            let start = evening.ear.heardFrames
            try evening.ctl("next-song")
            #expect(try evening.holds("song", "two"))
            evening.folder.write(StageFiles.level(2 * StageFiles.half), to: "two.json")
            #expect(try evening.holds("lev.gain", "\(2 * StageFiles.half)"))
            #expect(evening.ear.heard[start...].allSatisfy { $0 == 0 })
            try evening.ctl("mute", "false")
            #expect(evening.ear.waits(for: 0.0625))
            #expect(try evening.ctl("gain") == "\(StageFiles.half)")
        }

        @Test("the tempo can be set and tapped, and an edit that does not concern it keeps it")
        func tempo() throws {
            let evening = try Evening("Night tempo", ["p.json": StageFiles.level(0)])
            #expect(try evening.ctl("tempo") == "120")
            #expect(try evening.ctl("tempo", "90") == "90")
            evening.edit("\"gain\": 0", "\"gain\": -1")
            #expect(try evening.holds("lev.gain", "-1"))
            #expect(try evening.ctl("tempo") == "90")
            try evening.ctl("tap")
            usleep(400_000)
            try evening.ctl("tap")
            // The delay of `ctl` varies, so the test only checks that the taps set a tempo.
            let tapped = try #require(Double(evening.ctl("tempo")))
            #expect(tapped != 90 && (20...150).contains(tapped))
            #expect(try evening.ctl("tempo", "900").contains("20…400 beats per minute"))
        }

        @Test("panic ends every echo, and later input is heard")
        func panic() throws {
            let echo = StageFiles.pipeline(
                """
                "nodes": [{ "id": "echo", "type": "delay", "mix": 0.5,
                  "parameters": { "time": 0.1, "feedback": 0.99 } }]
                """)
            let evening = try Evening("Night panic", ["p.json": echo])
            _ = evening.hand.playOnce([Float](repeating: 0.5, count: 4_800))
            #expect(evening.ear.hear(24_000).suffix(9_600).contains { $0 > 0.1 })
            try evening.ctl("panic")
            #expect(evening.program.waitFor(event: "panic") != nil)
            _ = evening.ear.hear(9_600)
            #expect(evening.ear.hear(24_000).allSatisfy { $0 == 0 })
            evening.hand.play([0.25])
            #expect(waitUntil { evening.ear.now > 0.12 ? true : nil } == true)
        }

        @Test("the tuner measures an input within a tenth of a cent", arguments: [82.0, 441.0])
        func tuner(hertz: Double) throws {
            let evening = try Evening("Night tuner", ["p.json": StageFiles.level(0)])
            let pitches = evening.folder.file("pitches")
            let watcher = try evening.watch("meters", into: pitches)
            #expect(try evening.ctl("tuner", "mic") == "mic")
            #expect(try evening.ctl("tuner", "mix").contains("did you mean mic?"))
            // One second of the sound loops without a seam.
            evening.hand.play(
                (0..<48_000).map { Float(0.3 * sin(2 * .pi * hertz * Double($0) / 48_000)) })
            let isHeard = waitUntil {
                let told = Evening.text(of: pitches).split(separator: "\n")
                    .filter { $0.hasPrefix("pitch ") }.compactMap { Double($0.dropFirst(6)) }
                guard let last = told.last, last > 0 else { return Bool?.none }
                return abs(1200 * log2(last / hertz)) < 0.1 ? true : nil
            }
            #expect(isHeard == true, "\(Evening.text(of: pitches).suffix(200))")
            kill(watcher.process, SIGTERM)
        }
    }
}
