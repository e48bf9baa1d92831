internal import Pipelines

/// The order in which nodes run: each after all that feed it, and otherwise as they stand in the
/// file.
///
/// - Parameter pipeline: A checked pipeline, so without loops.
/// - Returns: Places in `pipeline.nodes`.
func processingOrder(of pipeline: Pipeline) -> [Int] {
    var waitsFor = pipeline.nodes.map { Set($0.feeders).count }
    var feeds = [[Int]](repeating: [], count: pipeline.nodes.count)
    for (place, node) in pipeline.nodes.enumerated() {
        for feeder in Set(node.feeders) { feeds[feeder].append(place) }
    }
    var ready = MinimumHeap(pipeline.nodes.indices.filter { waitsFor[$0] == 0 })
    var order: [Int] = []
    while let next = ready.pop() {
        order.append(next)
        for fed in feeds[next] {
            waitsFor[fed] -= 1
            if waitsFor[fed] == 0 { ready.push(fed) }
        }
    }
    precondition(order.count == pipeline.nodes.count, "a checked pipeline has no loop")
    return order
}

extension Pipeline.Node {
    /// Places of the nodes that feed it.
    fileprivate var feeders: [Int] {
        instances.joined().compactMap { tap in
            if case .node(let place)? = tap?.source { place } else { nil }
        }
    }
}

/// Whole numbers, of which the least comes out first.
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
