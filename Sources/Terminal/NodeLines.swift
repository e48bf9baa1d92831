internal import SessionCore

/// The nodes of the view: those with the highest load, the chosen one and the bypassed ones.
struct NodeLines {
    private let state: ViewState
    private let style: TerminalStyle

    init(_ state: ViewState, _ style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// The nodes with the highest load, as mean and worst share of the period, then the node that
    /// the key `b` bypasses and the bypassed nodes; all in the order of the pipeline.
    var lines: [StyledLine] {
        let costs = state.nodeLoads.map { load in
            var line = StyledLine(style.safe(load.node))
            let tone: StyledLine.Tone = load.worst > 0.5 ? .warning : .faint
            line.add(" \(load.mean.percent)/\(load.worst.percent) %", tone)
            return line
        }
        let head = costs.isEmpty ? StyledLine() : StyledLine("nodes", .faint)
        return StyledLine.flow([head] + costs, gap: 2, columns: style.room) + bypassLines
    }

    private var bypassLines: [StyledLine] {
        let nodes = state.nodes.filter { $0 == state.chosenNode || state.isBypassed($0) }
        guard !nodes.isEmpty else { return [] }
        let marks = nodes.map { node in
            let isChosen = node == state.chosenNode
            var line = StyledLine(
                isChosen ? ">\(style.safe(node))" : style.safe(node),
                isChosen ? .chosen : .plain)
            let isBypassed = state.isBypassed(node)
            line.add(isBypassed ? " yes" : " no", isBypassed ? .warning : .faint)
            return line
        }
        return StyledLine.flow([StyledLine("bypass", .faint)] + marks, gap: 2, columns: style.room)
    }
}
