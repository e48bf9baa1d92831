internal import Pipelines

/// Returns the order in which nodes run: each node after all nodes that feed it, otherwise in the
/// order of the file.
///
/// - Parameter splice: A checked pipeline, which has no loops.
/// - Returns: Indices of its nodes.
func processingOrder(of splice: Splice) -> [Int] {
    var feeders = splice.pipeline.nodes.enumerated().map { index, node in
        index < splice.nodeCount ? node.feeders : []
    }
    for (end, wires) in splice.wires {
        guard case .node(let index, _) = end else { continue }
        feeders[index] += wires.compactMap { wire in
            if case .node(let source) = wire.tap.source { source } else { nil }
        }
    }
    guard let order = processingOrder(feeders: feeders) else {
        preconditionFailure("a checked pipeline has no loop")
    }
    return order
}

/// Returns the order in which nodes run, given the indices of the nodes that feed each; `nil` if
/// there is a loop.
func processingOrder(feeders: [[Int]]) -> [Int]? {
    var waitsFor = feeders.map { Set($0).count }
    var feeds = [[Int]](repeating: [], count: feeders.count)
    for (index, sources) in feeders.enumerated() {
        for feeder in Set(sources) { feeds[feeder].append(index) }
    }
    var ready = MinimumHeap(feeders.indices.filter { waitsFor[$0] == 0 })
    var order: [Int] = []
    while let next = ready.pop() {
        order.append(next)
        for fed in feeds[next] {
            waitsFor[fed] -= 1
            if waitsFor[fed] == 0 { ready.push(fed) }
        }
    }
    return order.count == feeders.count ? order : nil
}

/// Integers, of which the smallest is removed first.
private struct MinimumHeap {
    private var numbers: [Int] = []

    init(_ ascending: [Int]) { numbers = ascending }

    mutating func push(_ number: Int) {
        numbers.append(number)
        var index = numbers.count - 1
        while index > 0, numbers[index] < numbers[(index - 1) / 2] {
            numbers.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func pop() -> Int? {
        guard let least = numbers.first else { return nil }
        let last = numbers.removeLast()
        guard !numbers.isEmpty else { return least }
        numbers[0] = last
        var index = 0
        while let child = lesserChild(of: index), numbers[child] < numbers[index] {
            numbers.swapAt(index, child)
            index = child
        }
        return least
    }

    private func lesserChild(of index: Int) -> Int? {
        let left = 2 * index + 1
        let right = left + 1
        guard left < numbers.count else { return nil }
        return right < numbers.count && numbers[right] < numbers[left] ? right : left
    }
}
