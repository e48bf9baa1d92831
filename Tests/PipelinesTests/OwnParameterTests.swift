internal import Processing
internal import Testing

import Pipelines

@Suite("A plugin's own parameters mix and bypass")
struct OwnParameterTests {
    private static func text(_ rest: String) -> String {
        """
        { "version": 1, "inputs": { "mic": {}, "pedals": { "kind": "midi" } },
          "nodes": [ { "id": "v", "type": "lv2", "uri": "urn:fake:blender", "mix": 0.5,
                       "parameters": { "mix": 75, "bypass": true } },
                     { "id": "g", "type": "gain" } ]\(rest) }
        """
    }

    @Test("have addresses that differ from those of the node")
    func addresses() throws {
        let pipeline = try decode(Self.text(""))
        #expect(pipeline.nodes[0].values == [75, 1, 1])
        #expect(pipeline.nodes[0].mix == 0.5)
        for (text, target) in [
            ("v.mix", Pipeline.Address.Target.mix), ("v.bypass", .bypass),
            ("v.parameters.mix", .parameter(0)), ("v.parameters.bypass", .parameter(1)),
            ("v.speed", .parameter(2)),
        ] {
            let address = try pipeline.address(text).get()
            #expect(address == Pipeline.Address(node: 0, target: target))
            #expect(pipeline.text(of: address) == text)
        }
        let change = try pipeline.change(address: "v.parameters.mix", value: "80").get()
        #expect(change.value == 80)
        // The node's own mix keeps its range.
        guard case .failure = pipeline.change(address: "v.mix", value: "80") else {
            Issue.record("the node's mix accepts 80")
            return
        }
    }

    @Test("are moved by scenes and bindings")
    func files() throws {
        let pipeline = try decode(
            Self.text(
                """
                , "scenes": { "wet": { "v.parameters.mix": 100, "v.mix": 1,
                                       "v.parameters.bypass": false } },
                "midi": [ { "cc": 1, "to": "v.parameters.mix" },
                          { "cc": 2, "to": "v.mix" } ]
                """))
        let changes = pipeline.scenes[0].changes
        #expect(
            changes.map(\.address.target) == [.parameter(0), .mix, .parameter(1)])
        #expect(changes.map(\.value) == [100, 1, 0])
        let ends = pipeline.bindings.map { binding in
            guard case .move(let address, _, let to, _, _, _) = binding.action else { return "" }
            return "\(pipeline.text(of: address)) \(to)"
        }
        #expect(ends == ["v.parameters.mix 100.0", "v.mix 1.0"])
    }

    @Test("are the only ones with that form of address; others get a suggestion")
    func suggestions() throws {
        let pipeline = try decode(Self.text(""))
        for (wrong, meant) in [
            ("v.parameters.speed", "v.speed"), ("g.parameters.mix", "g.mix"),
            ("g.parameters.gain", "g.gain"), ("v.parameters.mixx", "v.parameters.mix"),
        ] {
            guard case .failure(let error) = pipeline.address(wrong) else {
                Issue.record("\(wrong) is an address")
                continue
            }
            #expect(error.suggestion == meant)
            let scenes = #", "scenes": { "s": { "\#(wrong)": 0 } }"#
            #expect(errors(Self.text(scenes)).map(\.suggestion) == [meant])
        }
    }

    @Test("do not hide a mixer's strip with the name parameters")
    func strip() throws {
        let pipeline = try decode(
            """
            { "version": 1, "inputs": { "parameters": {}, "mic": {} },
              "nodes": [ { "id": "desk", "type": "mixer", "from": ["parameters", "mic"] } ] }
            """)
        for text in ["desk.parameters.gain", "desk.gain", "desk.mix", "desk.bypass"] {
            #expect(pipeline.text(of: try pipeline.address(text).get()) == text)
        }
    }
}
