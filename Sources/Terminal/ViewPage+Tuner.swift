internal import JackHost

// The tuner and the keys.
extension ViewPage {
    /// In tune for most ears, in cents.
    private static let inTuneCents = 2.0

    /// What the tuner listens to, the note, the cents and where that is between the notes.
    var tunerLines: [StyledLine] {
        let input = state.text("tuner")
        guard !input.isEmpty else { return [] }
        var line = StyledLine("tuner \(safe(input)) ", .faint)
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

    /// From 50 cents flat to 50 sharp, with the note in the middle.
    private func needle(_ cents: Double) -> String {
        let half = style.columns < 60 ? 5 : 10
        let place = half + Int((cents / 50 * Double(half)).rounded())
        let line = style.isASCII ? "-" : "─"
        let (middle, mark) = style.isASCII ? ("|", "O") : ("┼", "●")
        return (0...(2 * half)).map { $0 == place ? mark : $0 == half ? middle : line }.joined()
    }

    /// The keys in short, or with what they do.
    var keyLines: [StyledLine] {
        guard state.hasKeys else { return [] }
        let words = state.showsHelp ? Self.allKeys : Self.someKeys
        let keys = words.map { key, meaning in
            var line = StyledLine(key, .strong)
            line.add(" \(meaning)", .faint)
            return line
        }
        return StyledLine.flow(keys, gap: 3, columns: room)
    }

    private static let someKeys = [
        ("n/p", "scene"), ("m", "mute"), ("t", "tap"), ("u", "tuner"), ("q", "quit"), ("?", "keys"),
    ]

    private static let allKeys = [
        ("n/p", "next, previous scene"), ("N/P", "next, previous song (or Page Down, Up)"),
        ("m", "mute"), ("t", "tap the tempo"), ("up/down", "choose a node"),
        ("b", "bypass the chosen node"), ("u", "tuner: next input, off"), ("c", "clear CLIP"),
        ("!", "panic: silence now"), ("q", "quit"), ("?", "fewer words"),
    ]
}

extension String {
    /// With spaces before it up to a number of columns.
    func right(_ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - TextWidth.columns(self))) + self
    }

    /// With spaces behind it up to a number of columns.
    func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - TextWidth.columns(self)))
    }
}
