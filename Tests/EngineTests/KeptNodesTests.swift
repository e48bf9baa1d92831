import Engine
import Testing

@Suite("Which nodes stay in a splice")
struct KeptNodesTests {
    /// Nodes in series in an order, as the feeders of each node.
    private func chain(_ order: [Int]) -> [[Int]] {
        var feeders = [[Int]](repeating: [], count: order.count)
        for (source, node) in zip(order, order.dropFirst()) { feeders[node] = [source] }
        return feeders
    }

    /// Decides as the rule says: node by node, each unless it closes a loop.
    private func oneByOne(_ new: [[Int]], _ old: [[Int]], _ candidates: [Int?]) -> [Int?] {
        var kept = [Int?](repeating: nil, count: new.count)
        for (index, former) in candidates.enumerated() {
            kept[index] = former
            var merged = Array(0..<new.count + old.count)
            for case let (index, former?) in kept.enumerated() {
                merged[new.count + former] = index
            }
            var sources = [[Int]](repeating: [], count: merged.count)
            for (node, feeders) in (new + old.map { $0.map { $0 + new.count } }).enumerated() {
                sources[merged[node]] += feeders.map { merged[$0] }
            }
            if !connectedComponents(of: sources).isEmpty { kept[index] = nil }
        }
        return kept
    }

    @Test("the choice is the same as node by node", arguments: 1...200)
    func sameChoice(seed: Int) {
        var numbers = Seeded(seed)
        func graph(_ count: Int) -> [[Int]] {
            let order = Array(0..<count).shuffled(using: &numbers)
            var feeders = [[Int]](repeating: [], count: count)
            for position in order.indices {
                for _ in 0..<Int.random(in: 0...2, using: &numbers) where position > 0 {
                    feeders[order[position]].append(
                        order[Int.random(in: 0..<position, using: &numbers)])
                }
            }
            return feeders
        }
        let (new, old) = (graph(9), graph(8))
        let former = Array(0..<8).shuffled(using: &numbers).map(Optional.some) + [nil]
        var decision = KeptNodes(feeders: new, formerFeeders: old, candidates: former)
        #expect(decision.decide() == oneByOne(new, old, former))
    }

    @Test("an inserted node takes steps in proportion to the nodes", arguments: [10, 100, 4_000])
    func insertion(count: Int) {
        // The new node is the last one of the list, and feeds the former last node.
        let new = chain(Array(0..<count - 1) + [count, count - 1])
        var decision = KeptNodes(
            feeders: new, formerFeeders: chain(Array(0..<count)),
            candidates: (0..<count).map { $0 } + [nil])
        #expect(decision.decide() == (0..<count).map { $0 } + [nil])
        #expect(decision.stepCount <= 4 * count)
    }

    @Test("a node that moves from the first to the last place is the only one that is replaced")
    func move() {
        let count = 4_000
        let new = chain(Array(0..<count))
        let old = chain([count - 1] + Array(0..<count - 1))
        var decision = KeptNodes(
            feeders: new, formerFeeders: old, candidates: (0..<count).map { $0 })
        #expect(decision.decide() == (0..<count - 1).map { $0 } + [nil])
        #expect(decision.stepCount <= 60 * count)
    }

    @Test("many pairs that change places are decided one by one")
    func pairs() {
        let count = 4_000
        let swapped = (0..<count).map { $0 ^ 1 }
        var decision = KeptNodes(
            feeders: chain(swapped), formerFeeders: chain(Array(0..<count)),
            candidates: (0..<count).map { $0 })
        #expect(decision.decide() == (0..<count).map { $0 % 2 == 0 ? $0 : nil })
        #expect(decision.stepCount <= 40 * count)
    }

    @Test("a reversed chain takes a limited number of steps", arguments: [10, 100, 4_000])
    func reversal(count: Int) {
        var decision = KeptNodes(
            feeders: chain(Array((0..<count).reversed())), formerFeeders: chain(Array(0..<count)),
            candidates: (0..<count).map { $0 })
        #expect(decision.decide() == [0] + [Int?](repeating: nil, count: count - 1))
        #expect(decision.stepCount <= 4 * (KeptNodes.maximumPasses + 16) * count)
    }
}
