import SessionCore
import Testing

@Suite("External values")
struct AddressTests {
    private let stage: Stage

    init() throws {
        let song = """
            "inputs": { "in": { "channels": 2 } }, "outputs": { "out": { "channels": 2 } },
            "nodes": [ { "id": "a", "type": "gain" } ],
            "scenes": { "soft": { "a.gain": -12 }, "loud": { "a.gain": 0 } }
            """
        stage = try Stage(song, song)
    }

    /// Numbers at which arithmetic overflows, or that have no neighbouring whole number.
    private static let extremes: [Double] = [
        -9_223_372_036_854_775_808, 9_223_372_036_854_775_808, 9_223_372_036_854_774_784,
        -1e300, 1e300, .infinity, -.infinity, .nan, 0, -0.0, -1, 3, 0.5, 1.5, 4_294_967_296,
        .leastNonzeroMagnitude,
    ]

    private static let extremeTexts = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "0", "3", "1e3",
        ":", "::", "", " ", "\u{0}", "in:-9223372036854775808", "in:9223372036854775807", "in:0",
        "in:3", "in:99999999999999999999", ":in:1", "in:1:1", "in::1",
    ]

    @Test("a nonexistent scene or song is refused, whatever its number", arguments: extremes)
    func numbers(number: Double) {
        for word in ["scene", "song"] {
            guard case .refused(let reason, _) = stage.ask(word, .number(number)) else {
                Issue.record("\(word) \(number) was not refused")
                continue
            }
            #expect(reason.hasPrefix("there is no \(word) "))
        }
        #expect(stage.value("song") == .text("song 1"))
    }

    @Test(
        "a nonexistent scene or song is refused, whatever its name", arguments: extremeTexts)
    func texts(text: String) {
        for word in ["scene", "song"] {
            guard case .refused = stage.ask(word, .text(text)) else {
                Issue.record("\(word) \"\(text)\" was not refused")
                continue
            }
        }
    }

    @Test("every address answers every value", arguments: extremes)
    func everyAddress(number: Double) {
        let words = [
            "scene", "song", "tempo", "mute", "gain", "tuner", "learn", "save", "save-scene",
            "undo", "redo", "next-undo", "next-redo",
            "compare", "keep",
        ]
        for address in words + ["a.gain", "a.mix", "a.bypass", "none.mix", ".", "a.", ".a"] {
            for value in [Value.number(number), .text("\(number)"), .toggle(true), .text("")] {
                _ = stage.ask(address, value)
            }
        }
        for text in Self.extremeTexts {
            for address in words + ["a.gain", "a.bypass"] { _ = stage.ask(address, .text(text)) }
        }
        // The session still answers.
        #expect(stage.ask("scene", .number(2)) == .done)
        #expect(stage.value("scene") == .text("loud"))
    }

    @Test("numbers and numerals from 1 choose a scene")
    func chosen() {
        #expect(stage.ask("scene", .number(1)) == .done)
        #expect(stage.value("scene") == .text("soft"))
        #expect(stage.ask("scene", .text("2")) == .done)
        #expect(stage.value("scene") == .text("loud"))
    }

    @Test(
        "the tuner accepts an input's channels and refuses others",
        arguments: [":", "::", "in:0", "in:3", "in:-9223372036854775808", "in:x", "out", "i:1"])
    func tuner(name: String) {
        #expect(stage.ask("tuner", .text("in:2")) == .done)
        guard case .refused(let reason, _) = stage.ask("tuner", .text(name)) else {
            Issue.record("the tuner took \"\(name)\"")
            return
        }
        #expect(reason == "there is no input channel \"\(name)\"")
        #expect(stage.value("tuner") == .text("in:2"))
    }
}
