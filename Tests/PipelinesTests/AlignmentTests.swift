internal import Pipelines
internal import Testing

/// Paths that opt out of the alignment, and paths that are always off.
@Suite("Alignment in files")
struct AlignmentTests {
    /// Returns the text of a pipeline with a mixer of two strips, `in` with two channels and `fx`.
    private func text(from: String, parameters: String = "", more: String = "") -> String {
        """
        { "version": 1, "inputs": { "in": { "channels": 2 } }, "nodes": [
            { "id": "fx", "type": "delay", "from": "in:1" },
            { "id": "mix", "type": "mixer", "from": \(from),
              "parameters": { \(parameters) } }
          ]\(more) }
        """
    }

    /// Returns the pipeline of that text.
    private func mixer(
        _ from: String = #"["in", "fx"]"#, parameters: String = "", more: String = ""
    ) throws -> Pipeline {
        try decode(text(from: from, parameters: parameters, more: more))
    }

    @Test("an entry of `from` may be an object with `align`")
    func entry() throws {
        let plain = try mixer()
        #expect(plain.nodes[1].unalignedInputs == [])
        #expect(try mixer(#"[{ "signal": "in" }, { "signal": "fx", "align": true }]"#) == plain)
        var unaligned = plain
        unaligned.nodes[1].unalignedInputs = [2]
        #expect(try mixer(#"["in", { "signal": "fx", "align": false }]"#) == unaligned)
        unaligned.nodes[1].unalignedInputs = [0, 1]
        #expect(try mixer(#"[{ "signal": "in", "align": false }, "fx"]"#) == unaligned)
    }

