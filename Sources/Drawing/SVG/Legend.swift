/// Explains the symbols that occur on the sheet.
struct Legend {
    private let diagram: Diagram

    static let height = 30.0
    private static let sample = 34.0
    private static let gap = 22.0

    init(diagram: Diagram) { self.diagram = diagram }

    func draw(on canvas: inout Canvas, at origin: Point, width: Double) {
        canvas.line(
            from: origin, to: Point(origin.x + width, origin.y), stroke: Ink.hairline, width: 1)
        var x = origin.x
        let base = origin.y + 22
        for (channels, words) in cables {
            let data = "M\(Canvas.number(x)) \(Canvas.number(base - 4))h\(Self.sample)"
            WireDrawing.draw(data, channels: channels, colour: Ink.line, on: &canvas)
            x += Self.sample + 8
            x = write(words, .small, at: Point(x, base), on: &canvas)
        }
        if diagram.wires.contains(where: { !$0.latency.isEmpty }) {
            x = write(
                "1 ms  latency relative to the input", .small, at: Point(x, base), on: &canvas)
        }
        if diagram.wires.contains(where: { !$0.alignment.isEmpty }) {
            x = write("+1 ms", .delay, at: Point(x, base), on: &canvas) - Self.gap + 7
            _ = write("delayed to align with the others", .small, at: Point(x, base), on: &canvas)
        }
    }

    /// Writes text, and returns the horizontal position after it.
    private func write(
        _ words: String, _ lettering: Lettering, at place: Point, on canvas: inout Canvas
    ) -> Double {
        canvas.text(words, at: place, lettering)
        return place.x + lettering.width(of: words) + Self.gap
    }

    private var cables: [(Int, String)] {
        let kinds = Set(diagram.wires.map { min($0.channels, 3) })
        return [(1, "mono"), (2, "stereo"), (3, "more channels"), (0, "MIDI")].filter {
            kinds.contains($0.0)
        }
    }
}
