/// The title, the description and the total latency.
struct SheetHead {
    private let diagram: Diagram
    private let width: Double
    private let lines: [String]

    private static let widestProse = 900.0
    private static let lineHeight = 19.0

    init(diagram: Diagram, width: Double) {
        self.diagram = diagram
        self.width = width
        lines = Lettering.prose.wrap(diagram.summary, width: min(width, Self.widestProse))
    }

    var height: Double { 34 + Double(lines.count) * Self.lineHeight + 16 }

    func draw(on canvas: inout Canvas, at origin: Point) {
        let latencyRoom = Lettering.heading.width(of: diagram.latency) + 24
        let title = Lettering.title.fit(diagram.title, width: width - latencyRoom)
        canvas.text(title, at: Point(origin.x, origin.y + 22), .title)
        canvas.text(
            diagram.latency, at: Point(origin.x + width, origin.y + 22), .heading, anchor: .end)
        for (index, line) in lines.enumerated() {
            let base = origin.y + 50 + Double(index) * Self.lineHeight
            canvas.text(line, at: Point(origin.x, base), .prose)
        }
        let rule = origin.y + height
        canvas.line(
            from: Point(origin.x, rule), to: Point(origin.x + width, rule), stroke: Ink.text,
            width: 1.2)
    }
}
