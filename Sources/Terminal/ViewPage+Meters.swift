internal import JackHost

// Levels, and what the nodes cost.
extension ViewPage {
    /// The lowest level that a bar shows, in dB.
    private static let floorDecibels = -60.0
    /// The most ports that are shown, and nodes.
    private static let mostPorts = 16
    private static let mostNodes = 5

    /// One meter a port, side by side as they fit.
    var meterLines: [StyledLine] {
        let ports = state.ports.prefix(Self.mostPorts)
        let names = ports.map { TextWidth.cut(safe($0), to: 12, isASCII: style.isASCII) }
        let nameColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        let meters = zip(ports, names).map { port, name in
            meter(state.meters[port] ?? ViewState.Meter(peak: -160, rms: nil), name, nameColumns)
        }
        let left = state.ports.count - ports.count
        let rest = left > 0 ? StyledLine("and \(left) more", .faint) : StyledLine()
        return StyledLine.flow(meters + [rest], gap: 2, columns: room)
    }

    private func meter(
        _ meter: ViewState.Meter, _ name: String, _ nameColumns: Int
    ) -> StyledLine {
        var line = StyledLine(name).padded(to: nameColumns)
        line.add(" ")
        let cells = style.columns < 60 ? 8 : 12
        line.add(bar(meter, cells: cells), tone(meter.peak))
        line.add(meter.peak.fixed(1).right(7))
        line.add((meter.rms.map { $0.fixed(1) } ?? "").right(7), .faint)
        line.add(meter.hasClipped ? " CLIP" : "     ", .alarm)
        return line
    }

    /// Full up to the RMS, hollow up to the peak.
    private func bar(_ meter: ViewState.Meter, cells: Int) -> String {
        let peak = filled(meter.peak, of: cells)
        let rms = min(peak, meter.rms.map { filled($0, of: cells) } ?? peak)
        let marks = style.isASCII ? ["#", "+", "."] : ["▮", "▯", "·"]
        return String(repeating: marks[0], count: rms)
            + String(repeating: marks[1], count: peak - rms)
            + String(repeating: marks[2], count: cells - peak)
    }

    private func filled(_ decibels: Double, of cells: Int) -> Int {
        let share = 1 - decibels / Self.floorDecibels
        return min(cells, max(0, Int((share * Double(cells)).rounded(.up))))
    }

    private func tone(_ decibels: Double) -> StyledLine.Tone {
        decibels > -0.4 ? .alarm : decibels > -6 ? .warning : .good
    }

    /// The costliest nodes with mean and worst share of the period; then the one that `b` bypasses, and those that are
    /// bypassed.
    var nodeLines: [StyledLine] {
        let costs = state.nodeLoads.prefix(Self.mostNodes).map { load in
            var line = StyledLine(safe(load.node))
            let tone: StyledLine.Tone = load.worst > 0.5 ? .warning : .faint
            line.add(" \(percent(load.mean))/\(percent(load.worst)) %", tone)
            return line
        }
        let head = costs.isEmpty ? StyledLine() : StyledLine("nodes", .faint)
        return StyledLine.flow([head] + costs, gap: 2, columns: room) + bypassLines
    }

    private var bypassLines: [StyledLine] {
        let nodes = state.nodes.filter { $0 == state.chosenNode || state.isOn("\($0).bypass") }
        guard !nodes.isEmpty else { return [] }
        let marks = nodes.map { node in
            let isChosen = node == state.chosenNode
            var line = StyledLine(
                isChosen ? ">\(safe(node))" : safe(node), isChosen ? .chosen : .plain)
            let isBypassed = state.isOn("\(node).bypass")
            line.add(isBypassed ? " yes" : " no", isBypassed ? .warning : .faint)
            return line
        }
        return StyledLine.flow([StyledLine("bypass", .faint)] + marks, gap: 2, columns: room)
    }
}
