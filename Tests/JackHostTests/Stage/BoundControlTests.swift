import Glibc
import Testing
import TestSignals

extension JackTests {
    /// MIDI controls of an active pipeline: their effect, their feedback and their learning.
    @Suite struct BoundControlTests {
        private static let controls = StageFiles.pipeline(
            """
            "nodes": [{ "id": "lev", "type": "gain" }, { "id": "pad", "type": "gain" },
                      { "id": "step", "type": "gain" }, { "id": "fine", "type": "gain" }],
            "midi": [
              { "cc": 7, "to": "lev.gain", "range": [-12, 0] },
              { "cc": 8, "to": "pad.gain", "range": [-12, 0], "takeover": "pickup" },
              { "cc": 9, "to": "step.gain", "range": [-12, 0], "mode": "relative" },
              { "cc": 10, "bits": 14, "to": "fine.gain", "range": [-12, 0] },
              { "cc": 80, "to": "lev.mute", "mode": "toggle" }
            ]
            """)

        @Test("a controller takes effect at the exact frame of its message")
        func frame() throws {
            let live = try LiveProgram("Bound frame", ["p.json": Self.controls])
            live.player.play([0.5])
            // The fade-in ramp at the start ended at least one block ago.
            #expect(live.listener.waits(for: 0.5, within: 0))
            _ = live.listener.record(480)
            for offset in [0, 1, 31, 63] {
                let frame = live.player.send(0xB0, 7, 64, at: offset)
                _ = live.listener.record(4_800)
                let heard = live.listener.heard(from: frame - 64)
                // The first step of the glide is at the message's frame.
                #expect(heard.firstIndex { $0 != 0.5 } == 64, "at \(offset)")
                live.player.send(0xB0, 7, 127)
                #expect(live.listener.waits(for: 0.5, within: 0))
                _ = live.listener.record(480)
            }
        }

        @Test("a press that reaches two inputs toggles, mutes and steps once")
        func pressesAtTwoInputs() throws {
            let text = StageFiles.pipeline(
                """
                "nodes": [{ "id": "lev", "type": "gain" }],
                "scenes": { "a": {}, "b": {}, "c": {} }, "scene": "a",
                "midi": [{ "cc": 80, "to": "lev.mute", "mode": "toggle" },
                         { "cc": 81, "action": "mute" }, { "cc": 82, "action": "next-scene" }]
                """,
                inputs:
                    "\"mic\": {}, \"keys\": { \"kind\": \"midi\" }, \"pedals\": { \"kind\": \"midi\" }"
            )
            let live = try LiveProgram("Bound twice", ["p.json": text])
            for input in ["keys", "pedals"] {
                live.connect("Bound twice-hand:keys", "Bound twice:\(input)")
            }
            func press(_ number: UInt8) {
                live.player.send(0xB0, number, 127)
                live.player.send(0xB0, number, 0)
            }
            press(80)
            #expect(try live.holds("lev.mute", "true"))
            press(81)
            #expect(try live.holds("mute", "true"))
            press(82)
            #expect(try live.holds("scene", "b"))
            _ = live.listener.record(24_000)
            #expect(try live.ctl("lev.mute") == "true")
            #expect(try live.ctl("mute") == "true")
            #expect(try live.ctl("scene") == "b")
        }

        @Test("a knob with pickup changes nothing until it reaches the present value")
        func pickup() throws {
            let live = try LiveProgram("Bound pickup", ["p.json": Self.controls])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            live.player.send(0xB0, 8, 10)
            _ = live.listener.record(4_800)
            #expect(live.listener.now == 0.5)
            live.player.send(0xB0, 8, 127)
            live.player.send(0xB0, 8, 0)
            #expect(live.listener.waits(for: 0.125_594))
            // Another client changes the value, so the knob must pick it up again.
            try live.ctl("pad.gain", "-6")
            #expect(live.listener.waits(for: 0.250_594))
            live.player.send(0xB0, 8, 10)
            _ = live.listener.record(4_800)
            #expect(abs(live.listener.now - 0.250_594) < 1e-4)
        }

        @Test("encoders count steps, and 14-bit controllers have their full resolution")
        func steps() throws {
            let live = try LiveProgram("Bound steps", ["p.json": Self.controls])
            for _ in 0..<3 { live.player.send(0xB0, 9, 126) }
            live.player.send(0xB0, 9, 1)
            live.player.send(0xB0, 10, 64)
            live.player.send(0xB0, 42, 1)
            _ = live.listener.record(4_800)
            let step = try #require(Double(live.ctl("step.gain")))
            #expect(abs(step + 5 * 12.0 / 127) < 1e-4)
            let fine = try #require(Double(live.ctl("fine.gain")))
            #expect(abs(fine - 12 * (8193.0 / 16383 - 1)) < 1e-4)
        }

        @Test("a control receives changes made elsewhere, without feedback loops")
        func feedback() throws {
            let live = try LiveProgram("Bound lights", ["p.json": Self.controls])
            live.connect("Bound lights:feedback", "Bound lights:control")
            _ = live.listener.record(9_600)
            let count = live.listener.heardMessages.count
            try live.ctl("lev.gain", "-6")
            #expect(live.listener.waits(for: [0xB0, 7, 64], after: count))
            live.player.send(0xB0, 80, 127)
            #expect(live.listener.waits(for: [0xB0, 80, 127], after: count))
            live.player.send(0xB0, 80, 0)
            _ = live.listener.record(24_000)
            #expect(try live.ctl("lev.mute") == "true")
            live.player.send(0xB0, 80, 127)
            #expect(live.listener.waits(for: [0xB0, 80, 0], after: count))
            _ = live.listener.record(24_000)
            #expect(
                Array(live.listener.heardMessages.dropFirst(count))
                    == [[0xB0, 7, 64], [0xB0, 80, 127], [0xB0, 80, 0]])
            #expect(try live.ctl("lev.mute") == "false")
            #expect(try live.ctl("lev.gain") == "-6")
        }

