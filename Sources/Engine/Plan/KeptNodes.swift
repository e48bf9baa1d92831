/// Decides which nodes stay in a splice.
///
/// A node stays unless its old and new wires, together with those of other nodes that stay, would
/// form a loop. Of the nodes of a loop, the first in the order of the new pipeline stay.
package struct KeptNodes {
    /// The sources of each node of both pipelines: first the new nodes, then the old ones.
    private let sources: [[Int]]
    private let newCount: Int
    /// For each new node, the index of the old node that can continue as it.
    private let candidates: [Int?]
    /// The number of wires that were followed so far.
    package private(set) var stepCount = 0

    /// The wires that are followed to decide about one loop, as a multiple of its nodes and wires;
    /// the remaining nodes of a larger loop are replaced.
    package static let maximumPasses = 256

    /// Creates the decision.
    ///
    /// - Parameters:
    ///   - feeders: The indices of the nodes that feed each new node.
    ///   - formerFeeders: The same for each old node.
    ///   - candidates: For each new node, the index of the old node that can continue as it; each
    ///     old node occurs once.
    package init(feeders: [[Int]], formerFeeders: [[Int]], candidates: [Int?]) {
        newCount = feeders.count
        let offset = feeders.count
        sources = feeders + formerFeeders.map { $0.map { $0 + offset } }
        self.candidates = candidates
    }

    /// Returns for each new node the index of the old node that continues as it; `nil` if none does.
    package mutating func decide() -> [Int?] {
        var kept = candidates
        for loop in loops() {
            var part = LoopPart(of: loop, sources, candidates, newCount: newCount)
            for replaced in part.replacedNodes() { kept[replaced] = nil }
            stepCount += part.stepCount
        }
        return kept
    }

    /// Returns the nodes of each loop that forms if all candidates stay.
    private mutating func loops() -> [[Int]] {
        // An old node that stays is the same node as the new one.
        var merged = Array(sources.indices)
        for (index, former) in candidates.enumerated() {
            if let former { merged[newCount + former] = index }
        }
        var joined = [[Int]](repeating: [], count: sources.count)
        for (index, feeders) in sources.enumerated() {
            joined[merged[index]] += feeders.map { merged[$0] }
            stepCount += feeders.count
        }
        return connectedComponents(of: joined)
    }
}

/// The nodes of one loop, with the numbers 0, 1, … in the loop.
private struct LoopPart {
    private var sources: [[Int]]
    /// The new nodes with a candidate, in the order of the file: their indices in the pipeline, and
    /// the numbers of the new and the old node.
    private var pairs: [(index: Int, new: Int, old: Int)] = []
    private(set) var stepCount = 0
    private let size: Int

    init(of loop: [Int], _ all: [[Int]], _ candidates: [Int?], newCount: Int) {
        var numbers: [Int: Int] = [:]
        for index in loop.sorted() {
            numbers[index] = numbers.count
            guard index < newCount, let former = candidates[index] else { continue }
            let old = numbers.count
            numbers[newCount + former] = old
            pairs.append((index, old - 1, old))
        }
        sources = Array(repeating: [], count: numbers.count)
        for (index, number) in numbers {
            sources[number] = all[index].compactMap { numbers[$0] }
        }
        size = sources.reduce(sources.count) { $0 + $1.count }
    }

    /// Returns the indices of the new nodes that do not continue old ones.
    mutating func replacedNodes() -> [Int] {
        var kept: [(index: Int, new: Int, old: Int)] = []
        var replaced: [Int] = []
        var rest = pairs[...]
        // Fewer nodes never form more loops, so the first node that closes one is found by halving.
        while !rest.isEmpty {
            guard stepCount < KeptNodes.maximumPasses * size else {
                return replaced + rest.map(\.index)
            }
            var (low, high) = (0, rest.count)
            while low < high {
                let middle = (low + high + 1) / 2
                if hasOrder(kept + rest.prefix(middle)) { low = middle } else { high = middle - 1 }
            }
            kept += rest.prefix(low)
            rest = rest.dropFirst(low)
            if let closing = rest.popFirst() { replaced.append(closing.index) }
        }
        return replaced
    }

    /// Returns whether there is no loop if some nodes stay.
    private mutating func hasOrder(_ kept: [(index: Int, new: Int, old: Int)]) -> Bool {
        stepCount += size
        var merged = Array(sources.indices)
        for pair in kept { merged[pair.old] = pair.new }
        var waits = [Int](repeating: 0, count: sources.count)
        var feeds = [[Int]](repeating: [], count: sources.count)
        for (number, feeders) in sources.enumerated() {
            waits[merged[number]] += feeders.count
            for feeder in feeders { feeds[merged[feeder]].append(merged[number]) }
        }
        var ready = waits.indices.filter { waits[$0] == 0 }
        var count = 0
        while let next = ready.popLast() {
            count += 1
            for fed in feeds[next] {
                waits[fed] -= 1
                if waits[fed] == 0 { ready.append(fed) }
            }
        }
        return count == sources.count
    }
}

/// Returns the strongly connected components of a graph that have more than one node, or one that
/// feeds itself.
///
/// This is the algorithm of R. Tarjan, "Depth-first search and linear graph algorithms", SIAM
/// Journal on Computing 1 (1972), with a stack of its own.
///
/// - Parameter sources: The indices of the nodes that feed each node.
/// - Returns: The indices of the nodes of each component.
package func connectedComponents(of sources: [[Int]]) -> [[Int]] {
    var numbers = [Int](repeating: -1, count: sources.count)
    var lowest = numbers
    var isOpen = [Bool](repeating: false, count: sources.count)
    var open: [Int] = []
    var components: [[Int]] = []
    var next = 0
    var visits: [(node: Int, edge: Int)] = []
    for root in sources.indices where numbers[root] < 0 {
        visits.append((root, 0))
        while let visit = visits.popLast() {
            let node = visit.node
            if visit.edge == 0 {
                (numbers[node], lowest[node]) = (next, next)
                next += 1
                open.append(node)
                isOpen[node] = true
            } else {
                lowest[node] = min(lowest[node], lowest[sources[node][visit.edge - 1]])
            }
            var edge = visit.edge
            while edge < sources[node].count, numbers[sources[node][edge]] >= 0 {
                let source = sources[node][edge]
                if isOpen[source] { lowest[node] = min(lowest[node], numbers[source]) }
                edge += 1
            }
            if edge < sources[node].count {
                visits.append((node, edge + 1))
                visits.append((sources[node][edge], 0))
            } else if lowest[node] == numbers[node] {
                // One by one: a slice would have the whole stack copied for each component.
                var component: [Int] = []
                while let member = open.popLast() {
                    component.append(member)
                    isOpen[member] = false
                    if member == node { break }
                }
                if component.count > 1 || sources[node].contains(node) {
                    components.append(component)
                }
            }
        }
    }
    return components
}
