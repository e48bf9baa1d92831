import Proof
import SessionCore
import Testing

@Suite("Walk through a night")
struct WalkTests {
    private static let plain =
        "\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": {} }, \"nodes\": [{ \"id\": \"a\", \"type\": \"gain\" }]"

    private func deeds(_ night: Night, _ kind: Step.Kind) -> [Step.Deed] {
        night.steps.filter { $0.kind == kind }.map(\.deed)
    }

    @Test("songs are played forwards and backwards")
    func songs() throws {
        let night = try Night(Self.plain, Self.plain, Self.plain)
        #expect(deeds(night, .song) == [0, 1, 2, 1, 0].map { .song($0) })
    }

    @Test("songs are left and entered by go and back, if a binding has them")
    func cues() throws {
        let cues =
            Self.plain
            + ", \"scenes\": { \"x\": {}, \"y\": {} }"
            + ", \"midi\": [{ \"cc\": 7, \"action\": \"go\" }]"
        let night = try Night(cues, cues)
        let steps = night.steps
        let end = Array(steps.suffix(4))
        #expect(
            end.map(\.deed) == [.scene(0), .cue(.back, song: 0), .cue(.go, song: 1), .song(0)])
        #expect(end.map(\.place.scene) == ["x", "y", "x", nil])
        #expect(try night.play().findings(of: "steps").map(\.state) == [.good])
    }

    @Test("scenes are called in their order and back, in the song")
    func scenes() throws {
        let night = try Night(
            Self.plain + ", \"scenes\": { \"x\": { \"a.gain\": -6 }, \"y\": {}, \"z\": {} }")
        #expect(deeds(night, .scene) == [0, 1, 2, 1, 0].map { .scene($0) })
        let places = night.steps.filter { $0.kind == .scene }.map(\.place.scene)
        #expect(places == ["x", "y", "z", "y", "x"])
    }

    @Test("each node is bypassed, and replaced by an edit that is undone")
    func nodes() throws {
        let steps = try Night(Self.plain).steps.filter { $0.place.node == "a" }
        #expect(steps.map(\.kind) == [.bypass, .bypass, .edit, .undo])
        #expect(
            steps.map(\.deed) == [
                .set([AddressValue("a.bypass", .toggle(true))]),
                .set([AddressValue("a.bypass", .toggle(false))]), .replace(node: "a"), .undo,
            ])
    }

    @Test("a binding goes to both ends, sweeps, and returns to the value of the file")
    func bindings() throws {
        let night = try Night(
            Self.plain + ", \"midi\": [{ \"cc\": 7, \"to\": \"a.gain\", \"range\": [-24, 6] }]")
        let steps = deeds(night, .binding)
        #expect(steps.count == 4)
        #expect(steps[0] == .set([AddressValue("a.gain", .number(-24))]))
        #expect(steps[1] == .set([AddressValue("a.gain", .number(6))]))
        guard case .sweep(let values) = steps[2] else {
            Issue.record("the third step is no sweep")
            return
        }
        #expect(values.first == AddressValue("a.gain", .number(-24)))
        #expect(values[values.count / 2] == AddressValue("a.gain", .number(6)))
        #expect(values.last == AddressValue("a.gain", .number(-24)))
        #expect(steps[3] == .set([AddressValue("a.gain", .number(0))]))
    }

    @Test("a switch goes on and off and is not swept")
    func toggles() throws {
        let night = try Night(
            Self.plain
                + ", \"midi\": [{ \"cc\": 80, \"to\": \"a.mute\", \"mode\": \"toggle\" }]")
        let values = deeds(night, .binding)
        #expect(values.count == 3)
        #expect(!values.contains { if case .sweep = $0 { true } else { false } })
    }
}
