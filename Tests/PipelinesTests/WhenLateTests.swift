import Pipelines
import Processing
import Testing

@Suite("Cheaper variants of nodes")
struct WhenLateTests {
    /// Returns the text of a file with a delay that has a cheaper variant.
    private func text(_ whenLate: String, more: String = "") -> String {
        """
        {"version": 1, "inputs": {"in": {"channels": 2}}, "outputs": {"main": {"channels": 2}},
         "nodes": [
          {"id": "echo", "type": "delay", "settings": {"maximum": 2}, "when-late": \(whenLate)},
          {"id": "level", "type": "gain", "when-late": {"bypass": true}}]\(more)}
        """
    }

    @Test("a variant has the settings of the node except those that it replaces")
    func settings() throws {
        let pipeline = try decode(text(#"{"rank": 2, "settings": {"maximum": 1}}"#))
        #expect(
            pipeline.nodes[0].whenLate == WhenLate(rank: 2, settings: ["maximum": .number(1)]))
        #expect(pipeline.nodes[0].playedSettings == ["maximum": .number(2)])
        let reduced = pipeline.reducing(0, true)
        #expect(reduced.nodes[0].playedSettings == ["maximum": .number(1)])
        #expect(reduced.nodes[0].settings == ["maximum": .number(2)])
        #expect(!reduced.nodes[0].isPaused && reduced.reducing(1, true).nodes[1].isPaused)
        #expect(reduced.withoutReductions == pipeline)
    }

    @Test("the lowest rank gives way first, then the order of the file")
    func order() throws {
        let same = try decode(text(#"{"settings": {"maximum": 1}}"#))
        #expect(same.reductionOrder == [0, 1])
        let last = try decode(text(#"{"rank": 2, "settings": {"maximum": 1}}"#))
        #expect(last.reductionOrder == [1, 0])
        #expect(last.reducing(0, true).reducing(1, true).reducedNodes == ["level", "echo"])
    }

    @Test("an edited pipeline adopts the reductions of nodes that still have a variant")
    func edits() throws {
        let old = try decode(text(#"{"settings": {"maximum": 1}}"#))
        let both = old.reducing(0, true).reducing(1, true)
        #expect(old.adoptingReductions(of: both) == both)
        let none = try decode(#"{"version": 1, "nodes": [{"id": "echo", "type": "delay"}]}"#)
        #expect(none.adoptingReductions(of: both) == none)
    }

    @Test(
        "an invalid variant is reported at its place",
        arguments: [
            (#"{}"#, Diagnostic.Code.missingKey), (#"{"bypass": false}"#, .missingKey),
            (#"{"bypass": true, "settings": {"maximum": 1}}"#, .reference),
            (#"{"settings": {"maximum": 2}}"#, .reference),
            (#"{"settings": {"maximum": 99}}"#, .range),
            (#"{"settings": {"maximun": 1}}"#, .unknownKey),
            (#"{"rank": 0, "bypass": true}"#, .range),
            (#"{"level": 1, "bypass": true}"#, .unknownKey),
            (#"true"#, .type),
        ])
    func invalid(whenLate: String, code: Diagnostic.Code) {
        let found = errors(text(whenLate))
        #expect(found.map(\.code) == [code])
        #expect(found.first?.pointer.hasPrefix("/nodes/0/when-late") == true)
        #expect(found.first?.line == 3)
    }

    @Test("a node whose playback or recording would begin again has no variant")
    func transport() {
        let tape = Effect(
            description: NodeDescription(
                name: "tape", label: "Tape", summary: "",
                parameters: [ParameterDescription.toggle("recording").asTransport])
        ) { _ in fatalError("no test here plays") }
        let text = pipeline(nodes: #"{"id": "t", "type": "tape", "when-late": {"bypass": true}}"#)
        let error = #expect(throws: InvalidPipeline.self) {
            try Pipeline(
                decoding: Array(text.utf8), file: "test.json",
                catalogue: Catalogue(effects: [tape], plugins: NoPlugins()))
        }
        #expect(error?.diagnostics.map(\.code) == [.reference])
    }
}
