internal import SessionTexts
internal import Platform

/// The tuner of the view.
struct TunerLines {
    /// A deviation in cents that most listeners hear as in tune.
    private static let inTuneCents = 2.0

    private let state: ViewState
    private let style: TerminalStyle

    init(_ state: ViewState, _ style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// The tuner's input, the note, the cents, and a needle; no line if the tuner has no input.
    var lines: [StyledLine] {
        let input = state.text("tuner")
        guard !input.isEmpty else { return [] }
        var line = StyledLine("tuner \(style.safe(input)) ", .faint)
        guard let note = Note(hertz: state.hertz) else {
            line.add(" -", .faint)
            return [line]
        }
        let isInTune = abs(note.cents) < Self.inTuneCents
        let tone: StyledLine.Tone = isInTune ? .good : .warning
        let sign = note.cents >= 0.05 ? "+" : ""
        line.add(" \(note.name)".padding(to: 5), .strong)
        line.add("\(sign)\(note.cents.fixed(1))".right(6) + " ct ", tone)
        line.add(needle(note.cents), tone)
        line.add("  \(state.hertz.fixed(2)) Hz", .faint)
        return [line]
    }

    /// Returns a needle from 50 cents flat to 50 sharp, with the note in the middle.
    private func needle(_ cents: Double) -> String {
        let half = style.columns < 60 ? 5 : 10
        let position = half + Int((cents / 50 * Double(half)).rounded())
        let line = style.isASCII ? "-" : "─"
        let (middle, mark) = style.isASCII ? ("|", "O") : ("┼", "●")
        return (0...(2 * half)).map { $0 == position ? mark : $0 == half ? middle : line }.joined()
    }
}

extension String {
    /// Returns the text with spaces before it, up to a number of columns.
    func right(_ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - TextWidth.columns(self))) + self
    }

    /// Returns the text with spaces after it, up to a number of columns.
    fileprivate func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - TextWidth.columns(self)))
    }
}
