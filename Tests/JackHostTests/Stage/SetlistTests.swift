import CJack
import Glibc
import TestSignals
import Testing

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

        private static func evening(_ name: String, one: String = StageFiles.level(0)) throws
            -> Evening
        {
            try Evening(
                name,
                [
                    "night.json": setlist, "one.json": one,
                    "two.json": StageFiles.level(StageFiles.half),
                    "three.json": StageFiles.level(2 * StageFiles.half),
                ])
        }

        @Test("songs are selected in order, by number and by name, through ctl and through MIDI")
        func ways() throws {
            let evening = try Self.evening("Songs")
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            try evening.ctl("next-song")
            #expect(evening.ear.waits(for: 0.25))
            #expect(try evening.holds("song", "Two"))
            try evening.ctl("song", "3")
            #expect(evening.ear.waits(for: 0.125))
            try evening.ctl("previous-song")
            #expect(evening.ear.waits(for: 0.25))
            try evening.ctl("song", "one")
            #expect(evening.ear.waits(for: 0.5))
            evening.hand.send(0xC0, 1)
            #expect(evening.ear.waits(for: 0.25))
            evening.hand.send(0xB0, 80, 127)
            #expect(evening.ear.waits(for: 0.125))
            evening.hand.send(0xB0, 81, 127)
            #expect(evening.ear.waits(for: 0.25))
            evening.hand.send(0xC0, 0)
            #expect(evening.ear.waits(for: 0.5))
            #expect(try evening.ctl("song", "Tow").contains("did you mean Two?"))
            #expect(evening.program.waitFor(event: "song", times: 8) != nil)
        }

        @Test("the previous song rings out below the next one until its echoes end")
        func tail() throws {
            let echo = StageFiles.pipeline(
                """
                "tail": 10, "nodes": [{ "id": "echo", "type": "delay",
                  "parameters": { "time": 0.25, "feedback": 0.5 } }]
                """)
            let evening = try Self.evening("Tails", one: echo)
            try evening.ctl("next-song")
            #expect(try evening.holds("song", "Two"))
            try evening.ctl("previous-song")
            #expect(try evening.holds("song", "one"))
            _ = evening.ear.hear(4_800)
            // A click; the second song would pass it on too if the click still reached it.
            let start = evening.hand.playOnce([0.5])
            evening.hand.send(0xC0, 1)
            _ = evening.ear.hear(72_000)
            let heard = evening.ear.heard(from: start)
            #expect(try evening.ctl("song") == "Two")
            for (echo, level) in [(1, 0.5), (2, 0.25), (3, 0.125), (4, 0.0625)] {
                let found = heard[12_000 * echo]
                #expect(abs(found - Float(level)) < 0.001, "echo \(echo)")
            }
        }

        @Test("a song starts within two periods of the one in which its message arrived")
        func promptness() throws {
            let evening = try Self.evening("Prompt")
            evening.hand.play([0.5])
            #expect(evening.ear.waits(for: 0.5))
            let period: UInt32 = 1024
            #expect(jack_set_buffer_size(evening.ear.handle, period) == 0)
            defer { jack_set_buffer_size(evening.ear.handle, 64) }
            _ = evening.ear.hear(48_000)
            for turn in 0..<10 {
                let program: UInt8 = turn % 2 == 0 ? 1 : 0
                let frame = evening.hand.send(0xC0, program, at: 700)
                #expect(evening.ear.waits(for: program == 1 ? 0.25 : 0.5))
                let old: Float = program == 1 ? 0.5 : 0.25
                let heard = evening.ear.heard(from: frame)
                let first = try #require(heard.firstIndex { abs($0 - old) > 1e-5 })
                // Counted from the first frame of the period in which the message arrived.
                #expect((700 + first) / Int(period) <= 2, "turn \(turn)")
                _ = evening.ear.hear(48_000)
            }
        }
    }
}
