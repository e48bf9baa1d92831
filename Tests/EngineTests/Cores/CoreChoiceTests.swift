import Engine
import Pipelines
import Processing
import Testing

@Suite("The choice of the number of cores")
struct CoreChoiceTests {
    /// The duration of 64 frames at 48 kHz, in ns.
    private static let period = 64 / 48_000 * 1e9

    /// Returns a plan of branches that meet in an output, or of one chain.
    private func plan(branches: Int, isChain: Bool = false, costs: [Double] = []) -> Plan {
        var graph = Graph()
        for branch in 0..<branches {
            graph.add(
                "n\(branch)", "late", from: [isChain && branch > 0 ? "n\(branch - 1)" : "in"])
        }
        graph.output(from: isChain ? ["n\(branches - 1)"] : (0..<branches).map { "n\($0)" })
        return Plan(
            graph.pipeline, latencies: Array(repeating: 0, count: branches),
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64, coreCount: 4),
            costs: costs)
    }

    private func count(
        _ plan: Plan, load: Double, available: Int = 4, current: Int = 1
    ) -> Int {
        let nodes = plan.nodes.map { _ in load * Self.period / Double(plan.nodes.count) }
        return CoreChoice.coreCount(
            for: plan, nodes: nodes, periodNanoseconds: Self.period, available: available,
            current: current)
    }

    @Test("a pipeline below a third of the period stays on one core")
    func lightPipeline() {
        #expect(count(plan(branches: 8), load: 0.3) == 1)
        #expect(count(plan(branches: 8), load: 0.4) > 1)
    }

    @Test("a chain stays on one core, whatever its load")
    func chain() { #expect(count(plan(branches: 8, isChain: true), load: 0.9) == 1) }

    @Test("no more cores than available, and than branches, are used")
    func limits() {
        #expect(count(plan(branches: 8), load: 0.9, available: 1) == 1)
        #expect(count(plan(branches: 8), load: 0.9, available: 2) == 2)
        #expect(count(plan(branches: 2), load: 0.9, available: 16) == 2)
    }

    @Test("a small change of the load does not switch back")
    func hysteresis() {
        #expect(count(plan(branches: 8), load: 0.32, current: 1) == 1)
        #expect(count(plan(branches: 8), load: 0.32, current: 4) > 1)
        #expect(count(plan(branches: 8), load: 0.25, current: 4) == 1)
    }

    @Test("a plan is outdated if the shares of its nodes differ by more than a quarter")
    func outdatedPlans() {
        let unknown = plan(branches: 2)
        #expect(!unknown.isOutdated(forNodes: [2000, 2000]))
        #expect(unknown.isOutdated(forNodes: [2000, 1000]))
        // Light nodes could run in one task.
        #expect(unknown.isOutdated(forNodes: [200, 200]))
        let known = plan(branches: 2, costs: [2000, 1000])
        #expect(!known.isOutdated(forNodes: [2000, 1000]))
        #expect(!known.isOutdated(forNodes: [4000, 2000]))
        #expect(!known.isOutdated(forNodes: [2300, 1300]))
        #expect(known.isOutdated(forNodes: [1000, 2000]))
        #expect(known.isOutdated(forNodes: [5000, 1000]))
        let chain = plan(branches: 4, isChain: true)
        #expect(!chain.isOutdated(forNodes: [2000, 2000, 2000, 2000]))
    }

    @Test("the cost of waking workers in the middle of a cycle can outweigh the gain")
    func wakingCosts() {
        var graph = Graph()
        graph.add("head", "late", from: ["in"])
        for branch in 0..<4 { graph.add("n\(branch)", "late", from: ["head"]) }
        graph.output(from: (0..<4).map { "n\($0)" })
        let plan = Plan(
            graph.pipeline, latencies: Array(repeating: 0, count: 5),
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64, coreCount: 4))
        // The workers sleep when the head ends, after half a period.
        let nodes: [Double] = [20_000, 3000, 3000, 3000, 3000]
        let counts = [TaskGraph.HandOver(), .none].map {
            CoreChoice.coreCount(
                for: plan, nodes: nodes, periodNanoseconds: 40_000, available: 4, current: 1,
                handOver: $0)
        }
        #expect(counts == [1, 4])
    }

    @Test("workers that are awake when the cycle begins need not be woken")
    func awakeWorkers() {
        let plan = plan(branches: 4)
        #expect(
            CoreChoice.coreCount(
                for: plan, nodes: [2000, 2000, 2000, 2000], periodNanoseconds: 10_000,
                available: 4, current: 1) == 4)
    }
}
