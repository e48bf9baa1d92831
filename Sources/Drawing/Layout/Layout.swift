/// The positions of the boxes, and the routes of the links.
package struct Layout: Sendable {
    /// One frame per box.
    package private(set) var boxes: [Frame] = []
    /// One route per link.
    package private(set) var routes: [Route] = []
    package private(set) var width = 0.0
    package private(set) var height = 0.0

    /// Places the boxes in columns; the links must not form loops.
    package init(of request: LayoutRequest) {
        let graph = CrossingReduction(of: LayeredGraph(of: request)).graph
        let heights = Heights(of: graph)
        let columns = ColumnPlaces(of: graph, heights: heights, request: request)
        boxes = Self.frames(graph, heights, columns, request)
        routes = request.links.indices.map { link in
            Self.route(graph.linkSegments[link], graph, heights, columns)
        }
        width = columns.width
        height = boxes.map(\.bottom).max() ?? 0
        height = routes.map(\.start.y).reduce(height, max)
    }

    private static func frames(
        _ graph: LayeredGraph, _ heights: Heights, _ columns: ColumnPlaces, _ request: LayoutRequest
    ) -> [Frame] {
        var frames = Array(
            repeating: Frame(left: 0, top: 0, width: 0, height: 0), count: request.boxes.count)
        for (column, vertices) in graph.columns.enumerated() {
            for vertex in vertices {
                guard let box = graph.vertices[vertex].box else { continue }
                frames[box] = Frame(
                    left: columns.lefts[column], top: heights.tops[vertex],
                    width: columns.widths[column], height: graph.vertices[vertex].height)
            }
        }
        return frames
    }

    /// Returns a route that is horizontal within columns, and swings up or down only in the gaps
    /// between them.
    private static func route(
        _ segments: [Int], _ graph: LayeredGraph, _ heights: Heights, _ columns: ColumnPlaces
    ) -> Route {
        var route = Route(start: Point(0, 0), steps: [])
        for (index, segment) in segments.map({ graph.segments[$0] }).enumerated() {
            let column = columns.column(of: segment.source)
            let from = heights.tops[segment.source] + graph.outletOffset(segment)
            let to = heights.tops[segment.destination] + graph.inletOffset(segment)
            let edge = columns.lefts[column] + columns.widths[column]
            if index == 0 { route.start = Point(edge, from) }
            let reach = columns.swings[column]
            route.steps.append(.line(to: Point(edge, from)))
            route.steps.append(.swing(to: Point(edge + reach, to)))
            route.steps.append(.line(to: Point(columns.lefts[column + 1], to)))
        }
        return route
    }
}
