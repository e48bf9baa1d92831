import OfflineHost
import Pipelines
import SoundFiles
import Testing
import TestSignals

/// One input and one output with one channel each, without a limiter.
private let mono = """
    "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1, "limiter": false } }
    """

@Suite("Rendering offline")
struct OfflineRenderTests {
    @Test(
        "a pipeline without nodes preserves every bit, for any length and block size",
        arguments: [1, 63, 64, 4096, 5000, 12_345], [1, 64, 100, 4096])
    func identity(frames: Int, block: Int) throws {
        let noise = whiteNoise(frames: frames)
        let result = try Rendering(mono)([noise]) { $0.blockFrames = block }
        #expect(result == [noise])
    }

    // in ─ late(300) ─ out
    @Test("latency is trimmed: frame n of the output corresponds to frame n of the input")
    func trimmed() throws {
        let noise = whiteNoise(frames: 5000)
        let rendering = try Rendering(
            """
            \(mono), "nodes": [{ "id": "late", "type": "late", "settings": { "frames": 300 } }]
            """)
        #expect(try rendering([noise]) == [noise])
        let kept = try rendering([noise]) { $0.keepsLatency = true }
        #expect(kept == [Array(repeating: 0, count: 300) + noise.dropLast(300)])
    }

    // in ─┬─ late(100) ─ a
    //     └─ late(700) ─ b
    @Test("each output is trimmed by its own latency")
    func ownLatencies() throws {
        let noise = whiteNoise(frames: 2000)
        let rendering = try Rendering(
            """
            "inputs": { "in": {} },
            "outputs": { "a": { "from": "early", "limiter": false }, "b": { "from": "late", "limiter": false } },
            "nodes": [
                { "id": "early", "type": "late", "settings": { "frames": 100 }, "from": "in" },
                { "id": "late", "type": "late", "settings": { "frames": 700 }, "from": "in" }
            ]
            """)
        var request = try rendering.request([noise])
        request.outputs = ["b", "a"].map { .init($0, rendering.folder.file("\($0).wav")) }
        #expect(try rendering.outputs(request) == [[noise], [noise]])
    }

    @Test("the output is as long as the longest input and the tail, or as requested")
    func lengths() throws {
        let rendering = try Rendering(
            """
            "inputs": { "in": {}, "other": {} }, "outputs": { "out": { "limiter": false } },
            "nodes": [{ "id": "g", "type": "gain", "from": "in" }]
            """)
        let other = try rendering.write([whiteNoise(frames: 7000, seed: 2)], to: "other.wav")
        let noise = whiteNoise(frames: 5000)
        func length(_ adjust: (inout RenderRequest) -> Void) throws -> Int {
            try rendering([noise]) {
                $0.inputs.append(.init("other", other))
                adjust(&$0)
            }[0].count
        }
        #expect(try length { _ in } == 7000)
        #expect(try length { $0.tailSeconds = 0.5 } == 31_000)
        #expect(try length { $0.lengthSeconds = 0.001 } == 48)
        #expect(try length { $0.lengthSeconds = 0 } == 0)
        #expect(try length { $0.lengthSeconds = 1 } == 48_000)
        #expect(
            try rendering([noise]) { $0.tailSeconds = 0.1 } == [
                noise + Array(repeating: 0, count: 4800)
            ])
    }

    @Test("inputs and outputs are assigned by name; an input without a file is silent")
    func severalSignals() throws {
        let rendering = try Rendering(
            """
            "inputs": { "mono": {}, "pair": { "channels": 2 }, "silent": {} },
            "outputs": {
                "left": { "from": "pair:1", "limiter": false }, "all": { "channels": 4, "from": "sum", "limiter": false }
            },
            "nodes": [{ "id": "sum", "type": "gain", "from": ["pair", "silent", "mono"] }]
            """)
        let noise = (1...3).map { whiteNoise(frames: 500, seed: $0) }
        let request = RenderRequest(
            inputs: [
                .init("pair", try rendering.write([noise[0], noise[1]], to: "pair.wav")),
                .init("mono", try rendering.write([noise[2]], to: "mono.wav")),
            ],
            outputs: [
                .init("all", rendering.folder.file("all.wav")),
                .init("left", rendering.folder.file("left.wav")),
            ], sampleRate: 48_000)
        let silence = [Float](repeating: 0, count: 500)
        #expect(
            try rendering.outputs(request) == [
                [noise[0], noise[1], silence, noise[2]], [noise[0]],
            ])
    }

    @Test("a mono file feeds both channels of a stereo input")
    func monoIntoStereo() throws {
        let noise = whiteNoise(frames: 500)
        let rendering = try Rendering(
            """
            "inputs": { "in": { "channels": 2 } }, "outputs": { "out": { "channels": 2, "limiter": false } }
            """)
        #expect(try rendering([noise]) == [noise, noise])
    }

    @Test("a file with another rate is converted and keeps its duration")
    func resampled() throws {
        let rendering = try Rendering(mono)
        let tone = sineWave(1000, frames: 22_050, sampleRate: 44_100)
        let path = try rendering.write([tone], to: "slow.wav", sampleRate: 44_100)
        let result = try rendering([[0]]) { $0.inputs = [.init("in", path)] }[0]
        #expect(result.count == 24_000)
        let expected = sineWave(1000, frames: 24_000, sampleRate: 48_000)
        let error = (5000..<19_000).map { abs(result[$0] - expected[$0]) }.max() ?? 1
        #expect(error < 1e-6)
    }

    @Test(
        "a node that outputs infinity is reported, however late, and no infinity is written",
        arguments: [100, 4999])
    func nonFinite(frame: Int) throws {
        let node = """
            { "id": "x", "type": "late", "parameters": { "factor": 8 } }
            """
        let rendering = try Rendering("\(mono), \"nodes\": [\(node)]")
        var sound = whiteNoise(frames: 5000)
        sound[frame] = .greatestFiniteMagnitude
        let request = try rendering.request([sound])
        let render = try OfflineRender(rendering.pipeline, catalogue: Rendering.catalogue, request)
        try render.run()
        #expect(render.nonFiniteNodes == [0])
        let result = try SoundFileReader(path: request.outputs[0].path).readChannels()[0]
        #expect(result.allSatisfy { $0.isFinite })
        let whole = frame / 64 * 64
        #expect(result[..<whole] == sound.map { 8 * $0 }[..<whole])
    }
}
