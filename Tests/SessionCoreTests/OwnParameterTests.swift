import Pipelines
import Processing
import SessionCore
import Testing
import TestSignals

@Suite("A node's own parameters mix and bypass")
struct OwnParameterTests {
    private let stage: Stage

    init() throws {
        let effect = Effect(
            description: NodeDescription(
                name: "own", label: "Own", summary: "",
                parameters: [
                    ParameterDescription("mix", range: 0...1000, default: 50), .toggle("bypass"),
                ]), makeProcessor: RestlessEffect.effect.makeProcessor)
        let catalogue = Catalogue(effects: [effect], plugins: NoPlugins())
        let pipeline = try Pipeline(
            decoding: Array(
                """
                { "version": 1, "inputs": { "in": {}, "keys": { "kind": "midi" } },
                  "nodes": [ { "id": "n", "type": "own" } ],
                  "scenes": { "s": { "n.parameters.mix": 7, "n.mix": 0.25 } } }
                """.utf8), file: "p.json", catalogue: catalogue)
        stage = try Stage(
            [Song(name: "one", pipeline: pipeline, path: "")], catalogue: catalogue)
    }

    @Test("are set, read and learnt at their own addresses, next to those of the node")
    func values() {
        #expect(stage.ask("n.parameters.mix", .number(120)) == .done)
        #expect(stage.ask("n.parameters.bypass", .toggle(true)) == .done)
        #expect(stage.value("n.parameters.mix") == .number(120))
        #expect(stage.value("n.parameters.bypass") == .toggle(true))
        #expect(stage.value("n.mix") == .number(1))
        #expect(stage.value("n.bypass") == .toggle(false))
        #expect(stage.ask("n.mix", .number(0.5)) == .done)
        #expect(stage.value("n.parameters.mix") == .number(120))
        #expect(stage.ask("learn", .text("n.parameters.mix")) == .done)
        #expect(stage.value("learn") == .text("n.parameters.mix"))
        #expect(stage.ask("scene", .text("s")) == .done)
        #expect(stage.value("n.parameters.mix") == .number(7))
        #expect(stage.value("n.mix") == .number(0.25))
    }

    @Test("are listed once, and restored by what is listed")
    func dump() {
        _ = stage.ask("n.parameters.mix", .number(120))
        _ = stage.ask("n.mix", .number(0.5))
        guard case .values(let entries) = stage.session.perform(.dump) else {
            Issue.record("nothing is listed")
            return
        }
        let own = entries.filter { $0.address.hasPrefix("n.") }
        #expect(
            own == [
                .init("n.parameters.mix", .number(120)),
                .init("n.parameters.bypass", .toggle(false)),
                .init("n.bypass", .toggle(false)), .init("n.mix", .number(0.5)),
            ])
        _ = stage.ask("n.parameters.mix", .number(1))
        for entry in own { #expect(stage.ask(entry.address, entry.value) == .done) }
        #expect(stage.value("n.parameters.mix") == .number(120))
    }
}
