import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// Actions of nodes, such as a player's `trigger`, through MIDI and `ctl`.
    @Suite struct TriggerTests {
        @Test("each message starts a cue: soft notes, notes without an end, and repeated requests")
        func everyMessage() throws {
            let sounds = ScratchFolder()
            let path = sounds.file("cue.wav")
            let frames = 30 * 48_000
            let writer = try SoundFileWriter(
                path: path, channels: 1, sampleRate: 48_000, expectedFrames: frames)
            try writer.write(frames, from: [Float](repeating: 0.0625, count: frames))
            try writer.close()
            let pads = """
                {
                  "version": 1,
                  "inputs": {},
                  "outputs": { "main": { "limiter": false } },
                  "nodes": [{ "id": "pads", "type": "player",
                              "settings": { "file": "\(path)", "polyphony": 16 } }],
                  "midi": [{ "note": 36, "to": "pads.trigger" },
                           { "cc": 80, "to": "pads.trigger", "mode": "momentary" }]
                }
                """
            let live = try LiveProgram("Pads", ["p.json": pads], input: nil, "--allow-outside")
            for velocity: UInt8 in [1, 127, 20] { live.player.send(0x90, 36, velocity) }
            #expect(live.listener.waits(for: 3 * 0.0625))
            for value: UInt8 in [127, 0, 127, 0] { live.player.send(0xB0, 80, value) }
            #expect(live.listener.waits(for: 5 * 0.0625))
            for _ in 0..<3 { try live.ctl("pads.trigger", "true") }
            #expect(live.listener.waits(for: 8 * 0.0625))
            #expect(try live.ctl("pads.trigger") == "false")
            try live.ctl("pads.trigger", "false")
            _ = live.listener.record(24_000)
            #expect(live.listener.waits(for: 8 * 0.0625, within: 0))
        }
    }
}
