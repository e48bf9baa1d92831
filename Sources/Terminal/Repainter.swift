/// Puts lines in the place of those before, at the end of what the terminal shows.
///
/// The cursor rests behind the last line, so that what is printed above scrolls away as ever.
package struct Repainter {
    /// The columns of the lines that are shown.
    private var shownColumns: [Int] = []

    /// One that has shown nothing yet.
    package init() {}

    /// Takes the cursor to the first line's start, and clears all from there.
    ///
    /// - Parameter columns: The terminal's width now: one that has got narrower since has broken lines into several.
    /// - Returns: What has to be sent for that.
    private mutating func clearing(columns: Int) -> String {
        guard !shownColumns.isEmpty else { return "" }
        let rows = shownColumns.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        shownColumns = []
        return (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\r\u{1B}[J"
    }

    /// What has to be sent for the lines to be shown.
    package mutating func show(_ lines: [StyledLine], style: TerminalStyle) -> String {
        let start = clearing(columns: style.columns)
        shownColumns = lines.map(\.columns)
        return start + lines.map { $0.coded(hasColour: style.hasColour) }.joined(separator: "\r\n")
    }

    /// What has to be sent for nothing to be shown, the cursor at the start of an empty line.
    package mutating func clear(style: TerminalStyle) -> String { clearing(columns: style.columns) }
}
