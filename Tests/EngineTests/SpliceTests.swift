import CRealtime
import Engine
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("Replacing one pipeline by another")
struct SpliceTests {
    private let rate = 48_000.0
    private let ones = [Float](repeating: 1, count: 9_600)

    /// Returns a chain of nodes: in - a - b - … - out.
    private func chain(
        _ nodes: [(id: String, type: String, factor: Float, frames: Double)], tail: Double = 4
    ) -> Pipeline {
        var graph = Graph()
        var last = "in"
        for node in nodes {
            graph.add(
                node.id, node.type, from: [last], values: node.type == "late" ? [node.factor] : [],
                settings: node.frames > 0 ? ["frames": .number(node.frames)] : [:])
            last = node.id
        }
        graph.output(from: [last])
        graph.pipeline.tailSeconds = tail
        return graph.pipeline
    }

    private func largestStep(_ sound: [Float]) -> Float {
        zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    @Test("the sound is bit-identical if nothing changes")
    func same() throws {
        let pipeline = chain([("a", "late", 0.5, 10), ("b", "decay", 1, 0)])
        let noise = whiteNoise(frames: 9_600)
        let plain = try Playing(pipeline).render([noise + noise])[0]
        let playing = try Playing(pipeline)
        let before = playing.render([noise])[0]
        try playing.splice(pipeline)
        #expect(before + playing.render([noise])[0] == plain)
        #expect(!playing.schedule.isTransition)
    }

    @Test("a node inserted between two others fades in, and its neighbours keep their state")
    func insertion() throws {
        let playing = try Playing(chain([("a", "late", 1, 0), ("z", "late", 1, 0)]))
        #expect(playing.render([ones])[0] == ones)
        try playing.splice(
            chain([("a", "late", 1, 0), ("m", "late", 0.5, 0), ("z", "late", 1, 0)]))
        let out = playing.render([ones])[0]
        #expect(zip(out, out.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.002 })
        #expect(out[0] > 0.99 && out[3000...].allSatisfy { $0 == 0.5 })
    }

    @Test("a node with latency is heard only after its latency, without a dip until then")
    func warmUp() throws {
        let playing = try Playing(chain([("a", "late", 1, 0)]))
        _ = playing.render([ones])
        try playing.splice(chain([("a", "late", 1, 0), ("late", "late", 1, 1000)]))
        let out = playing.render([ones])[0]
        #expect(out.allSatisfy { abs($0 - 1) < 1e-6 })
        #expect(playing.schedule.plan.latencyFrames == 1000)
    }

    @Test("a removed node rings out into the position of its former output")
    func ringsOut() throws {
        let playing = try Playing(
            chain([("a", "late", 1, 0), ("d", "decay", 1, 0), ("z", "late", 0.5, 0)]))
        _ = playing.render([ones + ones + ones])
        try playing.splice(chain([("a", "late", 1, 0), ("z", "late", 0.5, 0)]))
        let silence = [Float](repeating: 0, count: 48_000 * 2)
        let out = playing.render([silence])[0]
        // The tail continues its decay through the nodes that followed it.
        for frame in [0, 1, 500, 2_000, 10_000, 12_000] {
            let expected = 0.5 * Float(rt_exp(-0.00050012504 * Double(frame + 1)))
            #expect(abs(out[frame] / expected - 1) < 0.001, "frame \(frame)")
        }
        #expect(largestStep(out) < 0.002)
        #expect(out.last == 0)
        #expect(
            playing.reports().contains { if case .settled = $0 { true } else { false } })
    }

    @Test("the tail is cut by a fade after its time limit", arguments: [0, 0.1])
    func tailTime(seconds: Double) throws {
        let playing = try Playing(
            chain([("d", "decay", 1, 0)], tail: seconds))
        _ = playing.render([ones + ones + ones])
        try playing.splice(chain([], tail: seconds))
        let out = playing.render([[Float](repeating: 0, count: 48_000)])[0]
        let end = try #require(out.lastIndex { $0 != 0 })
        #expect(end > Int(seconds * rate) && end < Int(seconds * rate) + 4_000)
        #expect(largestStep(out) < 0.002)
    }

