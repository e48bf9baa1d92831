internal import SessionTexts
internal import Platform

/// The meters of the view, one per port.
struct MeterLines {
    /// The lowest level that a bar shows, in dB.
    private static let floorDecibels = -60.0
    private static let maximumPorts = 16

    private let state: ViewState
    private let style: TerminalStyle

    init(_ state: ViewState, _ style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// The meters, as many side by side as fit.
    var lines: [StyledLine] {
        let ports = state.ports.prefix(Self.maximumPorts)
        let names = ports.map { TextWidth.cut(style.safe($0), to: 12, isASCII: style.isASCII) }
        let nameColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        let meters = zip(ports, names).map { port, name in
            line(
                of: state.meters[port] ?? ViewState.Meter(peak: -160, rms: -160), name, nameColumns)
        }
        let left = state.ports.count - ports.count
        let rest = left > 0 ? StyledLine("and \(left) more", .faint) : StyledLine()
        return StyledLine.flow(meters + [rest], gap: 2, columns: style.room)
    }

    private func line(
        of meter: ViewState.Meter, _ name: String, _ nameColumns: Int
    ) -> StyledLine {
        var line = StyledLine(name).padded(to: nameColumns)
        line.add(" ")
        let cells = style.columns < 60 ? 8 : 12
        line.add(bar(meter, cells: cells), tone(meter.peak))
        line.add(meter.peak.fixed(1).right(7))
        line.add(meter.rms.fixed(1).right(7), .faint)
        line.add(meter.hasClipped ? " CLIP" : "     ", .alarm)
        return line
    }

    /// Returns a bar that is full up to the RMS and hollow up to the peak.
    private func bar(_ meter: ViewState.Meter, cells: Int) -> String {
        let peak = filled(meter.peak, of: cells)
        let rms = min(peak, filled(meter.rms, of: cells))
        let marks = style.isASCII ? ["#", "+", "."] : ["▮", "▯", "·"]
        return String(repeating: marks[0], count: rms)
            + String(repeating: marks[1], count: peak - rms)
            + String(repeating: marks[2], count: cells - peak)
    }

    private func filled(_ decibels: Double, of cells: Int) -> Int {
        (1 - decibels / Self.floorDecibels).filling(cells: cells)
    }

    private func tone(_ decibels: Double) -> StyledLine.Tone {
        decibels > -0.4 ? .alarm : decibels > -6 ? .warning : .good
    }
}
