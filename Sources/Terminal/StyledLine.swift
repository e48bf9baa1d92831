internal import Processing

/// A line of text whose parts have tones.
package struct StyledLine: Equatable {
    /// The tone of a part of a line.
    package enum Tone: String {
        case plain = ""
        case faint = "2"
        case strong = "1"
        case good = "32"
        case warning = "33"
        case alarm = "1;31"
        case chosen = "7"
    }

    private struct Part: Equatable {
        var text: String
        var tone: Tone
    }

    private var parts: [Part] = []

    /// The width in columns.
    package var columns: Int { parts.reduce(0) { $0 + TextWidth.columns($1.text) } }

    /// The text without tones.
    package var text: String { parts.map(\.text).joined() }

    /// Creates a line of one part.
    package init(_ text: String = "", _ tone: Tone = .plain) { add(text, tone) }

    /// Adds a part at the end, with control characters shown as escapes.
    mutating func add(_ text: String, _ tone: Tone = .plain) {
        if !text.isEmpty { parts.append(Part(text: text.printable, tone: tone)) }
    }

    /// Adds a line at the end, after a gap unless this line is empty.
    mutating func add(_ other: StyledLine, gap: Int) {
        guard !other.parts.isEmpty else { return }
        if !parts.isEmpty { add(String(repeating: " ", count: gap)) }
        parts += other.parts
    }

    /// Returns the line with spaces after it, up to a number of columns.
    func padded(to columns: Int) -> StyledLine {
        var line = self
        line.add(String(repeating: " ", count: max(0, columns - self.columns)))
        return line
    }

    /// Returns the part of the line that fits into a number of columns.
    func cut(to limit: Int, isASCII: Bool) -> StyledLine {
        guard columns > limit else { return self }
        var line = StyledLine()
        var left = limit
        for part in parts where left > 0 {
            let text = TextWidth.cut(part.text, to: left, isASCII: isASCII)
            line.add(text, part.tone)
            left = text == part.text ? left - TextWidth.columns(text) : 0
        }
        return line
    }

    /// Returns the text with the terminal's codes for the tones.
    package func coded(hasColour: Bool) -> String {
        parts.map { part in
            hasColour && part.tone != .plain
                ? "\u{1B}[\(part.tone.rawValue)m\(part.text)\u{1B}[0m" : part.text
        }.joined()
    }

    /// Returns lines of pieces, as many pieces next to each other as fit.
    static func flow(_ pieces: [StyledLine], gap: Int, columns: Int) -> [StyledLine] {
        pieces.reduce(into: []) { lines, piece in
            guard !piece.parts.isEmpty else { return }
            if let last = lines.last, last.columns + gap + piece.columns <= columns {
                lines[lines.count - 1].add(piece, gap: gap)
            } else {
                lines.append(piece)
            }
        }
    }
}
