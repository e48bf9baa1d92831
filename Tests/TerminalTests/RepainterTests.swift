import Testing

import Terminal

@Suite("Repainting")
struct RepainterTests {
    private let style = TerminalStyle(columns: 80, rows: 24, hasColour: false)

    @Test("overwrites the previous lines")
    func inPlace() {
        var painter = Repainter()
        #expect(painter.show([StyledLine("a"), StyledLine("b")], style: style) == "a\r\nb")
        #expect(painter.show([StyledLine("c")], style: style) == "\u{1B}[1A\r\u{1B}[Jc")
        #expect(painter.clear(style: style) == "\r\u{1B}[J")
        #expect(painter.clear(style: style) == "")
    }

    @Test("finds the first line again in a terminal that has become narrower")
    func narrower() {
        var painter = Repainter()
        let lines = [StyledLine(String(repeating: "x", count: 79)), StyledLine("b")]
        _ = painter.show(lines, style: style)
        let narrow = TerminalStyle(columns: 40, rows: 24, hasColour: false)
        #expect(painter.clear(style: narrow) == "\u{1B}[2A\r\u{1B}[J")
    }
}