    @Test("two nodes swap positions: one keeps its state, the other rings out, and nothing steps")
    func swap() throws {
        let playing = try Playing(chain([("a", "late", 0.5, 0), ("b", "decay", 1, 0)]))
        _ = playing.render([ones + ones + ones])
        try playing.splice(chain([("b", "decay", 1, 0), ("a", "late", 0.5, 0)]))
        let out = playing.render([ones + ones + ones + ones])[0]
        #expect(largestStep(out) < 0.002)
        #expect(abs((out.last ?? 0) - 0.5) < 0.01)
    }

    @Test("a node that returns while it rings out continues")
    func comesBack() throws {
        let with = chain([("d", "decay", 1, 0)])
        let playing = try Playing(with)
        _ = playing.render([ones + ones + ones])
        try playing.splice(chain([]))
        _ = playing.render([ones])
        try playing.splice(with)
        let out = playing.render([ones + ones + ones])[0]
        #expect(out.allSatisfy { $0 > 0.2 })
        #expect(largestStep(out) < 0.002)
    }

    @Test("after the transition, the pipeline without removed nodes gives identical output")
    func compaction() throws {
        let long = chain([("a", "late", 1, 100), ("d", "decay", 1, 0)], tail: 0.1)
        let short = chain([("a", "late", 1, 100)], tail: 0.1)
        let noise = whiteNoise(frames: 9_600)
        let playing = try Playing(long)
        _ = playing.render([noise])
        try playing.splice(short)
        _ = playing.render([noise])
        try playing.splice(short, hasSettled: true)
        let out = playing.render([noise])[0]
        #expect(Array(out[100...]) == Array(noise[..<9_500]))
        #expect(!playing.schedule.isTransition)
        #expect(playing.schedule.nodeIDs == ["a"])
    }

    @Test(
        "random edits never step or accumulate, and end with the last pipeline", arguments: 1...20)
    func randomEdits(seed: Int) throws {
        var numbers = Seeded(seed)
        let ids = ["a", "b", "c", "d"]
        func random() -> Pipeline {
            chain(
                ids.shuffled(using: &numbers).prefix(Int.random(in: 0...4, using: &numbers)).map {
                    ($0, $0 == "d" ? "decay" : "late", 1, $0 == "c" ? 500 : 0)
                }, tail: 0.3)
        }
        let playing = try Playing(random())
        _ = playing.render([ones + ones + ones])
        for _ in 0..<20 {
            try playing.splice(random())
            // The next edit starts after all fades of this one.
            let frames = 3_500 + Int.random(in: 0...6_000, using: &numbers)
            let out = playing.render([[Float](repeating: 1, count: frames)], blocks: [64, 17, 1])[0]
            // At most two crossfades overlap, each with a slope of 1.5 over 1440 frames.
            #expect(largestStep(out) < 0.004)
            #expect(out.allSatisfy { (0.0...2.6).contains($0) })
            playing.engine.collect()
        }
        _ = playing.render([ones + ones + ones + ones])
        let last = playing.schedule.pipeline
        try playing.splice(last, hasSettled: true)
        #expect(playing.schedule.nodeIDs.count == last.nodes.count)
        #expect(abs((playing.render([ones])[0].last ?? 0) - 1) < 0.01)
    }

    @Test("a removed output fades out, and a new output fades in")
    func outputs() throws {
        func pipeline(_ name: String) -> Pipeline {
            var graph = Graph()
            graph.output(name, from: ["in"])
            return graph.pipeline
        }
        let playing = try Playing(pipeline("one"))
        _ = playing.render([ones])
        var ports = playing.schedule.ports
        let fits = ports.add(pipeline("two"))
        #expect(fits)
        try playing.splice(pipeline("two"), ports: ports)
        let out = playing.render([ones])
        #expect(out.count == 2)
        #expect(zip(out[0], out[1]).allSatisfy { abs($0 + $1 - 1) < 1e-5 })
        #expect(out[0].last == 0 && out[1].last == 1)
        #expect(largestStep(out[0]) < 0.002)
    }
}
