/// A line of text, each part in its own tone.
package struct StyledLine: Equatable {
    /// How a part of a line stands out.
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

    /// Columns that it takes.
    package var columns: Int { parts.reduce(0) { $0 + TextWidth.columns($1.text) } }

    /// The text alone.
    package var text: String { parts.map(\.text).joined() }

    /// A line of one part.
    package init(_ text: String = "", _ tone: Tone = .plain) { add(text, tone) }

    /// Adds a part at the end.
    mutating func add(_ text: String, _ tone: Tone = .plain) {
        if !text.isEmpty { parts.append(Part(text: text, tone: tone)) }
    }

    /// Adds a line at the end, behind a gap where something stands before it.
    mutating func add(_ other: StyledLine, gap: Int) {
        guard !other.parts.isEmpty else { return }
        if !parts.isEmpty { add(String(repeating: " ", count: gap)) }
        parts += other.parts
    }

    /// Fills up with spaces to a number of columns.
    func padded(to columns: Int) -> StyledLine {
        var line = self
        line.add(String(repeating: " ", count: max(0, columns - self.columns)))
        return line
    }

    /// As much of it as fits into a number of columns.
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

    /// The text with the terminal's codes for the tones.
    package func coded(hasColour: Bool) -> String {
        parts.map { part in
            hasColour && part.tone != .plain
                ? "\u{1B}[\(part.tone.rawValue)m\(part.text)\u{1B}[0m" : part.text
        }.joined()
    }

    /// The parts side by side as far as they fit, then on the next line.
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
