import SessionCore
import Testing

@Suite("Fades of a session")
struct FadeTests {
    private static let song = """
        "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
        "nodes": [{ "id": "a", "type": "gain" }],
        "scenes": {
            "soft": { "a.gain": -24, "over": 1 },
            "own": { "a.gain": -12, "a.mute": true, "over": { "a.gain": 0.5, "a.mute": 1 } },
            "now": { "a.gain": -3 }
        }
        """

    private let stage: Stage

    init() throws { stage = try Stage(Self.song) }

    private func play(seconds: Double) -> [Float] {
        stage.play([Float](repeating: 1, count: Int(seconds * 48_000)))[0]
    }

    private func number(_ address: String) -> Double? {
        if case .number(let number) = stage.value(address) { number } else { nil }
    }

    private func fade(_ address: String, _ value: Double, seconds: Double) -> Answer {
        stage.session.perform(.fade(address, .number(value), seconds: seconds))
    }

    @Test("a fade reports its current value, and ends exactly at its target")
    func current() throws {
        #expect(fade("a.gain", -24, seconds: 1) == .done)
        #expect(number("a.gain") == 0)
        _ = play(seconds: 0.5)
        let half = try #require(number("a.gain"))
        #expect((-12.1 ... -9).contains(half))
        let heard = play(seconds: 0.7)
        #expect(number("a.gain") == -24)
        #expect(abs(heard[heard.count - 1] - 0.0631) < 0.0001)
    }

    @Test("changes during a fade are published")
    func published() {
        #expect(fade("a.gain", -24, seconds: 1) == .done)
        _ = play(seconds: 1.2)
        let values = stage.events.compactMap { event -> Double? in
            guard case .valueChanged(let entry) = event, entry.address == "a.gain",
                case .number(let number) = entry.value
            else { return nil }
            return number
        }
        #expect((5...20).contains(values.count))
        #expect(values == values.sorted(by: >))
        #expect(values.last == -24)
    }

    @Test("a scene with a time fades, and the level has no step")
    func scene() throws {
        _ = play(seconds: 0.1)
        #expect(stage.ask("scene", .text("soft")) == .done)
        let heard = play(seconds: 1.2)
        #expect(largestStep(heard) < 0.0005)
        #expect(abs(heard[heard.count - 1] - 0.0631) < 0.0001)
        #expect(number("a.gain") == -24)
    }

    @Test("a scene without a time overtakes a fade, and the level has no step")
    func overtaken() throws {
        _ = play(seconds: 0.1)
        #expect(stage.ask("scene", .text("soft")) == .done)
        let first = play(seconds: 0.5)
        #expect(stage.ask("scene", .text("now")) == .done)
        #expect(number("a.gain") == -3)
        let second = play(seconds: 0.8)
        // A smooth step of 20 ms is at most 1.5 / 960 per frame.
        #expect(largestStep(first + second) < 0.0016)
        #expect(abs(second[second.count - 1] - 0.7079) < 0.0001)
        #expect(number("a.gain") == -3)
    }

    @Test("an address has its own time, and a toggle changes at the end of it")
    func own() {
        #expect(stage.ask("scene", .text("own")) == .done)
        _ = play(seconds: 0.7)
        #expect(number("a.gain") == -12)
        #expect(stage.value("a.mute") == .toggle(false))
        let heard = play(seconds: 0.5)
        #expect(stage.value("a.mute") == .toggle(true))
        #expect(heard[heard.count - 1] == 0)
    }

    @Test("the target of a fade is kept, not its current value")
    func kept() {
        #expect(fade("a.gain", -24, seconds: 10) == .done)
        _ = play(seconds: 0.5)
        #expect(stage.session.snapshot.values == [AddressValue("a.gain", .number(-24))])
    }

    @Test("a value that is set ends a fade")
    func set() {
        #expect(fade("a.gain", -24, seconds: 1) == .done)
        _ = play(seconds: 0.5)
        #expect(stage.ask("a.gain", .number(-6)) == .done)
        _ = play(seconds: 1)
        #expect(number("a.gain") == -6)
    }

    @Test("an invalid time, and an address that cannot fade, are refused")
    func refused() {
        for seconds in [-1, 3601, Double.nan, .infinity] {
            guard case .refused(let reason, _) = fade("a.gain", -24, seconds: seconds) else {
                Issue.record("\(seconds) s is no time")
                continue
            }
            #expect(reason.contains("0…3600"))
        }
        for address in ["gain", "tempo", "a.nothing", "b.gain"] {
            guard case .refused = fade(address, -24, seconds: 1) else {
                Issue.record("\(address) cannot fade")
                continue
            }
        }
        guard case .refused = stage.ask("fade-all", .number(-1)) else {
            Issue.record("-1 s is no time")
            return
        }
        #expect(stage.ask("fade-all", .number(3)) == .done)
        #expect(stage.ask("stop-all") == .done)
    }
}
