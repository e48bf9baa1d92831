/// Draws wires as cables: one line for mono, two for stereo, three for more channels, dashes for
/// MIDI.
struct WireDrawing {
    let wire: Wire
    let route: Route

    /// Returns the total width of the cable, in pixels.
    static func weight(channels: Int) -> Double {
        switch channels {
        case 0, 1: 2
        case 2: 5.5
        default: 8.5
        }
    }

    func draw(on canvas: inout Canvas) {
        Self.draw(
            Self.data(of: route), channels: wire.channels, colour: Ink.cable(from: wire.source),
            on: &canvas)
    }

    /// Draws a cable along a path, on top of the cables it crosses.
    static func draw(_ data: String, channels: Int, colour: String, on canvas: inout Canvas) {
        let weight = weight(channels: channels)
        canvas.path(data, stroke: Ink.paper, width: weight + 5)
        canvas.path(
            data, stroke: colour, width: weight, dashes: channels == 0 ? "1 5" : "none")
        if channels >= 2 { canvas.path(data, stroke: Ink.paper, width: weight - 3.6) }
        if channels > 2 { canvas.path(data, stroke: colour, width: 1.8) }
    }

    /// Returns a route as path data.
    static func data(of route: Route) -> String {
        var last = route.start
        var data = "M\(text(last))"
        for step in route.steps {
            switch step {
            case .line(let end):
                if end != last { data += "L\(text(end))" }
                last = end
            case .swing(let end):
                let middle = (last.x + end.x) / 2
                data += "C\(text(Point(middle, last.y))) \(text(Point(middle, end.y))) \(text(end))"
                last = end
            }
        }
        return data
    }

    private static func text(_ point: Point) -> String {
        "\(Canvas.number(point.x)) \(Canvas.number(point.y))"
    }
}
