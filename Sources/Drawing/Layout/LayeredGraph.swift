/// Boxes and bends in columns, with links that only connect adjacent columns.
struct LayeredGraph {
    var vertices: [Vertex] = []
    var segments: [Segment] = []
    /// The vertices of each column, from top to bottom.
    var columns: [[Int]] = []
    /// The segments of each link, from left to right.
    var linkSegments: [[Int]] = []
    private(set) var leftSegments: [[Int]] = []
    private(set) var rightSegments: [[Int]] = []

    /// A box, or a point where a long link passes a column.
    struct Vertex {
        /// The box, or `nil` for a bend.
        var box: Int?
        var height: Double
        var outletOffset: Double
        var inletOffsets: [Double]
    }

    /// A part of a link between adjacent columns.
    struct Segment {
        var source: Int
        var destination: Int
        var inlet: Int
    }

    /// The height that a passing link occupies in a column.
    private static let bendHeight = 10.0

    init(of request: LayoutRequest) {
        let layering = Layering(of: request)
        columns = Array(repeating: [], count: (layering.columns.max() ?? -1) + 1)
        for (place, box) in request.boxes.enumerated() {
            add(
                Vertex(
                    box: place, height: box.height, outletOffset: box.outletOffset,
                    inletOffsets: box.inletOffsets), column: layering.columns[place])
        }
        for link in request.links { add(link, layering.columns) }
        index()
    }

    private mutating func add(_ vertex: Vertex, column: Int) {
        columns[column].append(vertices.count)
        vertices.append(vertex)
    }

    /// Divides a link at each column that it passes.
    private mutating func add(_ link: LayoutRequest.Link, _ boxColumns: [Int]) {
        var parts: [Int] = []
        var last = link.source
        for column in boxColumns[link.source] + 1..<boxColumns[link.destination] {
            let middle = Self.bendHeight / 2
            add(
                Vertex(
                    box: nil, height: Self.bendHeight, outletOffset: middle, inletOffsets: [middle]
                ), column: column)
            parts.append(segments.count)
            segments.append(Segment(source: last, destination: vertices.count - 1, inlet: 0))
            last = vertices.count - 1
        }
        parts.append(segments.count)
        segments.append(Segment(source: last, destination: link.destination, inlet: link.inlet))
        linkSegments.append(parts)
    }

    private mutating func index() {
        leftSegments = Array(repeating: [], count: vertices.count)
        rightSegments = leftSegments
        for (place, segment) in segments.enumerated() {
            leftSegments[segment.destination].append(place)
            rightSegments[segment.source].append(place)
        }
    }

    /// Returns the distance of a segment's end below the upper edge of its vertex.
    func inletOffset(_ segment: Segment) -> Double {
        vertices[segment.destination].inletOffsets[segment.inlet]
    }

    /// Returns the distance of a segment's start below the upper edge of its vertex.
    func outletOffset(_ segment: Segment) -> Double { vertices[segment.source].outletOffset }

    /// Returns whether both ends are bends of one link.
    func isInner(_ segment: Segment) -> Bool {
        vertices[segment.source].box == nil && vertices[segment.destination].box == nil
    }
}
