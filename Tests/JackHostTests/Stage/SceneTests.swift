import Glibc
import Platform
import SoundFiles
import Testing
import TestSignals

extension JackTests {
    /// Scenes of an active pipeline, selected in every possible way.
    @Suite struct SceneTests {
        @Test("a scene is selected by the file, by MIDI, by name, by number, and in order")
        func ways() throws {
            let live = try LiveProgram("Scenes", ["p.json": StageFiles.scenes])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            live.edit("\"scene\": \"loud\",", "\"scene\": \"soft\",")
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.holds("scene", "soft"))
            live.player.send(0xC0, 0)
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.holds("scene", "loud"))
            live.player.send(0xC0, 1)
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.ctl("scene", "loud") == "loud")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.ctl("scene", "2") == "soft")
            #expect(live.listener.waits(for: 0.25))
            try live.ctl("previous-scene")
            #expect(live.listener.waits(for: 0.5))
            try live.ctl("next-scene")
            #expect(live.listener.waits(for: 0.25))
            #expect(live.listener.heard[start...].allSatisfy { (0.2499...0.5001).contains($0) })
            #expect(live.program.waitFor(event: "scene") != nil)
        }

        @Test("a scene and ctl fade over a time, and the level has no step")
        func fades() throws {
            let file = StageFiles.level(
                0,
                """
                ,
                  "scenes": { "soft": { "lev.gain": \(StageFiles.half), "over": 1.5 } }
                """)
            let live = try LiveProgram("Fades", ["p.json": file])
            live.player.play([0.5])
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            #expect(try live.ctl("scene", "soft") == "soft")
            #expect(live.listener.waits(for: 0.25))
            #expect(try live.holds("lev.gain", "\(StageFiles.half)"))
            try live.ctl("lev.gain", "0", "--over", "1")
            #expect(live.listener.waits(for: 0.5))
            #expect(try live.holds("lev.gain", "0"))
            let heard = Array(live.listener.heard[start...])
            let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
            // A sudden change would glide within 20 ms, by up to 0.0004 per frame.
            #expect(steps.max() ?? 1 < 0.0001)
            #expect(try live.ctl("gain", "-6", "--over", "1").contains("cannot fade"))
        }

        @Test("fade-all fades out players and stops them; stop-all stops them at once")
        func stops() throws {
            let sounds = ScratchFolder()
            let path = sounds.file("bed.wav")
            let frames = 60 * 48_000
            let writer = try SoundFileWriter(
                path: path, channels: 1, sampleRate: 48_000, expectedFrames: frames)
            try writer.write(frames, from: [Float](repeating: 0.5, count: frames))
            try writer.close()
            let file = StageFiles.pipeline(
                """
                "nodes": [{ "id": "bed", "type": "player", "settings": { "file": "\(path)" } }
                          \(StageFiles.branch())]
                """, heard: "bed")
            let live = try LiveProgram("Stops", ["p.json": file], "--allow-outside")
            #expect(live.listener.waits(for: 0.5))
            let start = live.listener.heardFrames
            try live.ctl("fade-all", "1")
            #expect(try live.ctl("bed.playing") == "false")
            #expect(live.listener.waits(for: 0))
            let heard = Array(live.listener.heard[start...])
            let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
            #expect(steps.max() ?? 1 < 0.0001)
            try live.ctl("bed.playing", "true")
            #expect(live.listener.waits(for: 0.5))
            try live.ctl("stop-all")
            #expect(live.listener.waits(for: 0))
        }

        @Test("ctl sets, reads, dumps and watches; an unknown name is refused with a suggestion")
        func control() throws {
            let live = try LiveProgram("Control", ["p.json": StageFiles.scenes])
            let changes = live.folder.file("changes")
            let watcher = try live.watch("lev", "scene", into: changes)
            #expect(try live.ctl("lev.gain", "-3") == "-3")
            #expect(try live.ctl("lev.gain") == "-3")
            let dump = try live.ctl().split(separator: "\n").map(String.init)
            #expect(dump.contains("lev.gain -3"))
            #expect(dump.contains("scene loud"))
            #expect(dump.contains("song p"))
            for (address, value) in [("tuner", "mic"), ("learn", "lev.gain")] {
                #expect(try live.ctl(address, value) == value)
                #expect(try live.ctl(address, "") == "")
                #expect(try live.ctl(address) == "")
            }
            #expect(try live.ctl("lev.gian") == Self.unknown)
            #expect(try live.ctl("scene", "softt").contains("did you mean soft?"))
            #expect(try live.ctl("pannic").contains("did you mean panic?"))
            #expect(try live.ctl("lev.gain", "100").contains("-120…24 dB"))
            // The subscription is active by the time the watcher reports a change.
            let isReported = waitUntil {
                _ = try? live.ctl("lev.gain", "-4")
                _ = try? live.ctl("scene", "soft")
                let reported = LiveProgram.text(of: changes)
                return reported.contains("lev.gain -4") && reported.contains("scene soft")
                    ? true : nil
            }
            #expect(isReported == true)
            kill(watcher.process, SIGTERM)
        }

        @Test(
            "on several cores, a worker runs nodes of these files",
            .enabled(
                if: StageFiles.areOnSeveralCores && ProcessorCount.online > 1,
                "the tests run on one core"))
        func worker() throws {
            let live = try LiveProgram("Shared", ["p.json": StageFiles.scenes])
            let hasWorked = waitUntil {
                Self.workerLoads(live.program.output).contains { $0 > 0 } ? true : nil
            }
            #expect(hasWorked == true)
        }

        /// Returns the load of the first worker in each status.
        private static func workerLoads(_ output: String) -> [Double] {
            output.split(separator: "\n").compactMap { line -> Double? in
                guard let start = line.firstRange(of: "\"core_loads\": [")?.upperBound else {
                    return nil
                }
                let loads = line[start...].prefix { $0 != "]" }.split(separator: ",")
                return loads.count > 1 ? Double(loads[1].drop { $0 == " " }) : nil
            }
        }

        private static let unknown =
            "stompline: \"lev\" has no parameter \"gian\" (did you mean lev.gain?)"
    }
}
