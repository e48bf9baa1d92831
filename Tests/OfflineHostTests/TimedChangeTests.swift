import OfflineHost
import Pipelines
import Testing
import TestSignals

@Suite("Changes while rendering")
struct TimedChangeTests {
    /// A pipeline with a factor that jumps, so that the frame of a change is visible in the output.
    private static func pipeline(latency: Int) -> String {
        """
        "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
        "nodes": [
            { "id": "before", "type": "late", "settings": { "frames": \(latency) } },
            { "id": "x", "type": "late", "parameters": { "factor": 2 } }
        ],
        "scenes": { "loud": { "x.factor": 4 }, "soft": { "x.factor": 0.5 } }, "scene": "loud"
        """
    }

    private let ones = [Float](repeating: 1, count: 2000)

    @Test("a change is exact to the frame", arguments: [1, 63, 64, 65, 1000, 1999], [1, 64, 512])
    func exact(frame: Int, block: Int) throws {
        let rendering = try Rendering(Self.pipeline(latency: 0))
        let change = try rendering.change("x.factor", "3", at: Double(frame) / 48_000)
        let result = try rendering([ones]) {
            $0.blockFrames = block
            $0.changes = [change]
        }
        #expect(result == [ones.indices.map { $0 < frame ? 4 : 3 }])
    }

    @Test("a change applies to the sound of its time, whatever the latency before its node")
    func behindLatency() throws {
        let rendering = try Rendering(Self.pipeline(latency: 333))
        let change = try rendering.change("x.factor", "3", at: 1000.0 / 48_000)
        #expect(
            try rendering([ones]) { $0.changes = [change] } == [
                ones.indices.map { $0 < 1000 ? 4 : 3 }
            ])
        let kept = try rendering([ones]) {
            $0.changes = [change]
            $0.keepsLatency = true
        }
        #expect(kept == [ones.indices.map { $0 < 333 ? 0 : $0 < 1000 ? 4 : 3 }])
    }

    @Test(
        "scenes have their gains, at load and at a time, behind any latency", arguments: [0, 333])
    func sceneGains(latency: Int) throws {
        let gains = ["\"loud\": { ": "\"gain\": -20, ", "\"soft\": { ": "\"gain\": 20, "]
        let text = gains.reduce(Self.pipeline(latency: latency)) {
            $0.replacing($1.key, with: $1.key + $1.value)
        }
        let rendering = try Rendering(text)
        let result = try rendering([ones]) { request in
            let scenes = request.scenes
            request.scenes = scenes + [TimedScene(1, atSeconds: 100.0 / 48_000)]
        }
        // The factor stays, because the request states no changes of it.
        let heard = try #require(result.first)
        #expect(heard[..<100].allSatisfy { abs($0 - 0.4) < 1e-6 })
        #expect(heard[101] > 0.4 && heard[101] < 0.41)
        #expect(abs(heard[100 + 960] - 40) < 1e-3)
        let first = try rendering([ones]) { $0.scenes = [TimedScene(1)] }
        #expect(abs((first.first?.first ?? 0) - 40) < 1e-3)
    }

    @Test("changes are applied in the order of their times, not of the request")
    func sorted() throws {
        let rendering = try Rendering(Self.pipeline(latency: 0))
        let changes = try [("5", 900.0), ("1", 300), ("2", 300), ("3", 100)].map {
            try rendering.change("x.factor", $0.0, at: $0.1 / 48_000)
        }
        let result = try rendering([ones]) { $0.changes = changes }
        #expect(result == [ones.indices.map { $0 < 100 ? 4 : $0 < 300 ? 3 : $0 < 900 ? 2 : 5 }])
    }

    @Test("the initial scene applies from the first frame, and values set at load override it")
    func atLoad() throws {
        let rendering = try Rendering(Self.pipeline(latency: 0))
        #expect(try rendering([ones]) == [ones.map { 4 * $0 }])
        let change = try rendering.change("x.factor", "3")
        #expect(try rendering([ones]) { $0.changes = [change] } == [ones.map { 3 * $0 }])
        let soft = rendering.pipeline.changes(ofScene: rendering.pipeline.scenes[1])
        #expect(try rendering([ones]) { $0.changes = soft } == [ones.map { $0 / 2 }])
    }

    @Test("a gain set at load applies at once, without a ramp")
    func noRampAtLoad() throws {
        let rendering = try Rendering(
            """
            "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
            "nodes": [{ "id": "g", "type": "gain" }]
            """)
        let change = try rendering.change("g.mute", "true")
        #expect(try rendering([ones]) { $0.changes = [change] } == [ones.map { 0 * $0 }])
    }

    @Test(
        "with gliding effects, the sound is the same for every block size",
        arguments: [1, 31, 256, 4096])
    func blockIndependence(block: Int) throws {
        let rendering = try Rendering(
            """
            "inputs": { "in": {} }, "outputs": { "out": {} },
            "nodes": [
                { "id": "f", "type": "filter", "parameters": { "shape": "lowpass", "frequency": 2000 } },
                { "id": "g", "type": "gain" }
            ]
            """)
        let noise = whiteNoise(frames: 9000)
        let changes = try [
            rendering.change("f.frequency", "300", at: 0.021),
            rendering.change("g.gain", "6", at: 0.033),
            rendering.change("f.mix", "0.3", at: 0.05),
            rendering.change("g.bypass", "true", at: 0.1),
        ]
        let expected = try rendering([noise]) { $0.changes = changes }
        let result = try rendering([noise]) {
            $0.changes = changes
            $0.blockFrames = block
        }
        #expect(result == expected)
    }
}
