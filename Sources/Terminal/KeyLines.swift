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
    /// The key of a session that other machines can reach.
    private static let pairingKey = ("r", "code to pair a device")

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
        let pairing = state.canPair && state.showsHelp ? [Self.pairingKey] : []
        let own = ((state.showsHelp ? Self.allKeys : Self.someKeys) + pairing).filter {
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
