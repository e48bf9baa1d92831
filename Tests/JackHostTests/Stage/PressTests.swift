import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// Presses of pedals and pads of an active pipeline.
    @Suite struct PressTests {
        /// The hold of one second and the window of half a second are far longer than the test
        /// needs for two messages.
        private static let pedal = StageFiles.pipeline(
            """
            "nodes": [{ "id": "short", "type": "gain" }, { "id": "long", "type": "gain" },
                      { "id": "twice", "type": "gain" }],
            "midi": [
              { "cc": 80, "to": "short.gain", "values": [0, -6] },
              { "cc": 80, "to": "long.gain", "values": [0, -6], "press": "long", "hold": 1 },
              { "cc": 80, "to": "twice.gain", "values": [0, -6], "press": "double", "window": 0.5 }
            ]
            """)

        /// The frames from a frame of the server to the first change of the level.
        private static func framesToChange(_ live: LiveProgram, from frame: UInt32) -> Int? {
            let heard = live.listener.heard(from: frame)
            return heard.firstIndex { $0 != heard.first }
        }

        @Test("a long press acts at its exact frame while the pedal is down")
        func long() throws {
            let live = try LiveProgram("Press long", ["p.json": Self.pedal])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5, within: 0))
            _ = live.listener.record(4_800)
            let frame = live.player.send(0xB0, 80, 127, at: 31)
            _ = live.listener.record(60_000)
            #expect(Self.framesToChange(live, from: frame) == 48_000)
            live.player.send(0xB0, 80, 0)
            #expect(try live.holds("long.gain", "-6"))
            _ = live.listener.record(48_000)
            #expect(try live.ctl("short.gain") == "0")
            #expect(try live.ctl("twice.gain") == "0")
        }

        @Test("a short press acts when it can no longer become a double one")
        func short() throws {
            let live = try LiveProgram("Press short", ["p.json": Self.pedal])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5, within: 0))
            _ = live.listener.record(4_800)
            let frame = live.player.send(0xB0, 80, 127, at: 5)
            live.player.send(0xB0, 80, 0)
            _ = live.listener.record(48_000)
            #expect(Self.framesToChange(live, from: frame) == 24_000)
            #expect(try live.ctl("short.gain") == "-6")
            #expect(try live.ctl("long.gain") == "0")
        }

        @Test("a double press acts at its second press, and the short one does not")
        func double() throws {
            let live = try LiveProgram("Press double", ["p.json": Self.pedal])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5, within: 0))
            _ = live.listener.record(4_800)
            let first = live.player.send(0xB0, 80, 127)
            live.player.send(0xB0, 80, 0)
            let second = live.player.send(0xB0, 80, 127, at: 17)
            live.player.send(0xB0, 80, 0)
            _ = live.listener.record(60_000)
            #expect(Self.framesToChange(live, from: first) == Int(second &- first))
            #expect(try live.ctl("twice.gain") == "-6")
            #expect(try live.ctl("short.gain") == "0")
            #expect(try live.ctl("long.gain") == "0")
        }

        @Test("a guarded press steps once, even if the first press has started another song")
        func guarded() throws {
            let night = """
                { "version": 1, "setlist": "Night",
                  "songs": [{ "name": "one", "pipeline": "a.json" },
                            { "name": "two", "pipeline": "a.json" },
                            { "name": "three", "pipeline": "a.json" }],
                  "midi": [{ "cc": 81, "action": "next-song", "guard": 5 }] }
                """
            let live = try LiveProgram(
                "Press guard", ["night.json": night, "a.json": StageFiles.level(0)])
            func press() {
                live.player.send(0xB0, 81, 127)
                live.player.send(0xB0, 81, 0)
            }
            press()
            #expect(try live.holds("song", "two"))
            press()
            _ = live.listener.record(24_000)
            #expect(try live.ctl("song") == "two")
            _ = live.listener.record(240_000)
            press()
            #expect(try live.holds("song", "three"))
        }

        @Test("each pad plays its item of a player from the start")
        func pads() throws {
            let sounds = ScratchFolder()
            let paths = try ["one", "two"].enumerated().map { index, name in
                let path = sounds.file("\(name).wav")
                let level = index == 0 ? Float(0.25) : 0.5
                let frames = 30 * 48_000
                // The first three seconds are twice as loud as the rest.
                let sound = (0..<frames).map { $0 < 144_000 ? level : level / 2 }
                let writer = try SoundFileWriter(
                    path: path, channels: 1, sampleRate: 48_000, expectedFrames: frames)
                try writer.write(frames, from: sound)
                try writer.close()
                return path
            }
            let pads = """
                {
                  "version": 1,
                  "inputs": {},
                  "outputs": { "main": { "limiter": false } },
                  "nodes": [{ "id": "fx", "type": "player", "parameters": { "playing": false },
                              "settings": { "files": ["\(paths[0])", "\(paths[1])"] } }],
                  "midi": [{ "note": 50, "cue": "fx" }, { "note": 51, "cue": "fx:2" }]
                }
                """
            let live = try LiveProgram(
                "Press pads", ["p.json": pads], input: nil, "--allow-outside")
            live.player.send(0x90, 51, 1)
            #expect(live.listener.waits(for: 0.5))
            #expect(live.listener.waits(for: 0.25))
            live.player.send(0x90, 51, 1)
            #expect(live.listener.waits(for: 0.5))
            live.player.send(0x90, 50, 1)
            #expect(live.listener.waits(for: 0.25))
            #expect(live.listener.waits(for: 0.125))
        }

        @Test("presses go through scenes, and the pitch bend wheel rests in the middle")
        func scenesAndBend() throws {
            let text = StageFiles.pipeline(
                """
                "nodes": [{ "id": "lev", "type": "gain" }, { "id": "pan", "type": "gain" }],
                "scenes": { "a": {}, "b": {}, "c": {} }, "scene": "a",
                "midi": [
                  { "note": 62, "cycle": ["a", "c"] },
                  { "note": 63, "action": "previous-scene", "wrap": true },
                  { "bend": true, "to": [{ "address": "lev.gain", "range": [-12, 0] },
                                         { "address": "pan.gain", "range": [0, -24] }] }
                ]
                """)
            let live = try LiveProgram("Press scenes", ["p.json": text])
            live.player.send(0x90, 62, 1)
            #expect(try live.holds("scene", "c"))
            live.player.send(0x90, 62, 1)
            #expect(try live.holds("scene", "a"))
            live.player.send(0x90, 63, 1)
            #expect(try live.holds("scene", "c"))
            live.player.send(0xE0, 0, 64)
            #expect(try live.holds("lev.gain", "-6"))
            #expect(try live.ctl("pan.gain") == "-12")
            #expect(try live.ctl("learn", "next-scene") == "next-scene")
            live.player.send(0x91, 70, 1)
            #expect(live.says("next-scene is bound to"))
            let learned = LiveProgram.text(of: live.file)
            #expect(learned.contains("\"note\": 70"))
            #expect(learned.contains("\"action\": \"next-scene\""))
        }
    }
}
