internal import SessionCore
internal import SessionTexts
internal import Platform

/// The lines of the view, as they fit the terminal.
package struct ViewPage {
    private let state: ViewState
    private let style: TerminalStyle

    /// Creates the page of a state in a terminal of a style.
    package init(state: ViewState, style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// Several lines about one topic; if not all sections fit, those with the highest rank are left
    /// out first.
    private struct Section {
        let rank: Int
        let lines: [StyledLine]
    }

    /// The lines: each is narrower than the terminal, and there are fewer than the terminal has.
    package var lines: [StyledLine] {
        let refusal = state.refusal.map { [StyledLine(style.safe($0), .warning)] } ?? []
        let connections = ConnectionLines(state, style)
        // From top to bottom.
        var sections = [
            Section(rank: 4, lines: headLines),
            Section(rank: 9, lines: notesLines),
            Section(rank: 5, lines: MeterLines(state, style).lines),
            Section(rank: 2, lines: figureLines),
            Section(rank: 3, lines: connections.faults),
            Section(rank: 10, lines: connections.lines),
            Section(rank: 7, lines: NodeLines(state, style).lines),
            Section(rank: 8, lines: ReportLines(state, style).lines),
            Section(rank: 6, lines: TunerLines(state, style).lines),
            Section(rank: 0, lines: problemLines),
            Section(rank: 1, lines: refusal),
            Section(rank: 9, lines: KeyLines(state, style).lines),
        ]
        while sections.reduce(0, { $0 + $1.lines.count }) > style.rows - 1, sections.count > 1 {
            let last = sections.indices.max { sections[$0].rank < sections[$1].rank }
            if let last { sections.remove(at: last) }
        }
        return sections.flatMap(\.lines).prefix(max(1, style.rows - 1))
            .map { $0.cut(to: style.room, isASCII: style.isASCII) }
    }

    /// The maximum number of problems that are shown.
    private static let maximumProblems = 4

    private var problemLines: [StyledLine] {
        let shown = state.problems.prefix(Self.maximumProblems)
        let rest = state.problems.count - shown.count
        return shown.map { StyledLine(style.safe($0), .alarm) }
            + (rest > 0 ? [StyledLine("and \(rest) more problems", .alarm)] : [])
            + reducedLines
    }

    /// The nodes that play their cheaper variants.
    private var reducedLines: [StyledLine] {
        let nodes = state.text("reduced")
        guard !nodes.isEmpty else { return [] }
        return [StyledLine("too slow for the complete \(style.safe(nodes))", .alarm)]
    }

    // MARK: - Songs and scenes

    private var headLines: [StyledLine] {
        let song = step("song", of: state.overview.songs, showsCount: true)
        let scene = step("scene", of: state.overview.scenes, showsCount: false)
        return StyledLine.flow(
            [StyledLine(style.safe(state.overview.name), .strong), song, scene], gap: 3,
            columns: style.room) + cueLines
    }

    /// The cue in effect and the next one; nothing for songs that are not cue lists.
    private var cueLines: [StyledLine] {
        let cues = [("cue", "cue"), ("next", "next-cue")].filter { !state.text($0.1).isEmpty }
        return cues.map { label, address in
            var line = StyledLine("\(label) ", .faint)
            line.add(style.safe(state.text(address)), address == "cue" ? .strong : .plain)
            return line
        }
    }

    /// The notes of the song, in one line.
    private var notesLines: [StyledLine] {
        let notes = state.text("notes")
        guard !notes.isEmpty else { return [] }
        let words = notes.split(whereSeparator: \.isNewline).joined(separator: " ")
        return [StyledLine(style.safe(words), .plain)]
    }

    /// Returns the current entry of a list, and the next one.
    ///
    /// - Parameters:
    ///   - address: The address whose value is the current one; also the label.
    ///   - names: The list.
    ///   - showsCount: Whether the number is shown.
    /// - Returns: The line; empty if the list is.
    private func step(_ address: String, of names: [String], showsCount: Bool) -> StyledLine {
        guard !names.isEmpty else { return StyledLine() }
        let index = state.index(of: address, in: names)
        let count = showsCount && index != nil ? " \((index ?? 0) + 1)/\(names.count)" : ""
        var line = StyledLine("\(address)\(count) ", .faint)
        line.add(index.map { style.safe(names[$0]) } ?? "-", .strong)
        let next = (index ?? -1) + 1
        if names.indices.contains(next) {
            line.add(style.isASCII ? " > " : " → ", .faint)
            line.add(style.safe(names[next]), .faint)
        }
        return line
    }

    // MARK: - Figures

    private var figureLines: [StyledLine] {
        StyledLine.flow(
            [muteFigure, tempoFigure, gainFigure, loadFigure, coresFigure, xrunFigure]
                + [latencyFigure, limiterFigure],
            gap: 3, columns: style.room)
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
        return figure("load", "\(mean.percent), worst \(worst.percent) %", tone)
    }

    private var coresFigure: StyledLine {
        guard !state.coreLoads.isEmpty else { return StyledLine() }
        return figure("cores", state.coreLoads.map(\.percent).joined(separator: " ") + " %")
    }

    private var xrunFigure: StyledLine {
        let node = state.overrunNode.map { " (\(style.safe($0)))" } ?? ""
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
}

extension Double {
    /// A share in percent, without digits after the point.
    var percent: String { (100 * self).fixed(0) }
}
