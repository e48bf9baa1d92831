internal import Platform

/// A list of SVG elements.
struct Canvas {
    private(set) var elements: [String] = []

    /// The part of a text that is aligned with its position.
    enum Anchor: String { case start, middle, end }

    /// Returns a number with at most two decimals.
    static func number(_ value: Double) -> String { value.trimmed(2) }

    /// Adds an element with attributes whose values need no escaping.
    mutating func add(_ element: String, _ attributes: KeyValuePairs<String, String>) {
        let written = attributes.map { " \($0)=\"\($1)\"" }.joined()
        elements.append("<\(element)\(written)/>")
    }

    /// Adds a text; `kind` is its class, for programs that change it.
    mutating func text(
        _ text: String, at point: Point, _ lettering: Lettering, anchor: Anchor = .start,
        class kind: String = ""
    ) {
        guard !text.isEmpty else { return }
        let mark = kind.isEmpty ? "" : " class=\"\(kind)\""
        let weight = lettering.isBold ? " font-weight=\"bold\"" : ""
        let side = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        elements.append(
            "<text\(mark) x=\"\(Self.number(point.x))\" y=\"\(Self.number(point.y))\" "
                + "font-size=\"\(Self.number(lettering.size))\"\(weight)\(side) "
                + "fill=\"\(lettering.colour)\">\(XMLText.escape(text))</text>")
    }

    mutating func rectangle(
        _ frame: Frame, radius: Double = 0, fill: String, stroke: String = "none",
        width: Double = 1, dashes: String = "none"
    ) {
        add(
            "rect",
            [
                "x": Self.number(frame.left), "y": Self.number(frame.top),
                "width": Self.number(frame.width), "height": Self.number(frame.height),
                "rx": Self.number(radius), "fill": fill, "stroke": stroke,
                "stroke-width": Self.number(width), "stroke-dasharray": dashes,
            ])
    }

    mutating func circle(
        _ centre: Point, radius: Double, fill: String, stroke: String = "none", width: Double = 1
    ) {
        add(
            "circle",
            [
                "cx": Self.number(centre.x), "cy": Self.number(centre.y),
                "r": Self.number(radius), "fill": fill, "stroke": stroke,
                "stroke-width": Self.number(width),
            ])
    }

    mutating func path(_ data: String, stroke: String, width: Double, dashes: String = "none") {
        add(
            "path",
            [
                "d": data, "fill": "none", "stroke": stroke, "stroke-width": Self.number(width),
                "stroke-dasharray": dashes, "stroke-linecap": "round", "stroke-linejoin": "round",
            ])
    }

    mutating func line(
        from start: Point, to end: Point, stroke: String, width: Double, dashes: String = "none"
    ) {
        path(
            "M\(Self.number(start.x)) \(Self.number(start.y))L\(Self.number(end.x)) \(Self.number(end.y))",
            stroke: stroke, width: width, dashes: dashes)
    }

    /// Wraps the elements that `draw` adds into a group with a class and other attributes, whose
    /// values are escaped.
    mutating func group(
        class kind: String, _ attributes: KeyValuePairs<String, String>,
        _ draw: (inout Canvas) -> Void
    ) {
        var inner = Canvas()
        draw(&inner)
        let written = attributes.map { " \($0)=\"\(XMLText.escape($1))\"" }.joined()
        elements.append("<g class=\"\(kind)\"\(written)>")
        elements += inner.elements
        elements.append("</g>")
    }
}
