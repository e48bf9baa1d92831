import Engine
import Pipelines
import SessionCore
import Testing

import Terminal

@Suite("The terminal view")
struct ViewPageTests {
    /// A state in the middle of a session.
    private let state: ViewState = {
        var state = ViewState(
            SessionOverview(
                name: "Friday", scenes: ["verse", "chorus", "合唱"], songs: ["Opener", "Ballad"],
                inputs: [.init(port: "mic", reference: "mic")]))
        state.receive(
            Answer.values([
                .init("scene", .text("verse")), .init("song", .number(1)),
                .init("tempo", .number(120)), .init("mute", .toggle(false)),
                .init("gain", .number(0)), .init("tuner", .text("mic")),
                .init("verb.bypass", .toggle(true)), .init("cut.bypass", .toggle(false)),
            ]))
        for notice in [
            SessionEvent.level(port: "mic", peak: -12.34, rms: -20.1),
            .level(port: "main_1", peak: 0.2, rms: -9.5),
            .level(port: "main_1", peak: -14, rms: -22.5),
            .load(mean: 0.12, worst: 0.3, xruns: 2), .pitch(hertz: 441),
        ] { state.receive(notice) }
        state.receive(
            SessionEvent.overrun(
                node: "verb",
                Overrun(periods: 1.2, nodePeriods: 1, playingPeriods: 1, ringingPeriods: 0)))
        state.receive(
            .status(
                SessionStatus(
                    outputs: [], meanLoad: 0.12, worstLoad: 0.3, xruns: 2, latencyFrames: 64,
                    roundTripFrames: 480, sampleRate: 48_000, limiterGain: 1,
                    nodes: [
                        .init(node: "cut", mean: 0.01, worst: 0.02),
                        .init(node: "verb", mean: 0.08, worst: 0.22),
                    ])))
        return state
    }()

    private func lines(
        _ state: ViewState, columns: Int = 80, rows: Int = 24, isASCII: Bool = false
    ) -> [StyledLine] {
        let style = TerminalStyle(columns: columns, rows: rows, isASCII: isASCII)
        return ViewPage(state: state, style: style).lines
    }

    private func text(_ state: ViewState, columns: Int = 80, isASCII: Bool = false) -> String {
        lines(state, columns: columns, isASCII: isASCII).map(\.text).joined(separator: "\n")
    }

