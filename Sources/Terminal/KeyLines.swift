internal import SessionCore

/// The list of keys at the end of the view.
struct KeyLines {
    private static let someKeys = [
        ("n/p", "scene"), ("m", "mute"), ("t", "tap"), ("u", "tuner"), ("q", "quit"), ("?", "keys"),
    ]

    private static let allKeys = [
        ("n/p", "next, previous scene"), ("N/P", "next, previous song (or Page Down, Up)"),
        ("space/B", "go: next cue; back: previous cue"),
        ("m", "mute"), ("t", "tap the tempo"), ("up/down", "choose a node"),
        ("b", "bypass the chosen node"), ("u", "tuner: next input, off"), ("c", "clear CLIP"),
        ("s", "save the values in the file"),
        ("!", "panic: silence now"), ("q", "quit"), ("?", "short list"),
    ]

    private let state: ViewState
    private let style: TerminalStyle

    init(_ state: ViewState, _ style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// The keys in short, or all of them with their actions.
    var lines: [StyledLine] {
        guard state.hasKeys else { return [] }
        let bound = state.overview.keys
        let own = (state.showsHelp ? Self.allKeys : Self.someKeys).filter {
            !bound.contains($0.0)
        }
        let keys = (own + bound.map { ($0, "bound in the file") }).map { key, meaning in
            var line = StyledLine(key, .strong)
            line.add(" \(meaning)", .faint)
            return line
        }
        return StyledLine.flow(keys, gap: 3, columns: style.room)
    }
}
