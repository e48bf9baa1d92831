/// Draws an input or an output as the jack sockets of a box, with its name next to them.
struct JackDrawing {
    let card: Card
    let frame: Frame
    let colour: String

    private var measure: JackMeasure { JackMeasure(card) }
    private var isInput: Bool { card.kind == .input }

    func draw(on canvas: inout Canvas) {
        let kind = isInput ? "input" : "output"
        canvas.group(
            class: kind,
            [
                "data-name": card.name, "data-\(kind)": card.name, "data-frame": frame.text,
                "role": "img", "aria-label": card.spoken,
            ]
        ) { canvas in
            let offsets = isInput ? [measure.outletOffset] : measure.inletOffsets
            for offset in offsets.isEmpty ? [measure.outletOffset] : offsets {
                drawRings(middle: frame.top + offset, on: &canvas)
            }
            drawWords(on: &canvas)
        }
    }

    private func drawRings(middle: Double, on canvas: inout Canvas) {
        for index in (0..<measure.ringCount).reversed() {
            let reach = JackMeasure.ring + Double(index) * JackMeasure.ring * 1.35
            let x = isInput ? frame.right - reach : frame.left + reach
            drawRing(Point(x, middle), on: &canvas)
        }
    }

    private func drawRing(_ centre: Point, on canvas: inout Canvas) {
        canvas.circle(
            centre, radius: JackMeasure.ring - 1, fill: Ink.knob, stroke: Ink.line, width: 1.6)
        canvas.circle(
            centre, radius: JackMeasure.ring - 5, fill: Ink.paper, stroke: colour, width: 2.4)
        if card.channels == 0 { return drawPins(centre, on: &canvas) }
        canvas.circle(centre, radius: 4.5, fill: Ink.text)
    }

    /// Draws the five pins of a MIDI socket.
    private func drawPins(_ centre: Point, on canvas: inout Canvas) {
        for (x, y) in [(-6.0, 0.0), (-4.2, -4.2), (0.0, -6.0), (4.2, -4.2), (6.0, 0.0)] {
            canvas.circle(Point(centre.x + x, centre.y + y + 1), radius: 1.3, fill: Ink.text)
        }
    }

    private func drawWords(on canvas: inout Canvas) {
        let room = measure.ringsWidth + JackMeasure.words
        let x = isInput ? frame.right - room : frame.left + room
        let anchor = isInput ? Canvas.Anchor.end : .start
        let middle = frame.top + measure.outletOffset
        canvas.text(card.name, at: Point(x, middle - 1), .name, anchor: anchor)
        canvas.text(card.label, at: Point(x, middle + 14), .label, anchor: anchor)
        for (index, note) in measure.notes.enumerated() {
            canvas.text(
                note, at: Point(x, frame.top + measure.noteBase(index)), .small, anchor: anchor)
        }
    }
}
