internal import SessionCore
internal import SessionTexts

/// The connections of the view.
struct ConnectionLines {
    private static let maximumFaults = 4
    private static let maximumPorts = 8

    private let state: ViewState
    private let style: TerminalStyle

    init(_ state: ViewState, _ style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// The ports that lack a connection, one per line.
    var faults: [StyledLine] {
        let ports = state.connections.filter(\.lacksConnection)
        let lines = ports.prefix(Self.maximumFaults).map {
            StyledLine(style.safe(ConnectionText.words(for: $0)), .alarm)
        }
        let left = ports.count - lines.count
        return lines + (left > 0 ? [StyledLine("and \(left) more NOT CONNECTED", .alarm)] : [])
    }

    /// The other ports and what they are connected to, as many next to each other as fit.
    var lines: [StyledLine] {
        let ports = state.connections.filter { !$0.lacksConnection }
        guard !ports.isEmpty else { return [] }
        let shown = ports.prefix(Self.maximumPorts).map {
            StyledLine(style.safe(ConnectionText.words(for: $0)), .faint)
        }
        let left = ports.count - shown.count
        let rest = left > 0 ? StyledLine("and \(left) more", .faint) : StyledLine()
        return StyledLine.flow(
            [StyledLine("ports", .faint)] + shown + [rest], gap: 2, columns: style.room)
    }
}
