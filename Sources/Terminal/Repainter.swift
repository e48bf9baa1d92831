/// Replaces the last lines of a terminal with other lines.
///
/// The cursor remains after the last line, so that printed lines above scroll as usual.
package struct Repainter {
    /// The columns of the shown lines.
    private var shownColumns: [Int] = []

    /// Creates a repainter without shown lines.
    package init() {}

    /// Returns the codes that move the cursor to the start of the first line and clear everything
    /// after it.
    ///
    /// - Parameter columns: The current width of the terminal; if it has become narrower, it has
    ///   wrapped the lines.
    /// - Returns: The codes.
    private mutating func clearing(columns: Int) -> String {
        guard !shownColumns.isEmpty else { return "" }
        let rows = shownColumns.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        shownColumns = []
        return (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\r\u{1B}[J"
    }

    /// Returns the codes and text that show lines.
    package mutating func show(_ lines: [StyledLine], style: TerminalStyle) -> String {
        let start = clearing(columns: style.columns)
        shownColumns = lines.map(\.columns)
        return start + lines.map { $0.coded(hasColour: style.hasColour) }.joined(separator: "\r\n")
    }

    /// Returns the codes that remove all lines, with the cursor at the start of an empty line.
    package mutating func clear(style: TerminalStyle) -> String { clearing(columns: style.columns) }
}
