import SessionCore
import Testing
import TestSignals

@Suite("The tempo")
struct TempoTests {
    private let song = """
        "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1, "limiter": false } },
        "nodes": [ { "id": "echo", "type": "delay", "parameters": { "beats": 1, "feedback": 0 } } ]
        """

    /// Returns the frame of an impulse's echo; `nil` if there is no echo.
    private func echo(_ stage: Stage) -> Int? {
        var impulse = [Float](repeating: 0, count: 64_000)
        impulse[0] = 1
        return stage.play(impulse)[0].firstIndex { abs($0) > 0.5 }
    }

    @Test("an echo in beats follows the tempo live, and keeps it in the next song")
    func echoFollows() throws {
        let stage = try Stage(song, song)
        #expect(echo(stage) == 24_000)
        #expect(stage.ask("tempo", .number(60)) == .done)
        _ = stage.play([Float](repeating: 0, count: 9_600))
        #expect(echo(stage) == 48_000)
        #expect(stage.ask("next-song") == .playing(song: "song 2"))
        _ = stage.play([Float](repeating: 0, count: 9_600))
        #expect(echo(stage) == 48_000)
    }
}
