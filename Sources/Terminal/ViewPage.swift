internal import JackHost
internal import Pipelines

/// The lines of the view, as they fit the terminal.
package struct ViewPage {
    let state: ViewState
    let style: TerminalStyle

    /// The view of a state in a terminal of a style.
    package init(state: ViewState, style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// Several lines about one thing; where not all fit, those with the highest rank go first.
    private struct Section {
        let rank: Int
        let lines: [StyledLine]
    }

    /// The lines, none wider than the terminal, and fewer than it has.
    package var lines: [StyledLine] {
        // A line as wide as the terminal would wrap in some.
        let room = max(1, style.columns - 1)
        var sections = [
            Section(rank: 2, lines: headLines), Section(rank: 3, lines: meterLines),
            Section(rank: 1, lines: figureLines), Section(rank: 5, lines: nodeLines),
            Section(rank: 4, lines: tunerLines),
            Section(rank: 0, lines: state.refusal.map { [StyledLine($0, .warning)] } ?? []),
            Section(rank: 6, lines: keyLines),
        ]
        while sections.reduce(0, { $0 + $1.lines.count }) > style.rows - 1, sections.count > 1 {
            sections.sort { $0.rank < $1.rank }
            sections.removeLast()
        }
        return ordered(sections).flatMap(\.lines).prefix(max(1, style.rows - 1))
            .map { $0.cut(to: room, isASCII: style.isASCII) }
    }

    /// As they stand from top to bottom, whatever was left out.
    private func ordered(_ sections: [Section]) -> [Section] {
        let order = [2, 3, 1, 5, 4, 0, 6]
        return order.compactMap { rank in sections.first { $0.rank == rank } }
    }

    var room: Int { max(1, style.columns - 1) }

    /// A text from elsewhere that is safe to print.
    func safe(_ text: String) -> String { TextWidth.printable(text, isASCII: style.isASCII) }

    // MARK: - What plays

    private var headLines: [StyledLine] {
        let song = step(
            "song", of: state.programme.songs, at: "song", showsCount: true)
        let scene = step("scene", of: state.programme.scenes, at: "scene", showsCount: false)
        return StyledLine.flow(
            [StyledLine(safe(state.programme.name), .strong), song, scene], gap: 3, columns: room)
    }

    /// The one that is on, and the one that comes next.
    private func step(
        _ label: String, of names: [String], at address: String, showsCount: Bool
    ) -> StyledLine {
        guard !names.isEmpty else { return StyledLine() }
        let place = state.place(of: address, in: names)
        let count = showsCount && place != nil ? " \((place ?? 0) + 1)/\(names.count)" : ""
        var line = StyledLine("\(label)\(count) ", .faint)
        line.add(place.map { safe(names[$0]) } ?? "-", .strong)
        let next = (place ?? -1) + 1
        if names.indices.contains(next) {
            line.add(style.isASCII ? " > " : " → ", .faint)
            line.add(safe(names[next]), .faint)
        }
        return line
    }

    // MARK: - Figures

    private var figureLines: [StyledLine] {
        StyledLine.flow(
            [muteFigure, tempoFigure, gainFigure, loadFigure, xrunFigure, latencyFigure]
                + [limiterFigure],
            gap: 3, columns: room)
    }

    private var muteFigure: StyledLine {
        state.isOn("mute") ? StyledLine("MUTED", .alarm) : StyledLine()
    }

    private var tempoFigure: StyledLine {
        state.number("tempo").map { figure("tempo", $0.fixed(1)) } ?? StyledLine()
    }

    private var gainFigure: StyledLine {
        guard let gain = state.number("gain"), gain != 0 else { return StyledLine() }
        return figure("gain", "\(gain.fixed(1)) dB", .warning)
    }

    private var loadFigure: StyledLine {
        let (mean, worst) = state.load
        let tone: StyledLine.Tone = worst > 1 ? .alarm : worst > 0.7 ? .warning : .plain
        return figure("load", "\(percent(mean)), worst \(percent(worst)) %", tone)
    }

    private var xrunFigure: StyledLine {
        let node = state.lateNode.map { " (\(safe($0)))" } ?? ""
        return figure("xruns", "\(state.xruns)\(node)", state.xruns > 0 ? .warning : .plain)
    }

    private var latencyFigure: StyledLine {
        state.latencySeconds.map { figure("latency", "\((1000 * $0).fixed(1)) ms") } ?? StyledLine()
    }

    private var limiterFigure: StyledLine {
        guard state.limiterGain < 1 else { return StyledLine() }
        return figure("limiter", "\(state.limiterGain.decibels.fixed(1)) dB", .warning)
    }

    private func figure(
        _ label: String, _ value: String, _ tone: StyledLine.Tone = .plain
    ) -> StyledLine {
        var line = StyledLine("\(label) ", .faint)
        line.add(value, tone)
        return line
    }

    func percent(_ share: Double) -> String { (100 * share).fixed(0) }
}
