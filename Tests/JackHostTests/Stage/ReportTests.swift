import Glibc
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// What nodes of the running program report, through `ctl`, subscriptions and `--json`.
    @Suite struct ReportTests {
        private let sounds = ScratchFolder()

        private func band() throws -> String {
            let path = sounds.file("band.wav")
            let frames = 60 * 48_000
            let writer = try SoundFileWriter(
                path: path, channels: 1, sampleRate: 48_000, expectedFrames: frames)
            try writer.write(frames, from: [Float](repeating: 0.25, count: frames))
            try writer.close()
            return path
        }

        @Test("the position of a player moves, and its file and duration are known")
        func player() throws {
            let path = try band()
            let text = """
                { "version": 1, "inputs": {}, "outputs": { "main": { "limiter": false } },
                  "nodes": [{ "id": "band", "type": "player", "settings": { "file": "\(path)" } }] }
                """
            let live = try LiveProgram(
                "Reports", ["p.json": text], input: nil, "--allow-outside")
            #expect(try live.holds("band.duration", "60"))
            #expect(try live.holds("band.file", path))
            #expect(try live.holds("band.reports.item", "1"))
            // The parameter keeps its address and its value.
            #expect(try live.ctl("band.position") == "0")
            let first = try #require(Double(try live.ctl("band.reports.position")))
            let moves: Bool? = waitUntil {
                let later = (try? live.ctl("band.reports.position")).flatMap { Double($0) }
                return later.map { $0 > first } == true ? true : nil
            }
            #expect(moves == true)
            let output = sounds.file("watched")
            let watching = try live.watch("band", into: output)
            let hears: Bool? = waitUntil {
                let positions = Set(
                    LiveProgram.text(of: output).split(separator: "\n").filter {
                        $0.hasPrefix("band.reports.position ")
                    })
                return positions.count >= 3 ? true : nil
            }
            #expect(hears == true)
            kill(watching.process, SIGTERM)
            #expect(
                try live.ctl("band.duration", "3").contains(
                    "\"band.duration\" is read-only: the node reports it"))
            #expect(try live.ctl().contains("band.duration 60 s (read-only)"))
            #expect(live.program.waitFor(text: "\"band.duration\": 60") == true)
        }

        @Test("a recorder reports its state and its file, a meter its level, a tuner its note")
        func recorder() throws {
            let text = StageFiles.pipeline(
                """
                "nodes": [
                    { "id": "level", "type": "meter" }, { "id": "note", "type": "tuner" },
                    { "id": "tape", "type": "recorder", "settings": { "file": "take.wav" } }
                  ]
                """)
            let live = try LiveProgram("Recording", ["p.json": text])
            #expect(try live.holds("tape.state", "idle"))
            #expect(try live.ctl("tape.file") == "")
            #expect(try live.holds("note.frequency", "0"))
            #expect(try live.holds("level.peak", "-160"))
            live.player.play([0.5])
            let isHeard: Bool? = waitUntil {
                let peak = (try? live.ctl("level.peak")).flatMap { Double($0) }
                return peak.map { abs($0 + 6.02) < 0.01 } == true ? true : nil
            }
            #expect(isHeard == true)
            try live.ctl("tape.recording", "true")
            #expect(try live.holds("tape.state", "recording"))
            #expect(try live.holds("tape.file", live.folder.file("take.wav")))
            try live.ctl("tape.recording", "false")
            #expect(try live.holds("tape.state", "idle"))
            let hasLength: Bool? = waitUntil {
                let seconds = (try? live.ctl("tape.recorded")).flatMap { Double($0) }
                return seconds.map { $0 > 0 } == true ? true : nil
            }
            #expect(hasLength == true)
        }
    }
}
