/// Draws a knob at its position, or a lamp on or off.
struct DialDrawing {
    let dial: Card.Dial

    private static let radius = 6.5

    func draw(at centre: Point, colour: String, on canvas: inout Canvas) {
        switch dial {
        case .none: break
        case .lamp(let isOn):
            canvas.circle(
                centre, radius: 4.5, fill: isOn ? colour : Ink.paper, stroke: colour, width: 1.5)
        case .knob(let turn):
            canvas.circle(
                centre, radius: Self.radius, fill: Ink.knob, stroke: Ink.softText, width: 1.2)
            canvas.line(
                from: centre, to: Self.pointer(from: centre, turn: turn), stroke: colour, width: 2)
        }
    }

    /// Returns the tip of a knob's pointer; a knob turns through 270°, from lower left over the top
    /// to lower right.
    private static func pointer(from centre: Point, turn: Double) -> Point {
        let reach = radius - 1
        let place = (min(max(turn, 0), 1) * 12).rounded()
        let (x, y) = directions[Int(place)]
        return Point(centre.x + x * reach, centre.y - y * reach)
    }

    /// Thirteen positions of the pointer, 22.5° apart: sine and cosine of −135° … 135°.
    private static let directions: [(Double, Double)] = [
        (-0.7071, -0.7071), (-0.9239, -0.3827), (-1, 0), (-0.9239, 0.3827), (-0.7071, 0.7071),
        (-0.3827, 0.9239), (0, 1), (0.3827, 0.9239), (0.7071, 0.7071), (0.9239, 0.3827), (1, 0),
        (0.9239, -0.3827), (0.7071, -0.7071),
    ]
}