        @Test("a learned control works at once, and only its binding changes in the file")
        func learn() throws {
            let text = """
                {"version":1,   "inputs": { "mic": {}},
                  "outputs": {"main": {"limiter": false}}, "nodes": [ {"id":"lev",
                    "type": "gain"}],
                  "midi": [ {"cc": 90, "action": "panic"} ] }
                """
            let live = try LiveProgram("Bound learned", ["p.json": text])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("learn", "lev.gian").contains("did you mean lev.gain?"))
            #expect(try live.ctl("learn", "lev.gain") == "lev.gain")
            for position in stride(from: UInt8(0), through: 40, by: 10) {
                live.player.send(0xB2, 21, position)
            }
            #expect(live.says("lev.gain is bound to"))
            let new = LiveProgram.text(of: live.file)
            // The new text is in the style of the file's first line.
            let added = ",{\"cc\":21,\"channel\":3,\"to\":\"lev.gain\"}"
            #expect(new == text.replacing("\"panic\"}", with: "\"panic\"}\(added)"))
            #expect(try live.ctl("learn") == "")
            let isBound = waitUntil { () -> Bool? in
                live.player.send(0xB2, 21, 0)
                return abs(live.listener.now) < 1e-5 ? true : nil
            }
            #expect(isBound == true)
        }

        @Test("a pedal moves the session's gain at the exact frame, and the session knows it")
        func masterGain() throws {
            let text = StageFiles.pipeline(
                """
                "nodes": [{ "id": "gain", "type": "gain" }],
                "midi": [{ "cc": 7, "to": "gain", "range": [-12, 0] },
                         { "cc": 8, "to": "tempo", "range": [60, 187] },
                         { "note": 36, "to": "mute", "mode": "toggle" }]
                """)
            let live = try LiveProgram("Bound master", ["p.json": text])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5, within: 0))
            _ = live.listener.record(480)
            for offset in [0, 1, 31, 63] {
                let frame = live.player.send(0xB0, 7, 64, at: offset)
                _ = live.listener.record(4_800)
                let heard = live.listener.heard(from: frame - 64)
                #expect(heard.firstIndex { $0 != 0.5 } == 64, "at \(offset)")
                live.player.send(0xB0, 7, 127)
                #expect(live.listener.waits(for: 0.5, within: 0))
                _ = live.listener.record(480)
            }
            live.player.send(0xB0, 7, 0)
            #expect(try live.holds("gain", "-12"))
            #expect(try live.holds("gain.gain", "0"))
            live.player.send(0xB0, 8, 40)
            #expect(try live.holds("tempo", "100"))
            live.player.send(0x90, 36, 100)
            #expect(try live.holds("mute", "true"))
            let count = live.listener.heardMessages.count
            try live.ctl("gain", "-6")
            #expect(live.listener.waits(for: [0xB0, 7, 64], after: count))
        }

        @Test("values of the session and songs are learned in the setlist, scenes in the song")
        func learnForAllSongs() throws {
            let setlist = """
                { "version": 1, "setlist": "Night", "songs": [{ "pipeline": "one.json" }],
                  "midi": [{ "program": 9, "action": "panic" }] }
                """
            let song = StageFiles.level(0, ", \"scenes\": { \"soft\": {} }")
            let live = try LiveProgram(
                "Bound night", ["night.json": setlist, "one.json": song])
            func learn(_ target: String, _ send: () -> Void) throws {
                #expect(try live.ctl("learn", target) == target)
                send()
                #expect(live.says("\(target) is bound to"))
            }
            try learn("gain") { for step in 1...5 { live.player.send(0xB0, 7, UInt8(step * 10)) } }
            // The pitch bend wheel cannot call a scene, so the note after it is learned.
            try learn("scene:soft") {
                live.player.send(0xE0, 0, 127)
                _ = waitUntil { () -> Bool? in
                    live.player.send(0x90, 40, 100)
                    return live.standardError.contains("scene:soft is bound to") ? true : nil
                }
            }
            try learn("song:one") { live.player.send(0xC0, 3) }
            let night = LiveProgram.text(of: live.file)
            #expect(night.contains(#""to": "gain""#) && night.contains(#""song": "one""#))
            #expect(!night.contains("soft"))
            let one = LiveProgram.text(of: live.folder.file("one.json"))
            #expect(one.contains(#""scene": "soft""#) && one.contains(#""note": 40"#))
            #expect(!one.contains("bend") && !one.contains(#""to": "gain""#))
            #expect(try live.ctl("learn", "scene:sfot").contains("did you mean soft?"))
            #expect(try live.ctl("learn", "gian").contains("did you mean gain?"))
        }

        @Test("without a MIDI input, learning is refused with the reason")
        func deaf() throws {
            let live = try LiveProgram("Bound deaf", ["p.json": StageFiles.level(0)])
            #expect(try live.ctl("learn", "lev.gain").contains("there is no MIDI input"))
        }
    }
}
