import SessionCore
import Testing

@Suite("Comparing saved and live values")
struct CompareTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)
    private let stage: Stage

    init() throws {
        func text(_ gain: Int) -> String {
            """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
            "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(gain) } },
                       { "id": "b", "type": "gain" } ],
            "scenes": { "soft": { "a.gain": -12 } }
            """
        }
        stage = try Stage(text(-20), text(0))
        _ = stage.play(ones)
    }

    private var comparisons: [ComparedValues] {
        stage.events.compactMap { if case .compared(let values) = $0 { values } else { nil } }
    }

    @Test("switches between them, back and forth, without a step")
    func backAndForth() {
        _ = stage.ask("a.gain", .number(-6))
        _ = stage.ask("b.gain", .number(-1))
        _ = stage.play(ones)
        for _ in 0..<2 {
            #expect(stage.ask("compare") == .compared(.saved))
            #expect(stage.value("a.gain") == .number(-20))
            #expect(stage.value("b.gain") == .number(0))
            let saved = stage.play(ones)[0]
            #expect(largestStep(saved) < 0.002)
            #expect(abs((saved.last ?? 0) - 0.05) < 1e-4)
            #expect(stage.ask("compare") == .compared(.live))
            #expect(stage.value("a.gain") == .number(-6))
            #expect(stage.value("b.gain") == .number(-1))
            let live = stage.play(ones)[0]
            #expect(largestStep(live) < 0.002)
            // -7 dB.
            #expect(abs((live.last ?? 0) - 0.5 * 0.446684) < 1e-4)
        }
        #expect(comparisons == [.saved, .live, .saved, .live])
    }

    @Test("is refused if all values are as in the file with the scene in effect")
    func nothing() {
        let refusal = Answer.refused(
            "nothing to compare: all values are as in the file", suggestion: nil)
        #expect(stage.ask("compare") == refusal)
        _ = stage.ask("scene", .text("soft"))
        #expect(stage.ask("compare") == refusal)
        #expect(comparisons.isEmpty)
    }

    @Test("ends when a scene is applied, which changes only its own values")
    func scenes() {
        _ = stage.ask("a.gain", .number(-6))
        _ = stage.ask("b.gain", .number(-1))
        _ = stage.ask("compare")
        _ = stage.ask("scene", .text("soft"))
        #expect(comparisons == [.saved, .live])
        #expect(stage.value("a.gain") == .number(-12))
        #expect(stage.value("b.gain") == .number(-1))
        let out = stage.play(ones + ones)[0]
        // -13 dB.
        #expect(abs((out.last ?? 0) - 0.5 * 0.223872) < 1e-4)
    }

    @Test("keeps a value that is moved while the saved ones sound")
    func moved() {
        _ = stage.ask("a.gain", .number(-6))
        _ = stage.ask("compare")
        _ = stage.ask("b.gain", .number(-1))
        _ = stage.ask("compare")
        #expect(stage.value("a.gain") == .number(-6))
        #expect(stage.value("b.gain") == .number(-1))
    }

    @Test("is over when the song begins again, with its live values")
    func songs() {
        _ = stage.ask("a.gain", .number(-6))
        _ = stage.ask("compare")
        _ = stage.ask("song", .number(2))
        _ = stage.play(ones)
        _ = stage.ask("song", .number(1))
        _ = stage.play(ones)
        #expect(stage.value("song") == .text("song 1"))
        #expect(stage.value("a.gain") == .number(-6))
        #expect(stage.ask("compare") == .compared(.saved))
        #expect(stage.value("a.gain") == .number(-20))
    }

    @Test("must be switched to the live values before they are saved")
    func saving() {
        _ = stage.ask("a.gain", .number(-6))
        _ = stage.ask("compare")
        guard case .refused(let reason, _) = stage.ask("save") else {
            Issue.record("it was not refused")
            return
        }
        #expect(reason.hasPrefix("the saved values sound"))
    }
}
