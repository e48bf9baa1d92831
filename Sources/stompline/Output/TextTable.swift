internal import Processing

/// Rows of text in aligned columns; the last column is broken into lines if it is aligned left.
struct TextTable {
    /// The alignment of a column.
    enum Alignment { case left, right }

    /// The width that a terminal shows without wrapping.
    private static let widestLine = 79
    private static let narrowestCell = 24
    private static let gap = "  "

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    init(_ alignments: [Alignment]) { self.alignments = alignments }

    /// Adds a row with one cell per column; control characters are shown as escapes.
    ///
    /// Line breaks are kept in the last column if that is broken into lines.
    mutating func add(_ cells: [String]) {
        let hasLines = alignments.last == .left
        rows.append(
            cells.indices.map { column in
                hasLines && column == cells.count - 1
                    ? cells[column].printableLines : cells[column].printable
            })
    }

    /// The rows, with one or more lines each, and two spaces between columns.
    var text: String {
        let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let indentation = widths.dropLast().map { $0 + Self.gap.count }.reduce(0, +)
        let lines = rows.flatMap { row in
            let start = row.indices.dropLast().map {
                Self.fill(row[$0], alignments[$0], to: widths[$0]) + Self.gap
            }
            guard let cell = row.last, let width = widths.last else { return [String]() }
            if alignments.last == .right {
                return [start.joined() + Self.fill(cell, .right, to: width)]
            }
            // If other columns leave too little room, a long line is better than many short ones.
            let room = Self.widestLine - indentation
            let margin = String(repeating: " ", count: indentation)
            return Paragraph.lines(of: cell, width: room < Self.narrowestCell ? .max : room)
                .enumerated().map { index, line in
                    (index == 0 ? start.joined() : margin) + line
                }
        }
        return lines.map(Self.withoutTrailingSpace).joined(separator: "\n")
    }

    private static func withoutTrailingSpace(_ line: String) -> String {
        let end = line.lastIndex { $0 != " " }
        return end.map { String(line[...$0]) } ?? ""
    }

    private static func fill(_ cell: String, _ alignment: Alignment, to width: Int) -> String {
        let space = String(repeating: " ", count: width - cell.count)
        return alignment == .left ? cell + space : space + cell
    }
}

/// Breaks text into lines between words.
enum Paragraph {
    /// Returns the lines, none wider than `width` unless a word is; line breaks in the text are
    /// kept.
    static func lines(of text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { part in
            var lines = [""]
            for word in part.split(separator: " ") {
                let last = lines[lines.count - 1]
                if last.isEmpty {
                    lines[lines.count - 1] = String(word)
                } else if last.count + 1 + word.count <= width {
                    lines[lines.count - 1] += " " + word
                } else {
                    lines.append(String(word))
                }
            }
            return lines
        }
    }
}
