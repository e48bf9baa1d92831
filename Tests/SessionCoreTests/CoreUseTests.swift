import Engine
import Pipelines
import SessionCore
import Testing

@Suite("Use of several cores")
struct CoreUseTests {
    private let stage: Stage

    init() throws {
        let song = try Stage.song(
            """
            "inputs": { "in": {} }, "outputs": { "out": {} },
            "nodes": [ { "id": "a", "type": "gain" }, { "id": "b", "type": "gain" },
                       { "id": "c", "type": "gain", "from": "in" },
                       { "id": "sum", "type": "mixer", "from": ["b", "c"] } ]
            """, name: "branches")
        stage = try Stage([song], coreCount: 2)
    }

    /// The ids of the nodes of the first task, which is the first of the longest path.
    private var first: [String] {
        let plan = stage.session.active.plan
        return plan.nodes(ofTask: 0).map { stage.session.pipeline.nodes[$0].id }
    }

    /// Plays a constant input; returns the output.
    private func play() -> [Float] { stage.play([Float](repeating: 0.5, count: 640))[0] }

    /// Reports the same load of each node for a second, as the engine does.
    private func report(_ loads: [Float]) {
        for _ in 0..<12 {
            for (node, load) in loads.enumerated() {
                stage.session.receive(.load(node: Int32(node), mean: load, worst: load))
            }
            let sum = loads.reduce(0, +)
            stage.session.receive(.totalLoad(mean: sum, worst: sum))
        }
        _ = stage.session.advance()
    }

    @Test("a plan is made again, without a sound, when the times of the nodes have changed")
    func newPlan() throws {
        let level = try #require(play().last)
        // Nodes of unknown time count as equal, so the chain is the longest path.
        #expect(first == ["a", "b"])
        let former = stage.session.active
        report([0.01, 0.01, 0.2, 0.01])
        #expect(level > 0.5)
        #expect(play().allSatisfy { $0 == level })
        #expect(first.contains("c"))
        #expect(stage.session.active !== former)
        #expect(!stage.events.contains { if case .addressesChanged = $0 { true } else { false } })
    }

    @Test("while the workers have no threads, no plan is made for several cores")
    func noWorkers() {
        _ = play()
        let planned = stage.session.active
        stage.session.useWorkers(false)
        report([0.01, 0.01, 0.2, 0.01])
        _ = play()
        #expect(stage.session.active === planned)
        stage.session.useWorkers(true)
        report([0.01, 0.01, 0.2, 0.01])
        _ = play()
        #expect(stage.session.active !== planned)
    }

    @Test("a plan is not made again for small changes, or twice within ten seconds")
    func rarely() {
        _ = play()
        report([0.01, 0.01, 0.2, 0.01])
        _ = play()
        #expect(first.contains("c"))
        let planned = stage.session.active
        for _ in 0..<8 { report([0.2, 0.2, 0.01, 0.01]) }
        #expect(stage.session.active === planned)
        for _ in 0..<3 { report([0.2, 0.2, 0.01, 0.01]) }
        _ = play()
        #expect(first.contains("a"))
        let again = stage.session.active
        for _ in 0..<12 { report([0.21, 0.19, 0.01, 0.01]) }
        #expect(stage.session.active === again)
    }
}
