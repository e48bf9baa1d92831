internal import Pipelines
internal import Platform
internal import Proof
internal import SessionCore

/// The result of `stompline prove` as a page for browsers, which needs no other file.
struct ProofPage {
    private static let intervals = 50

    private let night: PlayedNight
    private let findings: [Finding]

    init(_ night: PlayedNight) {
        self.night = night
        findings = night.findings
    }

    /// The page.
    var text: String {
        let request = night.request
        let period = (1000 * Double(request.blockFrames) / request.sampleRate).fixed(2)
        let counts = Finding.State.allCases.map { state in
            "\(findings.count { $0.state == state }) \(state.rawValue)"
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(Self.escaped(night.songs.name)): proof</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <h1>\(Self.escaped(night.songs.name))</h1>
            <p>\(counts.joined(separator: ", ")). \(request.blockFrames) frames at \
            \(Int(request.sampleRate)) Hz: a period lasts \(period) ms.</p>
            \(findings.map(Self.html).joined(separator: "\n"))
            <h2>The night</h2>
            <p>The worst block of each step, in the order of the night. The line is the period.</p>
            \(course)
            <h2>Loads</h2>
            <p>The number of blocks with each load, on a logarithmic scale.</p>
            \(distribution)
            <h2>Songs and scenes</h2>
            \(partTable)
            <h2>Latencies</h2>
            <p>The latency of each output, without the sound card, and the nodes that cause it.</p>
            \(latencyTable)
            </body>
            </html>
            """
    }

    private static let style = """
        body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
        article { border-left: .4em solid #2a8; padding: .2em 1em; margin: .8em 0; }
        .bad { border-color: #c22; } .notice { border-color: #d90; } .unknown { border-color: #888; }
        table { border-collapse: collapse; } td, th { padding: .1em .8em; text-align: right; }
        td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left; }
        svg { width: 100%; height: auto; } text { font: 12px sans-serif; }
        @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } text { fill: #ddd; } }
        """

    private static func html(_ finding: Finding) -> String {
        let place = finding.place.map { "\(escaped($0.text)): " } ?? ""
        let more =
            finding.state == .good
            ? "" : "<br>\(escaped(finding.why))" + (finding.fix.map { " \(escaped($0))" } ?? "")
        return """
            <article class="\(finding.state.rawValue)"><b>\(escaped(finding.title))</b> \
            \(place)\(escaped(finding.finding))\(more)</article>
            """
    }

    // MARK: Plots

    /// A bar for the worst block of each step.
    private var course: String {
        let loads = night.steps.indices.map { night.loads(ofStep: $0).worst }
        let top = max(1.05, loads.max() ?? 1)
        let width = 1000 / Double(max(1, loads.count))
        let bars = loads.enumerated().map { index, load in
            let height = 240 * load / top
            let step = night.steps[index]
            let title = Self.escaped("\(step.place.text), \(step.title): \(Self.percent(load))")
            return
                "<rect x=\"\((Double(index) * width).fixed(2))\" y=\"\((240 - height).fixed(2))\" "
                + "width=\"\(max(0.5, 0.9 * width).fixed(2))\" height=\"\(height.fixed(2))\" "
                + "fill=\"\(Self.colour(of: load))\"><title>\(title)</title></rect>"
        }
        let line = (240 - 240 / top).fixed(2)
        return """
            <svg viewBox="0 0 1000 250" role="img" aria-label="worst load of each step">
            \(bars.joined(separator: "\n"))
            <line x1="0" x2="1000" y1="\(line)" y2="\(line)" stroke="#c22"/>
            </svg>
            """
    }

    /// A bar for the number of blocks in each interval of loads.
    private var distribution: String {
        let loads = night.loads
        let top = max(0.01, loads.worst * 1.001)
        let counts = loads.counts(intervals: Self.intervals, upTo: top)
        let most = Self.height(counts.max() ?? 1)
        let bars = counts.enumerated().map { index, count in
            let height = 220 * Self.height(count) / max(1, most)
            let low = Self.percent(top * Double(index) / Double(Self.intervals))
            return
                "<rect x=\"\(index * 20)\" y=\"\((230 - height).fixed(2))\" width=\"18\" "
                + "height=\"\(height.fixed(2))\" fill=\"#27c\"><title>\(count) blocks from \(low)"
                + "</title></rect>"
        }
        return """
            <svg viewBox="0 0 1000 250" role="img" aria-label="distribution of loads">
            \(bars.joined(separator: "\n"))
            <text x="0" y="246">0 %</text>
            <text x="1000" y="246" text-anchor="end">\(Self.percent(top))</text>
            </svg>
            """
    }

    /// Returns the number of binary digits of a count: the height of a bar.
    private static func height(_ count: Int) -> Double {
        Double(Int.bitWidth - count.leadingZeroBitCount)
    }

    private static func colour(of load: Double) -> String {
        load > 1 ? "#c22" : load > 0.7 ? "#d90" : "#2a8"
    }

    // MARK: Table

    private var partTable: String {
        let isMixed = night.mixesMeasurements
        let rows = night.songsAndScenes.map { part in
            let mark = isMixed && part.isInRealTime ? "*" : ""
            let cells = [
                part.place.song, part.place.scene ?? "", Self.percent(part.meanLoad) + mark,
                Self.percent(part.worstLoad) + mark,
                part.peakDecibels.map { "\($0.fixed(1)) dB" } ?? "",
                part.loudness.map { "\($0.fixed(1)) LUFS" } ?? "",
            ]
            return "<tr>" + cells.map { "<td>\(Self.escaped($0))</td>" }.joined() + "</tr>"
        }
        return """
            <table>
            <tr><th>song<th>scene<th>mean load<th>worst load<th>peak<th>loudness</tr>
            \(rows.joined(separator: "\n"))
            </table>
            \(isMixed ? "<p>\(Self.escaped(ProofReport.markMeaning))</p>" : "")
            """
    }

    private var latencyTable: String {
        let rows = night.outputLatencies.map { latency in
            let path = latency.path.map(\.node).joined(separator: ", ")
            let cells = [
                latency.song, latency.output, "\(latency.milliseconds.fixed(1)) ms", path,
            ]
            return "<tr>" + cells.map { "<td>\(Self.escaped($0))</td>" }.joined() + "</tr>"
        }
        return """
            <table>
            <tr><th>song<th>output<th>latency<th>by</tr>
            \(rows.joined(separator: "\n"))
            </table>
            """
    }

    private static func percent(_ share: Double) -> String { "\((100 * share).fixed(1)) %" }

    /// Returns text in which no character has a meaning in HTML.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
