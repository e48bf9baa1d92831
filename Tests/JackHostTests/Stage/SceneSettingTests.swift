import Testing
import TestSignals

extension JackTests {
    /// Scenes that change settings, for which nodes are exchanged.
    @Suite struct SceneSettingTests {
        /// A mixer whose level in the middle depends on its setting `pan-law`, and a gain.
        private static let levels = StageFiles.pipeline(
            """
            "nodes": [
                { "id": "wide", "type": "mixer", "from": ["mic"], "settings": { "channels": 2 } },
                { "id": "lev", "type": "gain", "from": "wide:1" }
              ],
              "scene": "loud",
              "scenes": {
                "loud": { "wide.pan-law": 0, "lev.gain": 0 },
                "soft": { "wide.pan-law": -6, "lev.gain": \(StageFiles.half) }
              },
              "midi": [{ "program": 1, "scene": "soft" }, { "program": 0, "scene": "loud" }]
            """)

        /// The level in the scene "soft" at an input of 0.5: -6 dB and half of that.
        private static let soft: Float = 0.1253

        @Test("a scene changes settings and values by name, by MIDI and in order, without a gap")
        func ways() throws {
            let live = try LiveProgram("Settings", ["p.json": Self.levels])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            try live.ctl("scene", "soft")
            #expect(live.listener.waits(for: Self.soft))
            #expect(try live.holds("scene", "soft"))
            live.player.send(0xC0, 0)
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.holds("scene", "loud"))
            live.player.send(0xC0, 1)
            #expect(live.listener.waits(for: Self.soft))
            #expect(try live.holds("scene", "soft"))
            try live.ctl("previous-scene")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.holds("scene", "loud"))
            try live.ctl("next-scene")
            #expect(live.listener.waits(for: Self.soft))
            #expect(live.listener.heard[start...].allSatisfy { (0.1252...0.5001).contains($0) })
        }

        @Test("the echoes of the node before the scene ring out under those of the new one")
        func tails() throws {
            let text = StageFiles.pipeline(
                """
                "nodes": [{
                    "id": "line", "type": "delay", "settings": { "maximum": 1 },
                    "parameters": { "time": 0.5, "feedback": 0 }
                  }],
                  "scenes": { "other": { "line.maximum": 2 } }
                """)
            let live = try LiveProgram("Tails", ["p.json": text])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            #expect(try live.ctl("scene", "other") == "other")
            // The new line is empty for half a second, in which only the old one is heard.
            _ = live.listener.record(48_000)
            #expect(live.listener.waits(for: 0.5))
            #expect(live.listener.heard[start...].allSatisfy { (0.4999...1.0001).contains($0) })
        }
    }
}
