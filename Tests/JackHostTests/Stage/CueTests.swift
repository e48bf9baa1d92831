import Glibc
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// Cues of the running program: go and back by a pedal, a key command and OSC, and scenes that
    /// follow automatically.
    @Suite struct CueTests {
        private static let half = StageFiles.half

        @Test("a pedal calls the next cue, ctl the previous one, and both report the cues")
        func pedal() throws {
            let text = StageFiles.level(
                0,
                """
                ,
                  "scenes": {
                    "full": { "number": 1, "text": "House", "lev.gain": 0 },
                    "half": { "number": 2, "text": "Half", "lev.gain": \(Self.half) },
                    "quarter": { "lev.gain": \(2 * Self.half) }
                  },
                  "midi": [{ "cc": 20, "action": "go" }, { "cc": 21, "action": "back" }]
                """)
            let live = try LiveProgram("Cues", ["p.json": text])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("next-cue") == "1 House")
            func press(_ number: UInt8) {
                live.player.send(0xB0, number, 127)
                live.player.send(0xB0, number, 0)
            }
            press(20)
            #expect(try live.holds("cue", "1 House"))
            press(20)
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.holds("cue", "2 Half"))
            #expect(try live.ctl("next-cue") == "quarter")
            try live.ctl("go")
            #expect(live.listener.waits(for: 0.125))
            #expect(try live.ctl("go").contains("this is the last cue"))
            press(21)
            #expect(live.listener.waits(for: 0.25))
            try live.ctl("back")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("cue") == "1 House")
            #expect(live.program.waitFor(event: "cue", times: 5) != nil)
            #expect(live.program.waitFor(text: "\"text\": \"Half\"") == true)
        }

        @Test("a scene follows after half a second, to the frame")
        func time() throws {
            let text = StageFiles.pipeline(
                """
                "nodes": [{ "id": "one", "type": "gain" }, { "id": "two", "type": "gain" }],
                "scenes": {
                  "a": { "one.gain": \(Self.half), "then": { "scene": "b", "after": 0.5 } },
                  "b": { "two.gain": \(Self.half) }
                },
                "midi": [{ "cc": 20, "scene": "a" }]
                """)
            let live = try LiveProgram("Followed", ["p.json": text])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5, within: 0))
            _ = live.listener.record(480)
            let frame = live.player.send(0xB0, 20, 127, at: 17)
            #expect(live.listener.waits(for: 0.125))
            _ = live.listener.record(480)
            let heard = live.listener.heard(from: frame - 64)
            let first = try #require(heard.firstIndex { $0 != 0.5 })
            // The glide of the first scene is over long before the second one begins.
            let level = try #require(heard.dropFirst(first + 12_000).first)
            #expect(abs(level - 0.25) < 1e-4)
            let second = heard[(first + 12_000)...].firstIndex { $0 != level }
            #expect(second == first + 24_000)
            #expect(try live.holds("scene", "b"))
        }

        @Test("a scene follows at the end of a sound, and not when the sound is stopped")
        func endOfSound() throws {
            let sounds = ScratchFolder()
            let path = sounds.file("rain.wav")
            let frames = 48_000
            let writer = try SoundFileWriter(
                path: path, channels: 1, sampleRate: 48_000, expectedFrames: frames)
            try writer.write(frames, from: [Float](repeating: 0.25, count: frames))
            try writer.close()
            let text = StageFiles.pipeline(
                """
                "nodes": [
                  { "id": "rain", "type": "player", "settings": { "file": "\(path)", "swell": 0 },
                    "parameters": { "playing": false } }
                ],
                "scenes": {
                  "rain": { "rain.trigger": true, "then": { "scene": "dry", "at": "end of rain" } },
                  "dry": {}
                },
                "midi": [{ "cc": 20, "action": "go" }]
                """)
            let live = try LiveProgram("Rain", ["p.json": text], "--allow-outside")
            live.player.send(0xB0, 20, 127)
            #expect(live.listener.waits(for: 0.25))
            #expect(live.program.waitFor(text: "\"scene\", \"name\": \"rain\"") == true)
            #expect(try live.holds("scene", "dry"))
            #expect(live.listener.now == 0)
            let soundingCount = live.listener.heard.count { $0 == 0.25 }
            #expect(soundingCount > frames - 100)
            // A sound that is stopped has not ended.
            try live.ctl("scene", "rain")
            #expect(live.listener.waits(for: 0.25))
            try live.ctl("rain.playing", "false")
            #expect(live.listener.waits(for: 0))
            _ = live.listener.record(96_000)
            #expect(try live.ctl("scene") == "rain")
        }
    }
}
