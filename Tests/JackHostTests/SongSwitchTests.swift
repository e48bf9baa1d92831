import Effects
import Glibc
import JackHost
import Pipelines
import Platform
import Processing
import SessionCore
import Testing
import TestSignals

extension JackTests {
    @Suite struct SongSwitchTests {
        private static let catalogue = Catalogue(
            effects: EffectCatalogue.effects, plugins: NoPlugins())
        private static let echo = """
            , { "id": "echo", "type": "delay", "parameters": { "time": 0.02, "feedback": 0.5 }, "settings": { "maximum": 0.1 }, "mix": 0.3 }
            """

        @Test(
            "a thousand random song switches at full speed: no step, at most four schedules, no more memory"
        )
        func thousand() throws {
            let patchbay = try Patchbay()
            let gains = [(0, ""), (-3, Self.echo), (-6, ""), (0, Self.echo), (-9, "")]
            let session = try RunningSession(
                songs: gains.enumerated().map {
                    try song($0.offset + 1, $0.element.0, $0.element.1)
                },
                catalogue: Self.catalogue)
            defer { session.stop() }
            let player = try #require(TestClient(named: "player"))
            let recorder = try #require(TestClient(named: "recorder"))
            player.prepareToPlay(
                sineWave(330, amplitude: 0.2, frames: 48_000 * 30, sampleRate: 48_000))
            recorder.prepareToRecord(frames: 48_000 * 30)
            patchbay.connect("player:out", "Songs:in")
            patchbay.connect("Songs:out", "recorder:in")
            player.play()
            #expect(waitUntil { (recorder.lastRecorded ?? 0) != 0 ? true : nil } == true)
            switchSongs(300, session)
            let before = try #require(residentKibibytes())
            switchSongs(1_000, session)
            let after = try #require(residentKibibytes())
            #expect(after - before < 4_096)
            #expect(maximumSchedules(session) <= 4)
            #expect(session.reported.count { if case .song = $0 { true } else { false } } > 100)
            // PipeWire makes connections later than it reports them, perhaps within the sine.
            let recorded = Array(recorder.recorded.drop { $0 == 0 })
            // A sine of 330 Hz with amplitude 0.2 changes by 0.0087 per sample; up to four songs
            // may sound.
            #expect(largestStep(recorded) < 0.0175)
            #expect(recorded.suffix(4_800).contains { abs($0) > 0.01 })
            if StageFiles.areOnSeveralCores, ProcessorCount.online > 1 {
                #expect(hasUsedWorker(session))
            }
        }

        private func song(_ number: Int, _ gain: Int, _ extra: String) throws -> Song {
            let last = extra.isEmpty ? "a" : "echo"
            let nodes = extra + StageFiles.branch(from: "in")
            let text = """
                { "version": 1, "inputs": { "in": {} }, "outputs": { "out": { "from": "\(last)" } },
                  "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(gain) } }
                             \(nodes) ],
                  "tail": 1 }
                """
            let pipeline = try Pipeline(
                decoding: Array(text.utf8), file: "\(number).json", catalogue: Self.catalogue)
            return Song(name: "song \(number)", pipeline: pipeline, path: "")
        }

        private func switchSongs(_ count: Int, _ session: RunningSession) {
            let control = session.remote.control()
            var seed = 7
            for _ in 0..<count {
                seed = (seed &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
                control.ask(.set("song", .number(Double((seed >> 8) % 5 + 1)))) { _ in }
                usleep(1_000)
            }
        }

        private func maximumSchedules(_ session: RunningSession) -> Int {
            session.reported.reduce(0) { most, event in
                if case .status(let status) = event { max(most, status.schedules) } else { most }
            }
        }

        /// Returns whether a worker has run nodes.
        private func hasUsedWorker(_ session: RunningSession) -> Bool {
            session.reported.contains { event in
                guard case .status(let status) = event else { return false }
                return status.coreLoads.dropFirst().contains { $0 > 0 }
            }
        }

        private func largestStep(_ sound: [Float]) -> Float {
            zip(sound, sound.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
        }

        /// Returns the memory that the process uses.
        private func residentKibibytes() -> Int? {
            guard let file = fopen("/proc/self/statm", "r") else { return nil }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            guard fgets(&line, 256, file) != nil else { return nil }
            let words = line.prefix { $0 != 0 }.split(separator: 32)
            return words.count > 1
                ? Int(String(decoding: words[1].map(UInt8.init(bitPattern:)), as: UTF8.self))
                    .map { $0 * 4 } : nil
        }
    }
}
