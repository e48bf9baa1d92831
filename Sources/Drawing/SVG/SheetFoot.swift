/// Scenes and MIDI bindings as lists, followed by the legend.
struct SheetFoot {
    private let diagram: Diagram
    private let width: Double
    /// The distance from the start of the names to the start of the text.
    private let indent: Double
    private let lists: [(title: String, lines: [ListLine])]

    private static let lineHeight = 18.0
    private static let widestName = 240.0

    /// One line of a list: the name of its entry, on the entry's first line only, and text.
    private struct ListLine {
        var name: String
        var words: String
    }

    init(diagram: Diagram, width: Double) {
        self.diagram = diagram
        self.width = width
        let column = (width - 40) / 2
        let names = (diagram.scenes + diagram.bindings).map(\.name)
        let indent = 18 + min(names.map(Lettering.value.width).max() ?? 0, Self.widestName)
        self.indent = indent
        lists = [("Scenes", diagram.scenes), ("MIDI", diagram.bindings)].filter { !$1.isEmpty }
            .map { title, listings in
                (title, listings.flatMap { Self.lines($0, indent, width: column) })
            }
    }

    private static func lines(_ listing: Listing, _ indent: Double, width: Double) -> [ListLine] {
        let words = Lettering.label.wrap(
            listing.entries.joined(separator: " ·  "), width: width - indent)
        let name = Lettering.value.fit(listing.name, width: widestName)
        return (words.isEmpty ? [""] : words).enumerated().map { index, words in
            ListLine(name: index == 0 ? name : "", words: words)
        }
    }

    private var listsHeight: Double {
        let longest = lists.map(\.lines.count).max() ?? 0
        return longest == 0 ? 0 : 50 + Double(longest) * Self.lineHeight
    }

    var height: Double { listsHeight + Legend.height }

    func draw(on canvas: inout Canvas, at origin: Point) {
        for (index, list) in lists.enumerated() {
            draw(
                list, at: Point(origin.x + Double(index) * (width + 40) / 2, origin.y), on: &canvas)
        }
        Legend(diagram: diagram).draw(
            on: &canvas, at: Point(origin.x, origin.y + listsHeight), width: width)
    }

    private func draw(
        _ list: (title: String, lines: [ListLine]), at origin: Point, on canvas: inout Canvas
    ) {
        canvas.text(list.title, at: Point(origin.x, origin.y + 12), .heading)
        for (index, line) in list.lines.enumerated() {
            let base = origin.y + 34 + Double(index) * Self.lineHeight
            canvas.text(line.name, at: Point(origin.x, base), .value)
            canvas.text(line.words, at: Point(origin.x + indent, base), .label)
        }
    }
}
