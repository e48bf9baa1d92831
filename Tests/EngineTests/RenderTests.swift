import CRealtime
import Engine
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("Rendering")
struct RenderTests {
    private static let noise = whiteNoise(frames: 5000)

    @Test(
        "a pipeline without nodes passes every sample unchanged",
        arguments: [[1], [64], [4096], [3, 64, 1, 500]])
    func identity(blocks: [Int]) throws {
        var graph = Graph()
        graph.output(from: ["in"], hasLimiter: true)
        let playing = try Playing(graph.pipeline)
        #expect(playing.render([Self.noise], blocks: blocks) == [Self.noise])
    }

    @Test(
        "paths of different latency cancel where they meet, in any node order", arguments: 0..<24)
    func parallelPathsAreAligned(seed: Int) throws {
        //      ┌─ a (late) ─ b (late) ─┐
        // in ─┼─ c (late) ────────────┼─ sum ─ out      a + b, c, d differ in latency
        //     └─ d (×-2) ─────────────┘                  1 + 1 - 2 = 0
        var numbers = Seeded(seed)
        func frames() -> [String: Processing.SettingValue] {
            ["frames": .number(Double(Int.random(in: 0...300, using: &numbers)))]
        }
        var graph = Graph()
        graph.add("a", "late", from: ["in"], settings: frames())
        graph.add("b", "late", from: ["a"], settings: frames())
        graph.add("c", "late", from: ["in"], settings: frames())
        graph.add("d", "late", from: ["in"], values: [-2])
        graph.add("sum", "sum", from: ["b", "c", "d"])
        graph.output(from: ["sum"])
        let playing = try Playing(graph.pipeline.shuffled(using: &numbers))
        let out = playing.render([Self.noise], blocks: [64, 17])
        #expect(out[0].allSatisfy { $0 == 0 })
    }

    @Test("outputs have exactly the latency that they report", arguments: [0, 1, 63, 64, 1000])
    func latencyIsTrue(frames: Int) throws {
        var graph = Graph()
        graph.add("late", "late", from: ["in"], settings: ["frames": .number(Double(frames))])
        graph.output("late", from: ["late"])
        graph.output("dry", from: ["in"])
        let playing = try Playing(graph.pipeline)
        let impulse: [Float] = [1] + Array(repeating: 0, count: 2000)
        let out = playing.render([impulse])
        #expect(playing.schedule.plan.outputs.map(\.latencyFrames) == [frames, 0])
        #expect(out[0].firstIndex(of: 1) == frames)
        #expect(out[1] == impulse)
    }

    @Test(
        "a bypassed node passes the dry signal exactly, with the node's latency",
        arguments: [0, 1, 100, 5000])
    func bypassIsExact(frames: Int) throws {
        var graph = Graph(inputs: ["in": 2])
        graph.add(
            "fx", "late", from: ["in"], values: [0.3], isBypassed: true,
            settings: ["frames": .number(Double(frames))])
        graph.output(from: ["fx"])
        let playing = try Playing(graph.pipeline)
        let left = whiteNoise(frames: 8000, seed: 2)
        let out = playing.render([left, left.reversed()])
        #expect(Array(out[0].dropFirst(frames)) == Array(left.dropLast(frames)))
        #expect(Array(out[1].dropFirst(frames)) == Array(left.reversed().dropLast(frames)))
    }

    @Test(
        "wet and dry are mixed by their shares", arguments: [Float(0), 0.25, 0.5, 1], [0, 37])
    func mixIsExact(mix: Float, frames: Int) throws {
        var graph = Graph()
        graph.add(
            "fx", "late", from: ["in"], values: [3], mix: mix,
            settings: ["frames": .number(Double(frames))])
        graph.output(from: ["fx"])
        let out = try Playing(graph.pipeline).render([Self.noise])
        for frame in frames..<Self.noise.count {
            let sound = Self.noise[frame - frames]
            #expect(abs(out[0][frame] - sound * (3 * mix + 1 - mix)) <= 4e-7)
        }
    }

    @Test(
        "a value changes at its exact frame, for any partition into blocks",
        arguments: [[1], [64], [31, 7], [4096]])
    func changesAtTheirFrame(blocks: [Int]) throws {
        var graph = Graph()
        graph.add("fx", "late", from: ["in"])
        graph.output(from: ["fx"])
        let playing = try Playing(graph.pipeline)
        playing.set(node: 0, target: 0, 2, frame: 100)
        playing.set(node: 0, target: 0, -1, frame: 100)
        playing.set(node: 0, target: 0, 4, frame: 1001)
        let ones = [Float](repeating: 1, count: 3000)
        let out = playing.render([ones], blocks: blocks)[0]
        let expected = (0..<3000).map { Float($0 < 100 ? 1 : $0 < 1001 ? -1 : 4) }
        #expect(out == expected)
    }

    @Test(
        "any partition into blocks gives identical output while mix, bypass and values move",
        arguments: 1...20)
    func partition(seed: Int) throws {
        var graph = Graph(inputs: ["in": 2])
        graph.add("a", "late", from: ["in"], values: [0.5], settings: ["frames": .number(50)])
        graph.add("b", "late", from: ["in"], values: [2], mix: 0.5)
        graph.add("sum", "sum", from: ["a", "b"])
        graph.output(from: ["sum"], hasLimiter: true)
        let sound = [whiteNoise(frames: 20_000, seed: 3), whiteNoise(frames: 20_000, seed: 4)]
        var numbers = Seeded(seed)
        let moves = (0..<60).map { _ in UInt64.random(in: 0..<18_000, using: &numbers) }.sorted()
            .map {
                (
                    $0, Int32.random(in: -2...0, using: &numbers),
                    Float.random(in: 0...1, using: &numbers)
                )
            }
        func rendered(_ blocks: [Int]) throws -> [[UInt32]] {
            let playing = try Playing(graph.pipeline, maximumBlockFrames: 1024)
            for (index, (frame, target, value)) in moves.enumerated() {
                playing.set(node: index % 2, target: target, value, frame: frame)
            }
            return playing.render(sound, blocks: blocks).map { $0.map(\.bitPattern) }
        }
        let random = (0..<50).map { _ in Int.random(in: 1...4096, using: &numbers) }
        #expect(try rendered([64]) == rendered(random))
        #expect(try rendered([64]) == rendered([1]))
    }
}
