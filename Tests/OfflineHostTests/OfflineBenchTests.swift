import OfflineHost
import Testing

@Suite("Benchmark")
struct OfflineBenchTests {
    @Test("each node has a cost, ordered from median to worst, and all together cost more")
    func costs() throws {
        let rendering = try Rendering(
            """
            "inputs": { "in": {} }, "outputs": { "out": {} },
            "nodes": [{ "id": "a", "type": "gain" }, { "id": "b", "type": "late", "settings": { "frames": 9 } }]
            """)
        var request = OfflineBench.Request()
        request.seconds = 0.1
        request.changes = [try rendering.change("a.gain", "-6", at: 0.05)]
        let result = try OfflineBench(
            rendering.pipeline, catalogue: Rendering.catalogue, request
        ).run()
        #expect(result.nodes.count == 2)
        for cost in result.nodes + [result.total] {
            #expect(cost.medianNanoseconds > 0)
            #expect(cost.meanNanoseconds > 0)
            #expect(cost.medianNanoseconds <= cost.p999Nanoseconds)
            #expect(cost.p999Nanoseconds <= cost.worstNanoseconds)
            #expect(cost.meanNanoseconds <= cost.worstNanoseconds)
        }
        let nodes = result.nodes.map(\.medianNanoseconds).reduce(0, +)
        #expect(result.total.medianNanoseconds > nodes * 0.9)
    }
}
