/// An examination as text for people, with at most 79 columns, except for long names.
package struct ExaminationText {
    private static let width = 79
    private let examination: Examination

    /// Creates the text of an examination.
    package init(_ examination: Examination) { self.examination = examination }

    /// The lines: a summary, each finding with its remedy, and the good findings in short.
    package var lines: [String] {
        let good = examination.findings.filter { $0.state == .good }
        let others = examination.findings.filter { $0.state != .good }
        var lines = [summary] + others.flatMap { [""] + Self.lines(of: $0) }
        if !good.isEmpty { lines += ["", "GOOD"] }
        lines += good.flatMap {
            Self.wrapped("\(Self.capitalised($0.title)): \($0.finding)", first: "  ", rest: "    ")
        }
        return lines
    }

    private var summary: String {
        let (bad, notices) = (examination.count(.bad), examination.count(.notice))
        return "\(bad) bad, \(notices) to notice, \(examination.count(.unknown)) unknown, "
            + "\(examination.count(.good)) good. Nothing was changed."
    }

    private static func lines(of finding: Finding) -> [String] {
        let fix = finding.fix
        return wrapped("\(finding.state.rawValue.uppercased()): \(finding.title)")
            + wrapped(finding.finding, first: "  ")
            + wrapped("Why: " + finding.why, first: "  ")
            // Commands stay on their lines, so that they can be copied.
            + (fix?.commands.isEmpty == false ? ["  Fix:"] : [])
            + (fix?.commands.map { "    " + $0 } ?? [])
            + (fix?.note.map {
                wrapped((fix?.commands.isEmpty == true ? "Fix: " : "") + $0, first: "  ")
            } ?? [])
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Returns text in lines that are broken between words.
    private static func wrapped(
        _ text: String, first: String = "", rest: String? = nil
    ) -> [String] {
        var lines = [first]
        var isEmpty = true
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]  // checked: there is a line
            if !isEmpty, last.count + 1 + word.count > width {
                lines.append((rest ?? first) + word)
            } else {
                lines[lines.count - 1] = last + (isEmpty ? "" : " ") + word  // checked: as above
            }
            isEmpty = false
        }
        return lines
    }
}
