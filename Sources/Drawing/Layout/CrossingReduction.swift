/// Orders each column so that few links cross, by repeated barycentre sweeps and swaps of
/// neighbours.
///
/// The method is that of Sugiyama, Tagawa and Toda, "Methods for visual understanding of
/// hierarchical system structures", 1981.
struct CrossingReduction {
    private(set) var graph: LayeredGraph
    private var best: [[Int]]
    private var fewest: Int
    /// The position of each vertex in its column.
    private var order: [Int]

    private static let sweeps = 24

    init(of graph: LayeredGraph) {
        self.graph = graph
        best = graph.columns
        order = Array(repeating: 0, count: graph.vertices.count)
        fewest = 0
        number()
        fewest = crossings
        for sweep in 0..<Self.sweeps where fewest > 0 { run(sweep) }
        self.graph.columns = best
    }

    private mutating func run(_ sweep: Int) {
        let goesRight = sweep.isMultiple(of: 2)
        let columns = Array(graph.columns.indices)
        for column in goesRight ? columns : columns.reversed() {
            sort(column, byLeft: goesRight)
        }
        for column in columns { swapNeighbours(column) }
        let count = crossings
        if count < fewest { (fewest, best) = (count, graph.columns) }
    }

    private mutating func number() {
        for column in graph.columns.indices { number(column) }
    }

    private mutating func number(_ column: Int) {
        for (index, vertex) in graph.columns[column].enumerated() { order[vertex] = index }
    }

    /// Sorts by the mean position of linked vertices; a vertex without links keeps its position.
    private mutating func sort(_ column: Int, byLeft: Bool) {
        let keys = graph.columns[column].map { vertex in
            (vertex: vertex, key: barycentre(of: vertex, byLeft: byLeft) ?? Double(order[vertex]))
        }
        let sorted = keys.sorted { ($0.key, order[$0.vertex]) < ($1.key, order[$1.vertex]) }
        graph.columns[column] = sorted.map(\.vertex)
        number(column)
    }

    private func barycentre(of vertex: Int, byLeft: Bool) -> Double? {
        let segments = byLeft ? graph.leftSegments[vertex] : graph.rightSegments[vertex]
        guard !segments.isEmpty else { return nil }
        let sum = segments.reduce(0.0) { sum, index in
            sum + (byLeft ? start(index) : end(index))
        }
        return sum / Double(segments.count)
    }

    /// Returns the height of a segment's start, in positions.
    private func start(_ index: Int) -> Double {
        let segment = graph.segments[index]
        let height = graph.vertices[segment.source].height
        return Double(order[segment.source]) + graph.outletOffset(segment) / height
    }

    /// Returns the height of a segment's end, in positions.
    private func end(_ index: Int) -> Double {
        let segment = graph.segments[index]
        let height = graph.vertices[segment.destination].height
        return Double(order[segment.destination]) + graph.inletOffset(segment) / height
    }

    /// Swaps neighbours if that reduces the number of crossings.
    private mutating func swapNeighbours(_ column: Int) {
        guard graph.columns[column].count > 1 else { return }
        for index in 0..<graph.columns[column].count - 1 {
            let upper = graph.columns[column][index]
            let lower = graph.columns[column][index + 1]
            if crossings(upper, lower) > crossings(lower, upper) {
                graph.columns[column].swapAt(index, index + 1)
                number(column)
            }
        }
    }

    /// Returns the number of crossings between the links of two vertices, with the first above the
    /// second.
    private func crossings(_ upper: Int, _ lower: Int) -> Int {
        let left = inversions(
            graph.leftSegments[upper].map(start), graph.leftSegments[lower].map(start))
        let right = inversions(
            graph.rightSegments[upper].map(end), graph.rightSegments[lower].map(end))
        return left + right
    }

    private func inversions(_ upper: [Double], _ lower: [Double]) -> Int {
        upper.reduce(0) { sum, one in sum + lower.count { $0 < one } }
    }

    /// The total number of crossings.
    private var crossings: Int {
        graph.columns.reduce(0) { sum, column in
            let ends = column.flatMap { graph.rightSegments[$0] }.map { (start($0), end($0)) }
            return sum
                + ends.indices.reduce(0) { count, first in
                    count
                        + ends[..<first].count { other in
                            (other.0 - ends[first].0) * (other.1 - ends[first].1) < 0
                        }
                }
        }
    }
}
