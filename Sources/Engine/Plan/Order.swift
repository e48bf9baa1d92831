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

/// Values, of which the least is removed first.
struct MinimumHeap<Element: Comparable> {
    private var elements: [Element] = []

    init(_ ascending: [Element]) { elements = ascending }

    mutating func push(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func pop() -> Element? {
        guard let least = elements.first else { return nil }
        let last = elements.removeLast()
        guard !elements.isEmpty else { return least }
        elements[0] = last
        var index = 0
        while let child = lesserChild(of: index), elements[child] < elements[index] {
            elements.swapAt(index, child)
            index = child
        }
        return least
    }

    private func lesserChild(of index: Int) -> Int? {
        let left = 2 * index + 1
        let right = left + 1
        guard left < elements.count else { return nil }
        return right < elements.count && elements[right] < elements[left] ? right : left
    }
}
