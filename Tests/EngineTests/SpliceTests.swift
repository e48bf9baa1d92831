import CRealtime
import Engine
import Pipelines
import Processing
import TestSignals
import Testing

@Suite("One pipeline in the place of another")
struct SpliceTests {
    private let rate = 48_000.0
    private let ones = [Float](repeating: 1, count: 9_600)

    /// The nodes one behind the other: in - a - b - … - out.
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

    @Test("where nothing changes the sound stays the same to the bit")
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

    @Test("a node between two others fades in, and what stands around it keeps its state")
    func insertion() throws {
        let playing = try Playing(chain([("a", "late", 1, 0), ("z", "late", 1, 0)]))
        #expect(playing.render([ones])[0] == ones)
        try playing.splice(
            chain([("a", "late", 1, 0), ("m", "late", 0.5, 0), ("z", "late", 1, 0)]))
        let out = playing.render([ones])[0]
        #expect(zip(out, out.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.002 })
        #expect(out[0] > 0.99 && out[3000...].allSatisfy { $0 == 0.5 })
    }

    @Test("a late node is heard only once it has sounded through, and nothing dips until then")
    func warmUp() throws {
        let playing = try Playing(chain([("a", "late", 1, 0)]))
        _ = playing.render([ones])
        try playing.splice(chain([("a", "late", 1, 0), ("late", "late", 1, 1000)]))
        let out = playing.render([ones])[0]
        #expect(out.allSatisfy { abs($0 - 1) < 1e-6 })
        #expect(playing.schedule.plan.latencyFrames == 1000)
    }

    @Test("a node that is removed rings out into the place that its output had")
    func ringsOut() throws {
        let playing = try Playing(
            chain([("a", "late", 1, 0), ("d", "decay", 1, 0), ("z", "late", 0.5, 0)]))
        _ = playing.render([ones + ones + ones])
        try playing.splice(chain([("a", "late", 1, 0), ("z", "late", 0.5, 0)]))
        let silence = [Float](repeating: 0, count: 48_000 * 2)
        let out = playing.render([silence])[0]
        // It goes on falling as it would have fallen, through what stood behind it.
        #expect(abs(out[2_000] / (0.5 * Float(rt_exp(-0.0005 * 2_000))) - 1) < 0.7)
        let ratio = out[12_000] / out[10_000]
        #expect(abs(ratio / Float(rt_exp(-0.00050012504 * 2_000)) - 1) < 0.001)
        #expect(largestStep(out) < 0.002)
        #expect(out.last == 0)
        #expect(
            playing.reports().contains { if case .settled = $0 { true } else { false } })
    }

    @Test("the tail is cut where its time is over, by a fade", arguments: [0, 0.1])
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

    @Test("two nodes that change places: one stays, the other rings out, and nothing steps")
    func swap() throws {
        let playing = try Playing(chain([("a", "late", 0.5, 0), ("b", "decay", 1, 0)]))
        _ = playing.render([ones + ones + ones])
        try playing.splice(chain([("b", "decay", 1, 0), ("a", "late", 0.5, 0)]))
        let out = playing.render([ones + ones + ones + ones])[0]
        #expect(largestStep(out) < 0.002)
        #expect(abs((out.last ?? 0) - 0.5) < 0.01)
    }

    @Test("a node that comes back while it rings goes on")
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

    @Test("once all is over, the same pipeline without what is gone sounds the same to the bit")
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
        "random edits never step, never pile up, and end with the last pipeline", arguments: 1...20)
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
            // The next edit comes once all of this one has faded.
            let frames = 3_500 + Int.random(in: 0...6_000, using: &numbers)
            let out = playing.render([[Float](repeating: 1, count: frames)], blocks: [64, 17, 1])[0]
            // Two crossfades at most meet, each of 1.5 over 1440 frames.
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

    @Test("an output that is gone fades, and a new one swells in")
    func outputs() throws {
        func pipeline(_ name: String) -> Pipeline {
            var graph = Graph()
            graph.output(name, from: ["in"])
            return graph.pipeline
        }
        let playing = try Playing(pipeline("one"))
        _ = playing.render([ones])
        var outside = playing.schedule.outside
        let fits = outside.add(pipeline("two"))
        #expect(fits)
        try playing.splice(pipeline("two"), outside: outside)
        let out = playing.render([ones])
        #expect(out.count == 2)
        #expect(zip(out[0], out[1]).allSatisfy { abs($0 + $1 - 1) < 1e-5 })
        #expect(out[0].last == 0 && out[1].last == 1)
        #expect(largestStep(out[0]) < 0.002)
    }
}
