import SessionCore
import Terminal
import Testing

@Suite("The reports in the view")
struct ReportLinesTests {
    private func text(_ state: ViewState) -> String {
        let style = TerminalStyle(columns: 80, rows: 24, isASCII: true)
        return ViewPage(state: state, style: style).lines.map(\.text).joined(separator: "\n")
    }

    @Test("are readable: times, levels and the names of files, per node")
    func readable() {
        var state = ViewState(SessionOverview(name: "Voice"))
        state.receive(
            .reports([
                .init("tape.recorded", .number(83.9), unit: "s"),
                .init("tape.peak", .number(-3.25), unit: "dB"),
                .init("tape.lost-frames", .number(0), unit: "frames"),
                .init("tape.state", .text("idle")), .init("tape.file", .text("/takes/one.wav")),
                .init("band.reports.position", .number(3725), unit: "s"),
                .init("band.file", .text("")), .init("band.voices", nil),
            ]))
        state.receive(.reportChanged(.init("tape.state", .text("recording"))))
        let text = text(state)
        #expect(
            text.contains("tape  recorded 1:23  peak -3.3 dB  state recording  file one.wav"))
        #expect(text.contains("band  position 1:02:05"))
        #expect(!text.contains("lost-frames"))
        #expect(!text.contains("voices"))
        state.receive(.addressesChanged)
        #expect(!self.text(state).contains("tape"))
    }
}
