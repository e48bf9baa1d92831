internal import Pipelines
internal import Testing

@Suite("Fades of scenes")
struct SceneFadeTests {
    private func text(_ scene: String) -> String {
        """
        {"version": 1, "nodes": [{"id": "a", "type": "gain"}],
         "scenes": {"s": {"a.gain": -6, "a.pan": 0.5, "a.bypass": true, \(scene)}}}
        """
    }

    private func manners(_ scene: String) throws -> [FadeManner] {
        let pipeline = try decode(text(scene))
        return pipeline.scenes[0].changes.map {
            pipeline.manner(of: $0, in: pipeline.scenes[0])
        }
    }

    @Test("one time is for all values in between, and a toggle changes at once")
    func shared() throws {
        #expect(
            try manners(#""over": 5, "curve": "smooth""#).map(\.seconds) == [5, 5, 0])
        #expect(try manners(#""over": 5, "curve": "smooth""#)[0].curve == .smooth)
        #expect(try manners(#""curve": "ease-in""#).map(\.seconds) == [0, 0, 0])
    }

    @Test("an address can have its own time, even if it is a toggle")
    func own() throws {
        #expect(
            try manners(#""over": {"a.gain": 2, "a.bypass": 3, "others": 1}"#).map(\.seconds)
                == [2, 1, 3])
        #expect(try manners(#""over": {"a.gain": 2}"#).map(\.seconds) == [2, 0, 0])
    }

    @Test(
        "an invalid time or curve is an error",
        arguments: [
            (#""over": -1"#, "0"), (#""over": 3601"#, "3600"), (#""over": "long""#, "over"),
            (#""over": {"a.gain": -1}"#, "a.gain"), (#""over": {"a.gain": true}"#, "a.gain"),
            (#""curve": "steep""#, "linear"), (#""curve": 1"#, "curve"),
        ])
    func invalid(scene: String, words: String) {
        let errors = errors(text(scene))
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains(words) == true)
    }

    @Test("a time for an address that the scene does not change is an error")
    func unknown() {
        let errors = errors(text(#""over": {"a.gian": 1}"#))
        #expect(errors.count == 1)
        #expect(errors.first?.message.contains("does not change") == true)
        #expect(errors.first?.suggestion == "a.gain")
    }
}
