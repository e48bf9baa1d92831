import CJack
import Glibc
import Testing
import TestSignals

extension JackTests {
    /// An active setlist: songs in order, and the tails between them.
    @Suite struct SetlistTests {
        private static let setlist = """
            {
              "version": 1,
              "setlist": "Night",
              "songs": [{ "pipeline": "one.json" }, { "name": "Two", "pipeline": "two.json" },
                        { "name": "Three", "pipeline": "three.json" }],
              "midi": [{ "program": 0, "song": "one" }, { "program": 1, "song": "Two" },
                       { "cc": 80, "action": "next-song" }, { "cc": 81, "action": "previous-song" }]
            }
            """

        private static func live(_ name: String, one: String = StageFiles.level(0)) throws
            -> LiveProgram
        {
            try LiveProgram(
                name,
                [
                    "night.json": setlist, "one.json": one,
                    "two.json": StageFiles.level(StageFiles.half),
                    "three.json": StageFiles.level(2 * StageFiles.half),
                ])
        }

        @Test("songs are selected in order, by number and by name, through ctl and through MIDI")
        func ways() throws {
            let live = try Self.live("Songs")
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            try live.ctl("next-song")
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.holds("song", "Two"))
            try live.ctl("song", "3")
            #expect(live.listener.waits(for: 0.125))
            try live.ctl("previous-song")
            #expect(live.listener.waits(for: 0.25))
            try live.ctl("song", "one")
            #expect(live.listener.waits(for: 0.5))
            live.player.send(0xC0, 1)
            #expect(live.listener.waits(for: 0.25))
            live.player.send(0xB0, 80, 127)
            #expect(live.listener.waits(for: 0.125))
            live.player.send(0xB0, 81, 127)
            #expect(live.listener.waits(for: 0.25))
            live.player.send(0xC0, 0)
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("song", "Tow").contains("did you mean Two?"))
            #expect(live.program.waitFor(event: "song", times: 8) != nil)
        }

        @Test("run begins with the chosen song and scene", arguments: ["Two", "2"])
        func start(song: String) throws {
            let quiet = ", \"scenes\": { \"full\": {}, \"quiet\": { \"lev.gain\": -120 } }"
            let live = try LiveProgram(
                "Start",
                [
                    "night.json": Self.setlist, "one.json": StageFiles.level(0),
                    "two.json": StageFiles.level(StageFiles.half, quiet),
                    "three.json": StageFiles.level(2 * StageFiles.half),
                ], "--song", song, "--scene", "quiet")
            live.player.play([0.5])
            #expect(try live.ctl("song") == "Two")
            #expect(try live.ctl("scene") == "quiet")
            #expect(try live.ctl("lev.gain") == "-120")
            let start = live.listener.heardFrames
            _ = live.listener.record(9_600)
            #expect(live.listener.heard[start...].allSatisfy { $0 == 0 })
            try live.ctl("scene", "full")
            try live.ctl("lev.gain", "0")
            #expect(live.listener.waits(for: 0.5))
            try live.ctl("lev.gain", "-120")
            #expect(live.listener.waits(for: 0))
            // The song returns with the values that it was left with.
            try live.ctl("previous-song")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.holds("song", "one"))
            try live.ctl("next-song")
            #expect(try live.holds("song", "Two"))
            #expect(try live.ctl("scene") == "full")
            #expect(try live.ctl("lev.gain") == "-120")
            #expect(live.listener.waits(for: 0))
        }

        @Test("ctl answers when the song plays, or with the reason why it does not")
        func answers() throws {
            // More memory than any machine has, which only the preparation notices.
            let delays = (0..<900).map {
                "{ \"id\": \"d\($0)\", \"type\": \"delay\", \"settings\": { \"maximum\": 60 } }"
            }
            let huge = StageFiles.pipeline(
                """
                "nodes": [
                    { "id": "wide", "type": "mixer", "from": ["mic"], "settings": { "channels": 64 } },
                    \(delays.joined(separator: ", ")),
                    { "id": "lev", "type": "gain", "from": "mic" }
                  ]
                """)
            let setlist = """
                { "version": 1, "setlist": "Night", "songs": [{ "pipeline": "one.json" },
                  { "pipeline": "two.json" }, { "pipeline": "three.json" },
                  { "pipeline": "four.json" }, { "pipeline": "huge.json" }] }
                """
            let live = try LiveProgram(
                "Answers",
                [
                    "night.json": setlist, "one.json": StageFiles.level(0),
                    "two.json": StageFiles.level(StageFiles.half),
                    "three.json": StageFiles.level(2 * StageFiles.half),
                    "four.json": StageFiles.level(-120), "huge.json": huge,
                ])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            // These are not neighbours, so they are not ready when they are requested.
            #expect(try live.ctl("song", "three") == "three")
            #expect(try live.ctl("song") == "three")
            #expect(live.listener.waits(for: 0.125))
            #expect(try live.ctl("song", "1") == "one")
            #expect(try live.ctl("next-song") == "two")
            #expect(try live.ctl("previous-song") == "one")
            #expect(live.listener.waits(for: 0.5))
            let refusal = try live.ctl("song", "huge")
            #expect(refusal.hasPrefix("stompline: the pipeline needs "))
            #expect(refusal.contains("of memory, but only"))
            #expect(try live.ctl("song") == "one")
            #expect(live.listener.waits(for: 0.5))
        }

        @Test("one press changes one song, even if each song has its own input for the pedal")
        func pressesAtSeveralInputs() throws {
            let songs = (1...6).map { "{ \"name\": \"\($0)\", \"pipeline\": \"\($0).json\" }" }
            func song(_ number: Int) -> String {
                StageFiles.pipeline(
                    "\"nodes\": [{ \"id\": \"lev\", \"type\": \"gain\" }\(StageFiles.branch())]",
                    inputs: "\"mic\": {}, \"pedal\(number)\": { \"kind\": \"midi\" }", heard: "lev")
            }
            let live = try LiveProgram(
                "Pedals",
                [
                    "night.json": """
                    { "version": 1, "setlist": "Night", "songs": [\(songs.joined(separator: ", "))],
                      "midi": [{ "cc": 20, "action": "next-song" }] }
                    """,
                    "1.json": song(1), "2.json": song(2), "3.json": song(3), "4.json": song(4),
                    "5.json": song(5), "6.json": song(6),
                ])
            for number in 1...6 { live.connect("Pedals-hand:keys", "Pedals:pedal\(number)") }
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            for name in ["2", "3"] {
                live.player.send(0xB0, 20, 127)
                live.player.send(0xB0, 20, 0)
                #expect(try live.holds("song", name))
                _ = live.listener.record(24_000)
                #expect(try live.ctl("song") == name)
            }
        }

        @Test("the previous song rings out below the next one until its echoes end")
        func tail() throws {
            let echo = StageFiles.pipeline(
                """
                "tail": 10, "nodes": [{ "id": "echo", "type": "delay",
                  "parameters": { "time": 0.25, "feedback": 0.5 } }\(StageFiles.branch())]
                """, heard: "echo")
            let live = try Self.live("Tails", one: echo)
            try live.ctl("next-song")
            #expect(try live.holds("song", "Two"))
            try live.ctl("previous-song")
            #expect(try live.holds("song", "one"))
            _ = live.listener.record(4_800)
            // A click; the second song would pass it on too if the click still reached it.
            let start = live.player.playOnce([0.5])
            live.player.send(0xC0, 1)
            _ = live.listener.record(72_000)
            let heard = live.listener.heard(from: start)
            #expect(try live.ctl("song") == "Two")
            for (echo, level) in [(1, 0.5), (2, 0.25), (3, 0.125), (4, 0.0625)] {
                let found = try #require(heard.dropFirst(12_000 * echo).first)
                #expect(abs(found - Float(level)) < 0.001, "echo \(echo)")
            }
        }

        @Test("a song starts within two periods of the one in which its message arrived")
        func promptness() throws {
            let live = try Self.live("Prompt")
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let period: UInt32 = 1024
            TestServer.shared.setBufferSize(Int(period), by: live.listener.handle)
            defer { TestServer.shared.setBufferSize(64, by: live.listener.handle) }
            _ = live.listener.record(48_000)
            for turn in 0..<10 {
                let program: UInt8 = turn % 2 == 0 ? 1 : 0
                let frame = live.player.send(0xC0, program, at: 700)
                #expect(live.listener.waits(for: program == 1 ? 0.25 : 0.5))
                let old: Float = program == 1 ? 0.5 : 0.25
                let heard = live.listener.heard(from: frame)
                let first = try #require(heard.firstIndex { abs($0 - old) > 1e-5 })
                // Counted from the first frame of the period in which the message arrived.
                #expect((700 + first) / Int(period) <= 2, "turn \(turn)")
                _ = live.listener.record(48_000)
            }
        }
    }
}
