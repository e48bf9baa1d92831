/// Rows of text in columns that line up.
struct TextTable {
    /// How the cells of a column stand.
    enum Alignment { case left, right }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// A table without rows; the last column, when it stands left, is not filled up.
    init(_ alignments: [Alignment]) { self.alignments = alignments }

    /// Adds a row of as many cells as there are columns.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The rows, a line each, with two spaces between columns.
    var text: String {
        let widths = alignments.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        let lines = rows.map { row in
            let cells = row.indices.map { Self.fill(row[$0], alignments[$0], to: widths[$0]) }
            return Self.withoutTrailingSpace(cells.joined(separator: "  "))
        }
        return lines.joined(separator: "\n")
    }

    private static func fill(_ cell: String, _ alignment: Alignment, to width: Int) -> String {
        let space = String(repeating: " ", count: width - cell.count)
        return alignment == .left ? cell + space : space + cell
    }

    private static func withoutTrailingSpace(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
