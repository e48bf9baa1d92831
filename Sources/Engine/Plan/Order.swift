internal import Pipelines

/// Returns the order in which nodes run: each node after all nodes that feed it, otherwise in the
/// order of the file.
///
/// - Parameter splice: A checked pipeline, which has no loops.
/// - Returns: Indices of its nodes.
func processingOrder(of splice: Splice) -> [Int] {
    var feeders = splice.pipeline.nodes.enumerated().map { place, node in
        place < splice.nodeCount ? node.feeders : []
    }
    for (end, wires) in splice.wires {
        guard case .node(let place, _) = end else { continue }
        feeders[place] += wires.compactMap { wire in
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
    for (place, sources) in feeders.enumerated() {
        for feeder in Set(sources) { feeds[feeder].append(place) }
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
        var place = numbers.count - 1
        while place > 0, numbers[place] < numbers[(place - 1) / 2] {
            numbers.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func pop() -> Int? {
        guard let least = numbers.first else { return nil }
        let last = numbers.removeLast()
        guard !numbers.isEmpty else { return least }
        numbers[0] = last
        var place = 0
        while let child = lesserChild(of: place), numbers[child] < numbers[place] {
            numbers.swapAt(place, child)
            place = child
        }
        return least
    }

    private func lesserChild(of place: Int) -> Int? {
        let left = 2 * place + 1
        let right = left + 1
        guard left < numbers.count else { return nil }
        return right < numbers.count && numbers[right] < numbers[left] ? right : left
    }
}
