/// The positions of the columns, and the space between them.
struct ColumnPlaces {
    private(set) var lefts: [Double] = []
    private(set) var widths: [Double]
    /// The width of the zone to the right of each column in which links swing up or down; the
    /// labels of the next column follow it.
    private(set) var swings: [Double]
    private let columnOfVertex: [Int]

    private static let narrowestSwing = 46.0
    private static let widestSwing = 170.0
    /// The additional width of a swing per pixel of height.
    private static let swingSlope = 0.3
    private static let labelMargin = 14.0

    init(of graph: LayeredGraph, heights: Heights, request: LayoutRequest) {
        var columnOfVertex = Array(repeating: 0, count: graph.vertices.count)
        for (column, vertices) in graph.columns.enumerated() {
            for vertex in vertices { columnOfVertex[vertex] = column }
        }
        self.columnOfVertex = columnOfVertex
        widths = graph.columns.map { vertices in
            vertices.compactMap { graph.vertices[$0].box }.map { request.boxes[$0].width }.max()
                ?? 0
        }
        var swings = graph.columns.map { _ in Self.narrowestSwing }
        for segment in graph.segments {
            let from = heights.tops[segment.source] + graph.outletOffset(segment)
            let to = heights.tops[segment.destination] + graph.inletOffset(segment)
            let wanted = min(Self.widestSwing, abs(to - from) * Self.swingSlope)
            let column = columnOfVertex[segment.source]
            swings[column] = max(swings[column], wanted)
        }
        self.swings = swings
        placeColumns(labels: Self.labelWidths(graph, request, columnOfVertex))
    }

    /// Returns the column of a vertex.
    func column(of vertex: Int) -> Int { columnOfVertex[vertex] }

    /// The total width, from the left edge of the first column to the right edge of the last one.
    var width: Double { (lefts.last ?? 0) + (widths.last ?? 0) }

    /// Returns the widest label before each column.
    private static func labelWidths(
        _ graph: LayeredGraph, _ request: LayoutRequest, _ columns: [Int]
    ) -> [Double] {
        var labels = graph.columns.map { _ in 0.0 }
        for (link, segments) in zip(request.links, graph.linkSegments) {
            guard let last = segments.last else { continue }
            let column = columns[graph.segments[last].destination]
            labels[column] = max(labels[column], link.labelWidth)
        }
        return labels
    }

    private mutating func placeColumns(labels: [Double]) {
        var left = 0.0
        for column in widths.indices {
            if column > 0 { left += swings[column - 1] + labels[column] + Self.labelMargin }
            lefts.append(left)
            left += widths[column]
        }
    }
}
