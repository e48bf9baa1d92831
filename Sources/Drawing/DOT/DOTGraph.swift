internal import Processing

/// A diagram in the DOT language of Graphviz.
package struct DOTGraph {
    private let diagram: Diagram

    package init(showing diagram: Diagram) { self.diagram = diagram }

    /// The whole graph.
    package var text: String {
        let head = [
            "digraph \(Self.quote(diagram.title)) {",
            "    label=\(Self.quote([diagram.title, diagram.latency]));", "    labelloc=t;",
            "    rankdir=LR;", "    fontname=\"sans-serif\";",
            "    node [shape=box, style=rounded, fontname=\"sans-serif\"];",
            "    edge [fontname=\"sans-serif\", fontsize=10];",
        ]
        let nodes = diagram.cards.indices.map(node)
        let edges = diagram.wires.map(edge)
        return (head + nodes + edges + ["}", ""]).joined(separator: "\n")
    }

    private func node(_ index: Int) -> String {
        let card = diagram.cards[index]
        var attributes = ["label=\(Self.quote(Self.lines(of: card)))"]
        if card.isJack { attributes.append("shape=cds") }
        if card.isBypassed { attributes.append("style=\"rounded,dashed\"") }
        if card.isOuter { attributes.append("peripheries=2") }
        return "    \(name(index)) [\(attributes.joined(separator: ", "))];"
    }

    private static func lines(of card: Card) -> [String] {
        var lines = [card.name]
        if card.isOuter { lines.append(Card.outerCaption) }
        if !card.label.isEmpty { lines.append(card.label) }
        lines += card.rows.map { "\($0.label) \($0.value)" }
        if card.mix < 1 {
            lines.append("mix \(DrawnNumber.plain(card.mix * 100, decimals: 1)) % wet")
        }
        if card.isBypassed { lines.append("bypassed") }
        if !card.latency.isEmpty { lines.append("latency \(card.latency)") }
        return lines + card.notes
    }

    private func edge(_ wire: Wire) -> String {
        let label = WireLabel(of: wire)
        let inlet = diagram.cards[wire.destination].inlets[wire.inlet]
        var attributes: [String] = []
        let words = [label.plain, label.delay].filter { !$0.isEmpty }
        if !words.isEmpty { attributes.append("label=\(Self.quote(words))") }
        let socket = [inlet.label, inlet.detail].filter { !$0.isEmpty }
        if !socket.isEmpty { attributes.append("headlabel=\(Self.quote(socket))") }
        if wire.channels == 0 { attributes.append("style=dashed") }
        if wire.channels > 1 { attributes.append("penwidth=\(wire.channels == 2 ? 2 : 3)") }
        let ends = "\(name(wire.source)) -> \(name(wire.destination))"
        return "    \(ends)\(attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]");"
    }

    /// Returns a node's id unchanged; an output with the same name as an input has a prefix.
    private func name(_ index: Int) -> String {
        let card = diagram.cards[index]
        let isTaken = diagram.cards[..<index].contains { $0.name == card.name }
        return Self.quote(isTaken ? "output:" + card.name : card.name)
    }

    private static func quote(_ text: String) -> String { quote([text]) }

    /// Returns a quoted string of lines.
    private static func quote(_ lines: [String]) -> String {
        "\"" + lines.map(escape).joined(separator: "\\n") + "\""
    }

    private static func escape(_ text: String) -> String {
        let onOneLine = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return onOneLine.printable.reduce(into: "") { escaped, character in
            switch character {
            case "\"", "\\": escaped += "\\" + String(character)
            default: escaped.append(character)
            }
        }
    }
}
