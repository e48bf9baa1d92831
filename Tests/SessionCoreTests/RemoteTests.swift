import Effects
import Pipelines
import Processing
import SessionCore
import Testing
import TestSignals

@Suite("Other programs")
struct RemoteTests {
    /// A catalogue with a gain that has the setting `remote` of a recorder.
    private static let catalogue: Catalogue = {
        var catalogue = Stage.catalogue
        guard var tape = catalogue.effect("gain") else { fatalError("there is no gain") }
        tape.description.name = "tape"
        tape.description.settings = [
            SettingDescription("remote", kind: .toggle, default: .toggle(true))
        ]
        catalogue.effects.append(tape)
        return catalogue
    }()

    private func stage(_ settings: String) throws -> Stage {
        let text = """
            { "version": 1, "inputs": { "in": { "channels": 1 }, "keys": { "kind": "midi" } },
              "outputs": { "out": { "channels": 1 } },
              "nodes": [ { "id": "t", "type": "tape"\(settings) }, { "id": "g", "type": "gain" } ],
              "scenes": { "soft": { "t.gain": -12 } } }
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "p.json", catalogue: Self.catalogue)
        return try Stage(
            [Song(name: "song", pipeline: pipeline, path: "")], catalogue: Self.catalogue)
    }

    @Test("cannot change parameters of a node with `remote` off; keys and scenes can")
    func refused() throws {
        let stage = try stage(", \"settings\": { \"remote\": false }")
        for (address, word) in [("t.gain", "changed"), ("learn", "bound")] {
            let value: Value = address == "learn" ? .text("t.gain") : .number(-3)
            #expect(
                stage.session.perform(.set(address, value), from: .remote)
                    == .refused(
                        "\"t.gain\" cannot be \(word) by another program: the node \"t\" has \"remote\": false; use a key or a MIDI control",
                        suggestion: nil))
        }
        #expect(stage.value("t.gain") == .number(0))
        #expect(stage.session.perform(.set("t.gain", .number(-3)), from: .here) == .done)
        #expect(stage.value("t.gain") == .number(-3))
        #expect(stage.session.perform(.set("scene", .text("soft")), from: .remote) == .done)
        #expect(stage.value("t.gain") == .number(-12))
        // Other nodes, values that are not parameters, and reads are not affected.
        #expect(stage.session.perform(.set("g.gain", .number(-3)), from: .remote) == .done)
        #expect(stage.session.perform(.set("t.bypass", .toggle(true)), from: .remote) == .done)
        #expect(stage.session.perform(.get("t.gain"), from: .remote) != .done)
    }

    @Test("change everything else", arguments: ["", ", \"settings\": { \"remote\": true }"])
    func allowed(settings: String) throws {
        let stage = try stage(settings)
        #expect(stage.session.perform(.set("t.gain", .number(-3)), from: .remote) == .done)
        #expect(stage.value("t.gain") == .number(-3))
    }
}
