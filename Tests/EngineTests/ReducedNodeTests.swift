import Engine
import Pipelines
import Processing
import Testing

@Suite("Reduced nodes")
struct ReducedNodeTests {
    private let ones = [Float](repeating: 1, count: 9_600)
    private let silence = [Float](repeating: 0, count: 9_600)

    /// A node `x` with a latency of 100 frames that doubles its input, next to a path without a node.
    private func pipeline(_ whenLate: WhenLate) -> Pipeline {
        var graph = Graph()
        graph.add("x", "late", from: ["in"], values: [2], settings: ["frames": .number(100)])
        graph.add("both", "sum", from: ["x", "in"])
        graph.output(from: ["both"])
        graph.pipeline.nodes[0].whenLate = whenLate
        return graph.pipeline
    }

    private func prepareVariants(of schedule: Schedule) throws {
        try schedule.variants.prepare(
            for: schedule.pipeline, catalogue: TestEffects.catalogue,
            format: schedule.plan.format)
    }

    /// Returns a schedule in which the node is reduced or not.
    private func switched(_ old: Schedule, _ isReduced: Bool) -> Schedule? {
        Schedule(
            switching: old.pipeline.reducing(0, isReduced), changes: [], ports: old.ports,
            after: old, hasSettled: !old.isTransition)
    }

    @Test("a paused node passes its input exactly, with the same latency, after a smooth fade")
    func paused() throws {
        let playing = try Playing(pipeline(WhenLate(isBypass: true)))
        #expect(playing.render([ones])[0].last == 3)
        let next = try #require(switched(playing.schedule, true))
        // Neither a node nor a connection fades.
        #expect(!next.isTransition && next.plan.latencyFrames == 100)
        #expect(playing.engine.exchange(next, .splice))
        let out = playing.render([ones])[0]
        #expect(zip(out, out.dropFirst()).allSatisfy { $1 <= $0 && $0 - $1 < 0.003 })
        #expect(out.last == 2)
        _ = playing.render([silence])
        let impulse = playing.render([[1] + silence.dropFirst()])[0]
        #expect(impulse.indices.filter { impulse[$0] != 0 } == [100] && impulse[100] == 2)
    }

    @Test("a bypass needs no prepared node in advance, and a new one for its return")
    func instances() throws {
        let playing = try Playing(pipeline(WhenLate(isBypass: true)))
        try prepareVariants(of: playing.schedule)
        #expect(playing.schedule.variants.count == 0)
        let next = try #require(switched(playing.schedule, true))
        // The old instance would be heard again as it was before.
        #expect(switched(next, false) == nil)
        try prepareVariants(of: next)
        #expect(next.variants.count == 1)
        let last = try #require(switched(next, false))
        #expect(last.variants.count == 0 && last.isTransition)
    }

    @Test("both versions of a node with other settings are prepared, with those of all scenes")
    func variants() throws {
        var wanted = pipeline(WhenLate(settings: ["frames": .number(10)]))
        wanted.scenes = [
            Pipeline.Scene(
                name: "far", changes: [],
                settings: [.init(node: 0, name: "frames", value: .number(200))])
        ]
        let playing = try Playing(wanted)
        try prepareVariants(of: playing.schedule)
        // 10 frames when reduced, with and without the scene, and 200 with the scene.
        #expect(playing.schedule.variants.count == 2)
        let next = try #require(switched(playing.schedule, true))
        #expect(next.plan.latencyFrames == 10)
        try prepareVariants(of: next)
        #expect(next.variants.count == 2)
    }

    @Test("a node that gives way does not ring out next to its variant")
    func tail() throws {
        for isReduction in [true, false] {
            var graph = Graph()
            graph.add("x", "decay", from: ["in"], settings: ["a": .number(0)])
            graph.output(from: ["x"])
            graph.pipeline.nodes[0].whenLate = WhenLate(settings: ["a": .number(1)])
            let start = isReduction ? graph.pipeline : graph.pipeline.reducing(0, true)
            let playing = try Playing(start)
            try prepareVariants(of: playing.schedule)
            _ = playing.render([ones])
            let next = try #require(switched(playing.schedule, isReduction))
            #expect(playing.engine.exchange(next, .splice))
            // A tenth of a second is enough for two fades.
            _ = playing.render([ones])
            var isSettled = false
            while let report = playing.engine.nextReport() {
                if case .settled = report { isSettled = true }
            }
            #expect(isSettled == isReduction)
        }
    }
}
