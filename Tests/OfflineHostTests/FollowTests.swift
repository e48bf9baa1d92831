import Engine
import OfflineHost
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("Scenes that follow automatically while rendering")
struct FollowTests {
    /// A factor that jumps, so that the frame of each scene is visible in the output.
    private static func pipeline(latency: Int = 0) -> String {
        """
        "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
        "nodes": [
            { "id": "before", "type": "late", "settings": { "frames": \(latency) } },
            { "id": "x", "type": "late" }
        ],
        "scenes": {
            "one": { "x.factor": 1, "then": { "scene": "two", "after": 0.0104375 } },
            "two": { "x.factor": 2, "then": { "scene": "three", "after": 0.0100208 } },
            "three": { "x.factor": 3, "then": { "scene": "one", "after": 0.02 } },
            "four": { "x.factor": 4 },
            "five": { "x.factor": 5, "then": { "scene": "six", "after": 0 } },
            "six": { "x.factor": 6, "then": { "scene": "two", "after": 0.01 } }
        }, "scene": "one"
        """
    }

    private let ones = [Float](repeating: 1, count: 6_000)

    /// The output of the engine that plays the pipeline live.
    private func live(_ pipeline: Pipeline, block: Int) throws -> [Float] {
        let schedule = try Schedule(
            preparing: pipeline, catalogue: Rendering.catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: block))
        let engine = Engine(playing: schedule)
        var output = [Float](repeating: .nan, count: ones.count)
        ones.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                for first in stride(from: 0, to: ones.count, by: block) {
                    engine.audio.render(
                        frameCount: min(block, ones.count - first),
                        inputs: [UnsafePointer(from + first)], outputs: [to + first])
                }
            }
        }
        return output
    }

    @Test("they follow at the frames of a live session", arguments: [1, 64, 512, 6_000])
    func asLive(block: Int) throws {
        let rendering = try Rendering(Self.pipeline())
        let rendered = try rendering([ones]) {
            $0.blockFrames = block
            $0.scenes = []
        }[0]
        #expect(rendered == (try live(rendering.pipeline, block: block)))
        let changes = rendered.indices.filter { $0 > 0 && rendered[$0] != rendered[$0 - 1] }
        #expect(changes == [501, 982, 1_942, 2_443, 2_924, 3_884, 4_385, 4_866, 5_826])
    }

    @Test("they meet the sound of their time, whatever the latency before their nodes")
    func behindLatency() throws {
        let rendering = try Rendering(Self.pipeline(latency: 333))
        let plain = try Rendering(Self.pipeline())([ones])
        #expect(try rendering([ones]) == plain)
        let kept = try rendering([ones]) { $0.keepsLatency = true }[0]
        #expect(kept == ones.indices.map { $0 < 333 ? 0 : plain[0][$0] })
    }

    @Test("a scene of the request cancels the one that would follow, even at the same frame")
    func called() throws {
        let rendering = try Rendering(Self.pipeline())
        func output(_ name: String, at frame: Int) throws -> [Float] {
            let scenes = rendering.pipeline.scenes
            let index = try #require(scenes.firstIndex { $0.name == name })
            let seconds = Double(frame) / 48_000
            return try rendering([ones]) {
                $0.changes = rendering.pipeline.changes(ofScene: scenes[index], atSeconds: seconds)
                $0.scenes = [TimedScene(index, atSeconds: seconds)]
            }[0]
        }
        #expect(try output("four", at: 501) == ones.indices.map { $0 < 501 ? 1 : 4 })
        #expect(try output("four", at: 500) == ones.indices.map { $0 < 500 ? 1 : 4 })
        #expect(
            try output("four", at: 502)
                == ones.indices.map { $0 < 501 ? 1 : $0 < 502 ? 2 : 4 })
        // A scene at load replaces the initial one; one may follow without a delay.
        let chained = try output("five", at: 0)
        #expect(Array(chained[..<962]) == (0..<962).map { $0 < 480 ? 6 : $0 < 961 ? 2 : 3 })
    }
}