    @Test("the strip of an unaligned signal has the same addresses")
    func addresses() throws {
        let pipeline = try mixer(
            #"["in:2", { "signal": "in:1", "align": false }]"#, parameters: #""in:1.gain": -6"#)
        #expect(pipeline.nodes[1].strips.map(\.name) == ["in:2", "in:1"])
        #expect(throws: Never.self) { try pipeline.address("mix.in:1.mute").get() }
    }

    @Test("channels of an output may be unaligned")
    func output() throws {
        let pipeline = try decode(
            """
            { "version": 1, "inputs": { "a": {}, "b": { "channels": 2 } }, "outputs": {
                "main": { "channels": 3, "from": ["a", { "signal": "b", "align": false }] },
                "wide": { "channels": 2, "from": [{ "signal": "a", "align": false }] }
              } }
            """)
        #expect(pipeline.outputs.map(\.unalignedChannels) == [[1, 2], [0, 1]])
    }

    @Test("inputs of plugins may be unaligned, by their ports and by their channels")
    func plugins() throws {
        let pipeline = try decode(
            """
            { "version": 1, "inputs": { "a": {}, "b": {} }, "nodes": [
                { "id": "duck", "type": "lv2", "uri": "urn:fake:compressor",
                  "ports": { "in_l": "a", "in_r": "a",
                             "sc_l": { "signal": "b", "align": false } } },
                { "id": "two", "type": "lv2", "uri": "urn:fake:compressor",
                  "from": ["a", { "signal": "b", "align": false }] }
              ] }
            """)
        let duck = pipeline.nodes[0]
        let inputs = Array(duck.instances.joined())
        #expect(duck.unalignedInputs.map { inputs[$0] } == [Pipeline.Tap(.input(1), channel: 0)])
        let two = pipeline.nodes[1]
        let others = Array(two.instances.joined())
        #expect(two.unalignedInputs.map { others[$0] } == [Pipeline.Tap(.input(1), channel: 0)])
    }

    @Test(
        "a wrong entry is reported at its place",
        arguments: [
            (#"["in", { "align": false }]"#, "missing-key", "/nodes/1/from/1"),
            (#"["in", { "signal": "fy", "align": false }]"#, "reference", "/nodes/1/from/1/signal"),
            (#"["in", { "signal": "fx", "align": 0 }]"#, "type", "/nodes/1/from/1/align"),
            (#"["in", { "signal": "fx", "aligned": false }]"#, "unknown-key", "/nodes/1/from/1"),
            (#"["in", { "signal": "in", "align": false }]"#, "duplicate-id", "/nodes/1/from/1"),
            (#"["in", 3]"#, "type", "/nodes/1/from/1"),
        ])
    func wrong(from: String, code: String, pointer: String) {
        let diagnostics = errors(text(from: from))
        #expect(diagnostics.map(\.code.rawValue) == [code])
        #expect(diagnostics.allSatisfy { $0.pointer.hasPrefix(pointer) })
    }

    // MARK: Paths that are always off

    @Test(
        "a strip that is off at load and in every scene is always off",
        arguments: [
            #""fx.mute": true"#, #""fx.gain": -120"#, #""in.solo": true"#,
        ])
    func off(parameters: String) throws {
        #expect(try mixer(parameters: parameters).nodes[1].offInputs == [2])
        let more = #", "scenes": { "a": { "fx.mix": 1 }, "b": { "mix.fx.pan": 1 } }, "scene": "b""#
        #expect(try mixer(parameters: parameters, more: more).nodes[1].offInputs == [2])
    }

    @Test("a strip that is on at load, or in a scene, is not always off")
    func on() throws {
        #expect(try mixer().nodes[1].offInputs == [])
        #expect(try mixer(parameters: #""fx.gain": -119"#).nodes[1].offInputs == [])
        #expect(
            try mixer(parameters: #""in.solo": true, "fx.solo": true"#).nodes[1].offInputs == [])
        let on = #", "scenes": { "a": { "mix.fx.mute": false }, "b": {} }"#
        #expect(try mixer(parameters: #""fx.mute": true"#, more: on).nodes[1].offInputs == [])
        let solo = #", "scenes": { "a": { "mix.fx.solo": true } }"#
        #expect(try mixer(parameters: #""in.solo": true"#, more: solo).nodes[1].offInputs == [])
    }

    @Test("the value of the file does not count if every scene sets it and one is active at load")
    func everyScene() throws {
        let scenes = #", "scenes": { "a": { "mix.fx.mute": true }, "b": { "mix.fx.mute": true } }"#
        #expect(try mixer(more: scenes).nodes[1].offInputs == [])
        #expect(try mixer(more: scenes + #", "scene": "a""#).nodes[1].offInputs == [2])
        let some = #", "scenes": { "a": { "mix.fx.mute": true }, "b": {} }, "scene": "a""#
        #expect(try mixer(more: some).nodes[1].offInputs == [])
    }

    @Test("a strip that a binding can switch on is not always off")
    func bound() throws {
        func off(_ address: String) throws -> Set<Int> {
            try mixer(
                parameters: #""fx.mute": true"#,
                more: #", "midi": [{ "cc": 80, "to": "\#(address)", "mode": "toggle" }]"#
            ).nodes[1].offInputs
        }
        #expect(try off("mix.fx.mute") == [])
        #expect(try off("mix.in.mute") == [2])
    }

    @Test("a strip whose mixer can be bypassed is not always off, because the bypass ignores mute")
    func bypassedMixer() throws {
        for more in [
            #", "scenes": { "a": { "mix.bypass": true } }"#,
            #", "scenes": { "a": { "mix.mix": 0.9 } }"#,
            #", "midi": [{ "cc": 80, "to": "mix.bypass", "mode": "toggle" }]"#,
            #", "midi": [{ "cc": 80, "to": "mix.mix" }]"#,
        ] {
            #expect(
                try mixer(parameters: #""fx.mute": true"#, more: more).nodes[1].offInputs == [])
        }
    }

    @Test("a node is always bypassed if nothing in the file ends its bypass")
    func bypass() throws {
        func isAlwaysBypassed(_ more: String = "", bypass: Bool = true) throws -> Bool {
            try decode(
                """
                { "version": 1, "nodes": [
                    { "id": "fx", "type": "delay", "bypass": \(bypass) }] \(more) }
                """
            ).nodes[0].isAlwaysBypassed
        }
        #expect(try isAlwaysBypassed())
        #expect(try !isAlwaysBypassed(bypass: false))
        #expect(try isAlwaysBypassed(#", "scenes": { "a": { "fx.bypass": true }, "b": {} }"#))
        #expect(try !isAlwaysBypassed(#", "scenes": { "a": { "fx.bypass": false } }"#))
        #expect(
            try !isAlwaysBypassed(
                #", "midi": [{ "note": 60, "to": "fx.bypass", "mode": "toggle" }]"#))
    }

    @Test("live values do not change the decision")
    func liveValues() throws {
        let pipeline = try mixer(parameters: #""fx.mute": true"#)
        let change = try pipeline.change(address: "mix.fx.mute", value: "false").get()
        #expect(pipeline.applying([change]).nodes[1].offInputs == [2])
        #expect(pipeline.applying([change]).decidingAlignment().nodes[1].offInputs == [])
    }
}
