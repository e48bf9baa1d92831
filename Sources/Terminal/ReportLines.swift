internal import Platform
internal import SessionCore

/// The values that nodes report, one line or more per node.
struct ReportLines {
    private static let maximumNodes = 6
    /// The maximum number of values per node; some plugins have dozens of meters.
    private static let maximumValues = 8
    private static let textColumns = 24

    private let state: ViewState
    private let style: TerminalStyle

    init(_ state: ViewState, _ style: TerminalStyle) {
        self.state = state
        self.style = style
    }

    /// Each node's name, then the names and values of its reports.
    var lines: [StyledLine] {
        let nodes = shownNodes
        let left = nodes.count - Self.maximumNodes
        let rest = left > 0 ? [StyledLine("reports of \(left) more nodes", .faint)] : []
        return nodes.prefix(Self.maximumNodes).flatMap { node, reports in
            let head = StyledLine(style.safe(node), .strong)
            return StyledLine.flow(
                [head] + reports.prefix(Self.maximumValues), gap: 2, columns: style.room)
        } + rest
    }

    /// The nodes in the order of the pipeline, each with the values to show.
    private var shownNodes: [(node: String, reports: [StyledLine])] {
        var nodes: [(node: String, reports: [StyledLine])] = []
        for report in state.reports {
            guard let dot = report.address.firstIndex(of: "."), let text = text(of: report) else {
                continue
            }
            let node = String(report.address[..<dot])
            // A report whose name a parameter has is at `node.reports.name`.
            let name = report.address.split(separator: ".").last.map(String.init) ?? ""
            var line = StyledLine("\(style.safe(name)) ", .faint)
            line.add(style.safe(text))
            if nodes.last?.node == node {
                nodes[nodes.count - 1].reports.append(line)
            } else {
                nodes.append((node, [line]))
            }
        }
        return nodes
    }

    /// Returns a value as a person reads it; `nil` for an unknown or empty one, and for a count of
    /// frames that is 0, because it counts errors.
    private func text(of report: NodeReport) -> String? {
        switch report.value {
        case .number(let number):
            switch report.unit {
            case "s": Self.clock(number)
            case "frames" where number == 0: nil
            case "": number.rounded() == number ? number.fixed(0) : number.fixed(2)
            default: "\(number.fixed(1)) \(report.unit)"
            }
        case .toggle(let isOn): isOn ? "yes" : "no"
        case .text(let text): text.isEmpty ? nil : short(text)
        case nil: nil
        }
    }

    /// Returns the last part of a path, cut to a few columns.
    private func short(_ text: String) -> String {
        let name = text.split(separator: "/").last.map(String.init) ?? text
        return TextWidth.cut(style.safe(name), to: Self.textColumns, isASCII: style.isASCII)
    }

    /// Returns seconds as `m:ss`, or as `h:mm:ss` from an hour on; `?` for NaN, which a plugin may
    /// report.
    static func clock(_ seconds: Double) -> String {
        guard !seconds.isNaN else { return "?" }
        // More than a year is no duration of a sound.
        let all = Int(min(max(seconds, 0), 31_536_000).rounded(.down))
        let (hours, minutes, rest) = (all / 3600, all / 60 % 60, all % 60)
        let tail = rest < 10 ? "0\(rest)" : "\(rest)"
        guard hours > 0 else { return "\(minutes):\(tail)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }
}
