import OfflineHost
import Testing

@Suite("Benchmark")
struct OfflineBenchTests {
    @Test("percentiles are exact: the nearest rank of the sorted blocks")
    func percentiles() {
        let cost = Cost(ofBlocks: (1...2000).map { Double($0) * 64 }.shuffled(), blockFrames: 64)
        #expect(cost.medianNanoseconds == 1000)
        #expect(cost.p999Nanoseconds == 1998)
        #expect(cost.worstNanoseconds == 2000)
        #expect(abs(cost.meanNanoseconds - 1000.5) < 1e-9)
        let one = Cost(ofBlocks: [64], blockFrames: 32)
        #expect([one.medianNanoseconds, one.p999Nanoseconds, one.worstNanoseconds] == [2, 2, 2])
    }

    @Test("each node has a cost, with the median below the worst, and the total is higher")
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
            // The sum of equal parts may be rounded up.
            #expect(cost.meanNanoseconds <= cost.worstNanoseconds * (1 + 1e-9))
        }
        let nodes = result.nodes.map(\.medianNanoseconds).reduce(0, +)
        #expect(result.total.medianNanoseconds > nodes * 0.9)
    }
}
