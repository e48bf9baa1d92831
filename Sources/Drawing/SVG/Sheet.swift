/// The whole picture: head, graph, lists and legend, from top to bottom.
package struct Sheet {
    private let diagram: Diagram
    /// The layout of the graph, relative to the graph's upper left corner.
    package let layout: Layout

    static let margin = 48.0
    static let narrowest = 760.0

    package init(showing diagram: Diagram) {
        self.diagram = diagram
        layout = Layout(of: Self.request(for: diagram))
    }

    private static func request(for diagram: Diagram) -> LayoutRequest {
        LayoutRequest(
            boxes: diagram.cards.map(box),
            links: diagram.wires.map { wire in
                .init(
                    source: wire.source, destination: wire.destination, inlet: wire.inlet,
                    labelWidth: WireLabel(of: wire).width)
            })
    }

    private static func box(of card: Card) -> LayoutRequest.Box {
        guard card.isJack else {
            let measure = CardMeasure(card)
            return .init(
                width: measure.width, height: measure.height, inletOffsets: measure.inletOffsets,
                outletOffset: measure.outletOffset)
        }
        let measure = JackMeasure(card)
        return .init(
            width: measure.width, height: measure.height, inletOffsets: measure.inletOffsets,
            outletOffset: measure.outletOffset, pin: card.kind == .input ? .first : .last)
    }

    /// The picture as an SVG document.
    package var svg: String {
        let width = max(Self.narrowest, layout.width + 2 * Self.margin)
        var canvas = Canvas()
        let head = SheetHead(diagram: diagram, width: width - 2 * Self.margin)
        head.draw(on: &canvas, at: Point(Self.margin, Self.margin))
        let top = Self.margin + head.height + 40
        let origin = Point((width - layout.width) / 2, top)
        let frame = Frame(
            left: origin.x, top: origin.y, width: layout.width, height: layout.height)
        canvas.group(class: "graph", ["data-frame": frame.text]) { canvas in
            drawGraph(on: &canvas, at: origin)
        }
        let foot = SheetFoot(diagram: diagram, width: width - 2 * Self.margin)
        let footTop = top + layout.height + 44
        foot.draw(on: &canvas, at: Point(Self.margin, footTop))
        return document(canvas, width: width, height: footTop + foot.height + Self.margin)
    }

    private func drawGraph(on canvas: inout Canvas, at origin: Point) {
        let wires = zip(diagram.wires, layout.routes.map { $0.moved(by: origin) })
        for (wire, route) in wires {
            canvas.group(class: "wire", attributes(of: wire)) { canvas in
                WireDrawing(wire: wire, route: route).draw(on: &canvas)
            }
        }
        for (index, card) in diagram.cards.enumerated() {
            let frame = layout.boxes[index].moved(by: origin)
            let colour = Ink.cable(from: index)
            if card.isJack {
                JackDrawing(card: card, frame: frame, colour: colour).draw(on: &canvas)
            } else {
                CardDrawing(card: card, frame: frame, colour: colour).draw(on: &canvas)
            }
        }
        for (wire, route) in wires {
            WireLabel(of: wire).draw(
                on: &canvas, endingAt: route.end,
                weight: WireDrawing.weight(channels: wire.channels))
        }
    }

    private func attributes(of wire: Wire) -> KeyValuePairs<String, String> {
        let (from, to) = (diagram.cards[wire.source].name, diagram.cards[wire.destination].name)
        return [
            "data-from": from, "data-to": to, "role": "img", "aria-label": "\(from) to \(to)",
        ]
    }

    private func document(_ canvas: Canvas, width: Double, height: Double) -> String {
        let size = "\(Canvas.number(width)) \(Canvas.number(height))"
        let title = XMLText.escape(diagram.title)
        let lines =
            [
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" "
                    + "width=\"\(Canvas.number(width))\" height=\"\(Canvas.number(height))\" "
                    + "font-family=\"Helvetica, Arial, sans-serif\" role=\"graphics-document document\">",
                "<title>\(title)</title>", "<desc>\(XMLText.escape(diagram.summary))</desc>",
                "<rect width=\"100%\" height=\"100%\" fill=\"\(Ink.paper)\"/>",
            ] + canvas.elements + ["</svg>", ""]
        return lines.joined(separator: "\n")
    }
}

extension Frame {
    /// The left and the upper edge, the width and the height, in pixels.
    var text: String {
        [left, top, width, height].map(Canvas.number).joined(separator: " ")
    }

    func moved(by offset: Point) -> Frame {
        Frame(left: left + offset.x, top: top + offset.y, width: width, height: height)
    }
}

extension Route {
    func moved(by offset: Point) -> Route {
        Route(
            start: start.moved(by: offset),
            steps: steps.map { step in
                switch step {
                case .line(let end): .line(to: end.moved(by: offset))
                case .swing(let end): .swing(to: end.moved(by: offset))
                }
            })
    }
}

extension Point {
    func moved(by offset: Point) -> Point { Point(x + offset.x, y + offset.y) }
}
