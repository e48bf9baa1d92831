/// Draws a node as a card: a head with its name, its inlets, and its values.
struct CardDrawing {
    let card: Card
    let frame: Frame
    /// The colour of the cables that leave the card.
    let colour: String

    private static let radius = 9.0
    /// The distance of the frame around a card of the setlist.
    private static let outerDistance = 6.0
    private var measure: CardMeasure { CardMeasure(card) }

    func draw(on canvas: inout Canvas) {
        canvas.group(
            class: card.isOuter ? "node setlist" : "node",
            [
                "data-name": card.name, "data-node": card.name, "data-frame": frame.text,
                "role": "img", "aria-label": card.spoken,
            ]
        ) { canvas in
            drawOuterFrame(on: &canvas)
            drawPaper(on: &canvas)
            drawHead(on: &canvas)
            drawRows(on: &canvas)
            drawInlets(on: &canvas)
            drawBadge(on: &canvas)
            Socket.draw(
                at: Point(frame.right, frame.top + measure.outletOffset), colour: colour,
                on: &canvas)
        }
    }

    private func drawPaper(on canvas: inout Canvas) {
        canvas.rectangle(frame, radius: Self.radius, fill: Ink.head(of: card))
        let body = measure.height - CardMeasure.headHeight
        if body > 0 {
            canvas.rectangle(
                Frame(
                    left: frame.left, top: frame.top + CardMeasure.headHeight, width: frame.width,
                    height: body), radius: Self.radius, fill: Ink.paper)
            canvas.rectangle(
                Frame(
                    left: frame.left, top: frame.top + CardMeasure.headHeight, width: frame.width,
                    height: min(body, Self.radius)), fill: Ink.paper)
        }
        canvas.rectangle(
            frame, radius: Self.radius, fill: "none",
            stroke: card.isBypassed ? Ink.softText : Ink.line, width: 1.4,
            dashes: card.isBypassed ? "6 4" : "none")
    }

    /// Draws the mark of the setlist: a dashed frame around the card, with a caption above it.
    private func drawOuterFrame(on canvas: inout Canvas) {
        guard card.isOuter else { return }
        let distance = Self.outerDistance
        canvas.rectangle(
            Frame(
                left: frame.left - distance, top: frame.top - distance,
                width: frame.width + 2 * distance, height: frame.height + 2 * distance),
            radius: Self.radius + distance, fill: "none", stroke: Ink.line, width: 1.2,
            dashes: "5 4")
        canvas.text(
            Card.outerCaption,
            at: Point(frame.left + CardMeasure.padding, frame.top - distance - 4), .small)
    }

    private func drawHead(on canvas: inout Canvas) {
        let left = frame.left + CardMeasure.padding
        var name = Lettering.name
        if card.isBypassed { name.colour = Ink.softText }
        canvas.text(card.name, at: Point(left, frame.top + 20), name)
        canvas.text(card.label, at: Point(left, frame.top + 36), .label)
        canvas.text(
            card.latency, at: Point(frame.right - CardMeasure.padding, frame.top + 20), .small,
            anchor: .end, class: "latency")
    }

    private func drawInlets(on canvas: inout Canvas) {
        for (inlet, offset) in zip(card.inlets, measure.inletOffsets) {
            let place = Point(frame.left, frame.top + offset)
            if measure.namesInlets { drawInlet(inlet, at: place, on: &canvas) }
            Socket.draw(at: place, colour: Ink.line, on: &canvas)
        }
    }

    /// Draws the words of an inlet; those of a strip are in a group with its address.
    private func drawInlet(_ inlet: Card.Inlet, at place: Point, on canvas: inout Canvas) {
        guard !inlet.address.isEmpty else { return drawWords(of: inlet, at: place, on: &canvas) }
        canvas.group(class: "strip", ["data-strip": inlet.address]) { canvas in
            drawWords(of: inlet, at: place, on: &canvas)
        }
    }

    private func drawWords(of inlet: Card.Inlet, at place: Point, on canvas: inout Canvas) {
        let base = place.y + 4
        canvas.text(inlet.label, at: Point(place.x + CardMeasure.padding, base), .label)
        canvas.text(
            inlet.detail, at: Point(frame.right - CardMeasure.padding, base), .value, anchor: .end,
            class: "value")
    }

    private func drawRows(on canvas: inout Canvas) {
        for (place, row) in measure.rows.enumerated() {
            guard !row.address.isEmpty else {
                draw(row, middle: rowMiddle(place), on: &canvas)
                continue
            }
            canvas.group(class: "row", ["data-address": row.address]) { canvas in
                draw(row, middle: rowMiddle(place), on: &canvas)
            }
        }
    }

    private func rowMiddle(_ place: Int) -> Double {
        frame.top + measure.rowsTop + (Double(place) + 0.5) * CardMeasure.rowHeight
    }

    private func draw(_ row: Card.Row, middle: Double, on canvas: inout Canvas) {
        let left = frame.left + CardMeasure.padding
        DialDrawing(dial: row.dial).draw(at: Point(left + 7, middle), colour: colour, on: &canvas)
        let label = row.dial == .none ? left : left + CardMeasure.dialRoom
        canvas.text(row.label, at: Point(label, middle + 4), .label)
        canvas.text(
            row.value, at: Point(frame.right - CardMeasure.padding, middle + 4), .value,
            anchor: .end, class: "value")
    }

    private func drawBadge(on canvas: inout Canvas) {
        guard card.isBypassed else { return }
        let middle = frame.bottom - CardMeasure.foot - 10
        canvas.rectangle(
            Frame(
                left: frame.left + CardMeasure.padding, top: middle - 9,
                width: frame.width - 2 * CardMeasure.padding, height: 18), radius: 9,
            fill: Ink.softText)
        let words = Lettering(size: 10, isBold: true, colour: Ink.paper)
        canvas.text(
            "BYPASSED", at: Point(frame.left + frame.width / 2, middle + 3.6), words,
            anchor: .middle)
    }
}

/// The small ring where a cable enters or leaves a card.
enum Socket {
    static func draw(at place: Point, colour: String, on canvas: inout Canvas) {
        canvas.circle(place, radius: 5, fill: Ink.paper, stroke: colour, width: 2)
        canvas.circle(place, radius: 1.8, fill: colour)
    }
}
