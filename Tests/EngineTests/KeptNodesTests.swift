import CRealtime
import Engine
import Glibc
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

    /// The change of a chain.
    enum Change: CaseIterable {
        /// A node is added at the end of the chain; it is the first one or the last one of the file.
        case addFirst, addLast
        /// Such a node is removed.
        case removeFirst, removeLast
        /// Nodes change places in pairs, or the first one moves to the end.
        case swap, move
        /// The nodes are in reverse order.
        case reverse
    }

    /// Returns the number of steps for a change of a chain with a number of nodes.
    private func steps(_ change: Change, _ count: Int) -> Double {
        let same = Array(0..<count)
        let (short, long) = (chain(same), chain(same + [count]))
        // The numbers in a file whose first node is the end of the chain.
        let turned = chain(Array(1...count) + [0])
        let candidates = same.map(Optional.some)
        let decision =
            switch change {
            case .addFirst: (turned, short, [nil] + candidates)
            case .addLast: (long, short, candidates + [nil])
            case .removeFirst: (short, turned, (1...count).map(Optional.some))
            case .removeLast: (short, long, candidates)
            case .swap: (chain(same.map { $0 ^ 1 }), short, candidates)
            case .move: (short, chain([count - 1] + same.dropLast()), candidates)
            case .reverse: (chain(same.reversed()), short, candidates)
            }
        var kept = KeptNodes(
            feeders: decision.0, formerFeeders: decision.1, candidates: decision.2)
        _ = kept.decide()
        return Double(kept.stepCount)
    }

    @Test("the steps grow at most like n log n", arguments: Change.allCases)
    func growth(change: Change) {
        // The limit of the passes ends the search in a reversed chain of more than 40 nodes.
        let sizes = change == .reverse ? [100, 1_000, 4_000] : [10, 100, 1_000, 4_000]
        let counts = sizes.map { steps(change, $0) }
        for (index, size) in sizes.enumerated().dropFirst() {
            let (small, large) = (Double(sizes[0]), Double(size))
            let allowed = large * log(large) / (small * log(small))
            #expect(counts[index] / counts[0] <= allowed, "\(counts)")
        }
    }

    @Test("a splice of 40,000 nodes in series does not copy the search's stack for each node")
    func copies() {
        // Larger blocks are mapped, so that each copy has page faults, which the system counts.
        rt_return_memory(1 << 17)
        let (count, thisThread) = (40_000, Int32(1))
        let sources = (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }
        var (before, after) = (rusage(), rusage())
        getrusage(thisThread, &before)
        #expect(connectedComponents(of: sources).isEmpty)
        getrusage(thisThread, &after)
        #expect(after.ru_minflt - before.ru_minflt < count / 4)
    }

    @Test("an inserted node stays apart from all others", arguments: [10, 100, 4_000])
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
