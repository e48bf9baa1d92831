import Glibc
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// A setlist with inputs, outputs and nodes of its own.
    @Suite struct OuterLevelTests {
        private static func setlist(_ name: String) -> String {
            """
            {
              "version": 1,
              "setlist": "Night",
              "inputs": { "mic": {},
                          "pedals": { "kind": "midi", "connect": ["\(name)-hand:keys"] } },
              "songs": [{ "pipeline": "one.json" }, { "pipeline": "two.json" },
                        { "pipeline": "three.json" }],
              "after": [
                { "id": "trim", "type": "gain", "from": "main" },
                { "id": "tape", "type": "recorder", "from": ["mic", "main"],
                  "parameters": { "recording": true }, "settings": { "file": "takes/night.wav" } }
              ],
              "outputs": { "main": { "from": "trim", "limiter": false } },
              "midi": [{ "cc": 20, "port": "pedals", "action": "next-song" },
                       { "cc": 7, "port": "pedals", "to": "trim.gain", "range": [-40, 0] }]
            }
            """
        }

        private static func live(_ name: String) throws -> LiveProgram {
            let live = try LiveProgram(
                name,
                [
                    "night.json": setlist(name), "one.json": StageFiles.level(0),
                    "two.json": StageFiles.level(StageFiles.half),
                    "three.json": StageFiles.level(2 * StageFiles.half),
                ])
            #expect(live.isConnected("\(name)-hand:keys", "\(name):pedals"))
            return live
        }

        @Test("MIDI at the setlist's own input moves its nodes and changes songs")
        func controls() throws {
            let live = try Self.live("Outer")
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            live.player.send(0xB0, 7, 0)
            #expect(live.listener.waits(for: 0.005))
            live.player.send(0xB0, 20, 127)
            // The value stays when the song changes.
            #expect(live.listener.waits(for: 0.0025))
            #expect(try live.holds("song", "two"))
            #expect(try live.ctl("trim.gain") == "-40")
            live.player.send(0xB0, 7, 127)
            #expect(live.listener.waits(for: 0.25))
        }

        @Test("a master take has every sample over several changes of songs, and all songs' sound")
        func take() throws {
            let live = try Self.live("Master")
            let period = 4096
            live.player.play((0..<period).map { Float($0) / Float(period) })
            _ = live.listener.record(9_600)
            for _ in 0..<2 {
                try live.ctl("next-song")
                _ = live.listener.record(9_600)
            }
            #expect(try live.holds("song", "three"))
            for _ in 0..<2 {
                try live.ctl("previous-song")
                _ = live.listener.record(9_600)
            }
            #expect(try live.holds("song", "one"))
            kill(live.program.process, SIGTERM)
            #expect(live.program.waitForStatus() == 0)
            let reader = try SoundFileReader(path: live.folder.file("takes/night.wav"))
            let channels = try reader.readChannels()
            // The first sounds fade in, and the last ones fade out.
            let input = channels[0].map { Int(($0 * Float(period)).rounded()) }
            let first = try #require(input.firstIndex { $0 > period / 2 })
            // JACK disconnects a client that leaves a few cycles before it stops calling it.
            let last = try #require(input.lastIndex { $0 != 0 })
            let rest = Array(input[first...last])
            let gaps = zip(rest, rest.dropFirst()).filter { ($0 + 1) % period != $1 }
            #expect(gaps.isEmpty, "\(gaps.prefix(3))")
            #expect(rest.count > 5 * 9_600)
            let songs = zip(channels[0], channels[1]).filter { $0.0 > 0.5 }.map { $1 / $0 }
            for gain in [1, 0.5, 0.25] as [Float] {
                #expect(songs.count { abs($0 - gain) < 1e-3 } > 2_000, "\(gain)")
            }
        }

        @Test("save writes the value of a setlist's node into the setlist, and undo restores it")
        func save() throws {
            let live = try Self.live("Saved")
            try live.ctl("trim.gain", "-6")
            try live.ctl("lev.gain", "-12")
            let answer = try live.ctl("save")
            #expect(answer.contains("night.json") && answer.contains("one.json"), "\(answer)")
            let setlist = LiveProgram.text(of: live.file)
            #expect(setlist.contains(#""gain": -6"#), "\(setlist)")
            #expect(LiveProgram.text(of: live.folder.file("one.json")).contains("-12"))
            try live.ctl("undo")
            #expect(LiveProgram.text(of: live.file) == Self.setlist("Saved"))
            #expect(
                LiveProgram.text(of: live.folder.file("one.json")) == StageFiles.level(0))
        }
    }
}
