import CJack
import Testing

extension JackTests {
    /// A looper in the real program, with JACK's own latency and MIDI.
    @Suite struct LooperTests {
        private static func pipeline(latency milliseconds: Double) -> String {
            """
            {
              "version": 1,
              "inputs": { "mic": {} },
              "outputs": { "main": { "limiter": false, "from": "loop" } },
              "nodes": [{ "id": "loop", "type": "looper", "parameters": { "dry": -120 },
                          "settings": { "maximum": 10, "latency": \(milliseconds) } }
                        \(StageFiles.branch())],
              "midi": [{ "cc": 80, "to": "loop.record", "mode": "momentary" },
                       { "cc": 81, "to": "loop.overdub", "mode": "momentary" }]
            }
            """
        }

        /// The frames of a recording that contain an impulse.
        private func impulses(in recording: [Float]) -> [Int] {
            recording.indices.filter { abs(recording[$0]) > 1e-4 }
        }

        @Test("a loop has the length between two MIDI messages, to the frame")
        func length() throws {
            let live = try LiveProgram("Looper", ["loop.json": Self.pipeline(latency: 0)])
            let start = live.player.send(0xB0, 80, 127, at: 17)
            live.player.send(0xB0, 80, 0)
            _ = live.listener.record(12_000)
            let impulse = live.player.playOnce([0.5])
            _ = live.listener.record(12_000)
            let end = live.player.send(0xB0, 80, 127, at: 42)
            let length = Int(end &- start)
            _ = live.listener.record(3 * length)
            let heard = impulses(in: live.listener.heard(from: impulse))
            #expect(heard.count >= 2)
            #expect(heard == heard.indices.map { ($0 + 1) * length })
        }

        @Test(
            "with a cable from the output to the input, an overdub matches the loop exactly",
            .onJack("PipeWire (0.3.65) passes no sound from a client to itself"),
            arguments: [64, 1024])
        func loopback(blockFrames: Int) throws {
            let patchbay = try Patchbay()
            TestServer.shared.setBufferSize(blockFrames, by: patchbay.client.handle)
            defer { TestServer.shared.setBufferSize(64, by: patchbay.client.handle) }
            // A client hears its own output one cycle later.
            let live = try LiveProgram(
                "Looper", ["loop.json": Self.pipeline(latency: Double(blockFrames) / 48)])
            live.player.send(0xB0, 80, 127)
            live.player.send(0xB0, 80, 0)
            _ = live.listener.record(12_000)
            _ = live.player.playOnce([0.25])
            _ = live.listener.record(12_000)
            live.player.send(0xB0, 80, 127)
            patchbay.disconnect("Looper-hand:out", "Looper:mic")
            live.connect("Looper:main", "Looper:mic")
            _ = live.listener.record(48_000)
            live.player.send(0xB0, 81, 127)
            live.player.send(0xB0, 81, 0)
            _ = live.listener.record(72_000)
            live.player.send(0xB0, 81, 127)
            // The input that is still on its way belongs to the overdub too.
            _ = live.listener.record(12_000)
            let recording = live.listener.record(96_000)
            let heard = impulses(in: recording)
            try #require(heard.count >= 3)
            let gaps = zip(heard.dropFirst(), heard).map { $0 - $1 }
            #expect(Set(gaps).count == 1, "\(gaps)")
            #expect(heard.allSatisfy { recording[$0] > 0.4 })
        }

        @Test("record, overdub, undo, redo and clear through ctl")
        func remote() throws {
            let live = try LiveProgram("Looper", ["loop.json": Self.pipeline(latency: 0)])
            live.player.play([0.25])
            _ = live.listener.record(4800)
            try live.ctl("loop.record", "true")
            _ = live.listener.record(24_000)
            try live.ctl("loop.record", "true")
            #expect(live.listener.waits(for: 0.25))
            try live.ctl("loop.overdub", "true")
            _ = live.listener.record(48_000)
            try live.ctl("loop.overdub", "true")
            #expect(live.listener.record(96_000).contains { $0 > 0.45 })
            try live.ctl("loop.undo", "true")
            _ = live.listener.record(9600)
            #expect(live.listener.record(48_000).allSatisfy { abs($0 - 0.25) < 1e-4 })
            try live.ctl("loop.redo", "true")
            #expect(live.listener.record(96_000).contains { $0 > 0.45 })
            try live.ctl("loop.clear", "true")
            _ = live.listener.record(9600)
            #expect(live.listener.record(24_000).allSatisfy { $0 == 0 })
        }
    }
}