    @Test("shows the session in a few lines")
    func picture() {
        #expect(
            text(state) == """
                Friday   song 1/2 Opener → Ballad   scene verse → chorus
                mic    ▮▮▮▮▮▮▮▮▯▯··  -12.3  -20.1       main_1 ▮▮▮▮▮▮▮▮▯▯··  -14.0  -22.5 CLIP
                tempo 120.0   load 12, worst 30 %   xruns 2 (verb)   latency 10.0 ms
                nodes  cut 1/2 %  verb 8/22 %
                bypass  verb yes
                tuner mic  A4    +3.9 ct ──────────┼●─────────  441.00 Hz
                n/p scene   m mute   t tap   u tuner   q quit   ? keys
                """)
    }

    @Test("shows the load of each core if there are several")
    func cores() {
        var state = state
        var status = SessionStatus(
            outputs: [], meanLoad: 0.4, worstLoad: 0.5, xruns: 0, latencyFrames: 0,
            roundTripFrames: 0, sampleRate: 48_000, limiterGain: 1, nodes: [])
        status.coreLoads = [0.4, 0.376]
        state.receive(.status(status))
        #expect(text(state).contains("   cores 40 38 %   "))
        #expect(!text(self.state).contains("cores"))
    }

    @Test("shows the cue in effect and the next one below the scene")
    func cues() {
        var state = state
        state.receive(
            Answer.values([
                .init("cue", .text("12 Rain")), .init("next-cue", .text("12.5 Thunder")),
            ]))
        let lines = text(state).split(separator: "\n")
        #expect(lines[1...2] == ["cue 12 Rain", "next 12.5 Thunder"])
        state.receive(SessionEvent.valueChanged(.init("next-cue", .text(""))))
        #expect(!text(state).contains("next 12.5"))
    }

    @Test("shows ports without a connection in red, and the others below")
    func connections() throws {
        var state = state
        state.receive(
            .connections(
                SessionConnections(
                    ports: [
                        .init(
                            name: "mic", isInput: true,
                            unmatchedRules: [
                                .init(text: "sytem:capture_1", nearest: "system:capture_1")
                            ]),
                        .init(name: "main_1", isInput: false, others: ["system:playback_1"]),
                        .init(name: "main_2", isInput: false),
                    ], changed: [0, 1, 2])))
        let lines = lines(state, columns: 100)
        let fault =
            "mic NOT CONNECTED: no port \"sytem:capture_1\" (did you mean system:capture_1?)"
        #expect(lines.contains(StyledLine(fault, .alarm)))
        #expect(
            lines.map(\.text).contains(
                "ports  main_1 to system:playback_1  main_2 not connected"))
        #expect(!text(self.state).contains("ports"))
    }

    @Test("problems are red lines, at most four, until there are none")
    func problems() {
        var state = state
        let problems = (1...6).map { number in
            Problem(
                song: "Song \(number)",
                diagnostic: Diagnostic(
                    file: "\(number).json", line: 1, column: 1, pointer: "", code: .syntax,
                    message: "broken"),
                consequence: .skipped)
        }
        state.receive(SessionEvent.problems(problems))
        let shown = lines(state)
        for line in [
            StyledLine("song \"Song 1\" is skipped: 1.json:1: broken", .alarm),
            StyledLine("song \"Song 4\" is skipped: 4.json:1: broken", .alarm),
            StyledLine("and 2 more problems", .alarm),
        ] { #expect(shown.contains(line)) }
        #expect(!shown.contains { $0.text.contains("Song 5") })
        state.receive(SessionEvent.problems([]))
        #expect(!text(state).contains("problem") && !text(state).contains("skipped"))
    }

    @Test("fits every terminal of 40 columns and more", arguments: [40, 41, 59, 60, 79, 80, 200])
    func width(_ columns: Int) {
        var state = state
        state.receive(
            .overviewChanged(
                SessionOverview(
                    name: "合唱🎸 of a very long night", scenes: ["verse", "a long chorus 合唱"])))
        for index in 1...40 { state.receive(.level(port: "an_input_\(index)", peak: -3, rms: -9)) }
        state.receive(
            Answer.refused("There is no such thing as what was asked for here", suggestion: nil))
        for rows in [3, 8, 24] {
            for isASCII in [false, true] {
                let lines = lines(state, columns: columns, rows: rows, isASCII: isASCII)
                #expect(lines.allSatisfy { $0.columns < columns })
                #expect(lines.count < rows)
                #expect(!lines.isEmpty)
            }
        }
    }

    @Test("keeps mute, load and refusals if there is no room for more")
    func low() {
        var state = state
        state.receive(.valueChanged(.init("mute", .toggle(true))))
        state.receive(Answer.refused("No", suggestion: nil))
        let lines = lines(state, rows: 3).map(\.text)
        #expect(lines.count == 2)
        #expect(lines.contains { $0.contains("MUTED") && $0.contains("load") })
        #expect(lines.contains("No"))
    }

    @Test("is plain ASCII if the terminal's locale is")
    func ascii() {
        let text = text(state, isASCII: true)
        #expect(text.allSatisfy { $0.isASCII })
        #expect(text.contains("########++.."))
        #expect(text.contains("verse > chorus"))
    }

    @Test("lets no name change the terminal")
    func hostile() {
        var state = state
        state.receive(
            .overviewChanged(SessionOverview(name: "a\u{1B}]0;b\u{07}c\u{9B}2J\u{202E}d\r\n")))
        #expect(
            text(state).split(separator: "\n").first
                == "a\\u{1b}]0;b\\u{7}c\\u{9b}2J\\u{202e}d\\r\\n")
    }

    @Test("lets no refusal change the terminal")
    func hostileRefusal() {
        var state = state
        state.receive(.refused("there is no \u{1B}[2J", suggestion: "\u{9B}2J"))
        #expect(text(state).contains("there is no \\u{1b}[2J (did you mean \\u{9b}2J?)"))
        #expect(StyledLine("a\u{1B}\nb").text == "a\\u{1b}\\nb")
    }

    @Test("is coloured, unless colours are off")
    func colour() {
        let line = StyledLine("MUTED", .alarm)
        #expect(line.coded(hasColour: true) == "\u{1B}[1;31mMUTED\u{1B}[0m")
        #expect(line.coded(hasColour: false) == "MUTED")
        let plain = TerminalStyle(of: -1, environment: { $0 == "NO_COLOR" ? "1" : nil })
        #expect(!plain.hasColour)
        #expect(plain.isASCII)
        let full = TerminalStyle(of: -1, environment: { $0 == "LANG" ? "de_DE.utf8" : nil })
        #expect(full.hasColour)
        #expect(!full.isASCII)
    }

    @Test("discards the levels of a song that has ended")
    func songs() {
        var state = state
        state.receive(.overviewChanged(SessionOverview(name: "Friday")))
        state.receive(.level(port: "guitar", peak: -9, rms: -18))
        #expect(text(state).contains("guitar"))
        #expect(!text(state).contains("main_1"))
    }

    @Test("shows the latency and the limiter of a status, and levels only of level events")
    func session() {
        var state = ViewState(SessionOverview(name: "Voice"))
        state.receive(
            .status(
                SessionStatus(
                    outputs: [.init(port: "out_1", peak: 0.5)], meanLoad: 0.1, worstLoad: 0.2,
                    xruns: 0, latencyFrames: 64, roundTripFrames: 480, sampleRate: 48_000,
                    limiterGain: 0.5)))
        #expect(!text(state).contains("out_1"))
        state.receive(.level(port: "out_1", peak: -6, rms: -9))
        let text = text(state)
        #expect(text.contains("-6.0   -9.0"))
        #expect(text.contains("latency 10.0 ms"))
        #expect(text.contains("limiter -6.0 dB"))
    }

    @Test(
        "names the nearest note",
        arguments: [
            (440.0, "A4", 0.0), (82.41, "E2", 0.0), (261.63, "C4", 0.0), (452.85, "A4", 49.8),
            (466.0, "A#4", -0.6), (30.868, "B0", 0.0),
        ])
    func notes(_ hertz: Double, _ name: String, _ cents: Double) {
        let note = Note(hertz: hertz)
        #expect(note?.name == name)
        #expect(abs((note?.cents ?? .nan) - cents) < 0.1)
        #expect(Note(hertz: 0) == nil)
    }

    @Test("knows the width of characters")
    func widths() {
        #expect(TextWidth.columns("Opener") == 6)
        #expect(TextWidth.columns("合唱") == 4)
        #expect(TextWidth.columns("🎸") == 2)
        #expect(TextWidth.columns("e\u{301}") == 1)
        #expect(TextWidth.cut("合唱合唱", to: 5, isASCII: false) == "合唱…")
        #expect(TextWidth.cut("合唱合唱", to: 4, isASCII: false) == "合…")
    }

    @Test(
        "shows nonsensical levels, pitches and scenes",
        arguments: [Double.nan, .infinity, -1e300])
    func extremes(number: Double) {
        var state = state
        state.receive(.level(port: "guitar", peak: number, rms: number))
        state.receive(.pitch(hertz: number))
        state.receive(.load(mean: number, worst: number, xruns: .max))
        state.receive(.valueChanged(.init("scene", .number(number))))
        state.receive(.valueChanged(.init("song", .number(number))))
        #expect(text(state).contains("guitar"))
    }
}
