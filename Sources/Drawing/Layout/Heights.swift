/// Calculates the vertical position of each vertex, so that links are as horizontal as the
/// neighbours above and below allow.
struct Heights {
    /// The upper edge of each vertex, in pixels, from 0.
    private(set) var tops: [Double]
    private let graph: LayeredGraph

    private static let rounds = 16
    private static let boxGap = 34.0
    private static let bendGap = 16.0
    /// The weight of the inner segments of long links, so that these links are straight; other
    /// segments have a weight of 1.
    private static let innerWeight = 8.0

    init(of graph: LayeredGraph) {
        self.graph = graph
        tops = Array(repeating: 0, count: graph.vertices.count)
        for column in graph.columns { place(column, wishes: column.map { _ in (0, 1) }) }
        for round in 0..<Self.rounds { sweep(goesRight: round.isMultiple(of: 2)) }
        let highest = tops.min() ?? 0
        tops = tops.map { $0 - highest }
    }

    private mutating func sweep(goesRight: Bool) {
        for column in goesRight ? graph.columns : graph.columns.reversed() {
            place(column, wishes: column.map { wish(of: $0, byLeft: goesRight) })
        }
    }

    /// Returns the desired position of a vertex, and its weight.
    private func wish(of vertex: Int, byLeft: Bool) -> (top: Double, weight: Double) {
        let segments = byLeft ? graph.leftSegments[vertex] : graph.rightSegments[vertex]
        guard !segments.isEmpty else { return (tops[vertex], 0.1) }
        var sum = 0.0
        var weights = 0.0
        for segment in segments.map({ graph.segments[$0] }) {
            let weight = graph.isInner(segment) ? Self.innerWeight : 1
            sum += weight * levelTop(of: vertex, segment)
            weights += weight
        }
        return (sum / weights, weights)
    }

    /// Returns the upper edge of the vertex at which the segment is horizontal.
    private func levelTop(of vertex: Int, _ segment: LayeredGraph.Segment) -> Double {
        let drop = graph.outletOffset(segment) - graph.inletOffset(segment)
        return vertex == segment.destination
            ? tops[segment.source] + drop : tops[segment.destination] - drop
    }

    /// Places a column with the minimum weighted sum of squared distances to the desired positions,
    /// keeping order and gaps.
    private mutating func place(_ column: [Int], wishes: [(top: Double, weight: Double)]) {
        var offset = 0.0
        var offsets: [Double] = []
        for (place, vertex) in column.enumerated() {
            if place > 0 { offset += distance(column[place - 1], vertex) }
            offsets.append(offset)
        }
        let wanted = zip(wishes, offsets).map { ($0.top - $1, $0.weight) }
        for (vertex, top) in zip(column, zip(Monotone.fit(wanted), offsets).map(+)) {
            tops[vertex] = top
        }
    }

    private func distance(_ upper: Int, _ lower: Int) -> Double {
        let bothBends = graph.vertices[upper].box == nil && graph.vertices[lower].box == nil
        return graph.vertices[upper].height + (bothBends ? Self.bendGap : Self.boxGap)
    }
}
