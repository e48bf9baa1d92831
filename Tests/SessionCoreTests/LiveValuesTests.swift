import Pipelines
import SessionCore
import Testing

@Suite("Live values")
struct LiveValuesTests {
    private func pipeline(_ nodes: (id: String, gain: Double)...) throws -> Pipeline {
        let texts = nodes.map {
            """
            { "id": "\($0.id)", "type": "gain", "parameters": { "gain": \($0.gain) } }
            """
        }
        return try Stage.song(
            "\"nodes\": [ \(texts.joined(separator: ", ")) ]", name: "song"
        ).pipeline
    }

    private func address(_ text: String, in pipeline: Pipeline) throws -> Pipeline.Address {
        try pipeline.address(text).get()
    }

    private func value(_ text: String, in values: LiveValues) throws -> Float {
        values[try address(text, in: values.pipeline)]
    }

    @Test("are those of the file at first, and then those that were set")
    func setting() throws {
        var values = LiveValues(atStartOf: try pipeline(("a", -6)))
        #expect(try value("a.gain", in: values) == -6)
        let gain = try address("a.gain", in: values.pipeline)
        let before = values.snapshot
        values[gain] = -3
        #expect(values.entry(at: gain) == .init("a.gain", .number(-3)))
        #expect(values.changes(to: before) == [.init(address: gain, value: -6)])
        #expect(values.pipelineWithValues.nodes[0].values.contains(-3))
    }

    @Test("keep a live change if an edit does not change them")
    func merging() throws {
        let old = try pipeline(("a", 0), ("b", 0))
        let new = try pipeline(("b", -9), ("a", 0))
        var values = LiveValues(atStartOf: old)
        values[try address("a.gain", in: old)] = -6
        values[try address("b.gain", in: old)] = -6
        let merged = values.merged(editing: old, into: new)
        #expect(merged[try address("a.gain", in: new)] == -6)
        #expect(merged[try address("b.gain", in: new)] == -9)
    }

    @Test("keep a live change made while an edit is prepared, and otherwise follow the edit")
    func following() throws {
        let old = try pipeline(("a", 0), ("b", 0))
        let new = try pipeline(("b", -9), ("a", -1), ("c", -2))
        var values = LiveValues(atStartOf: old)
        let request = values.snapshot
        values[try address("a.gain", in: old)] = -6
        let changes = values.follow(new, valuesAtRequest: request)
        let (a, b) = (try address("a.gain", in: new), try address("b.gain", in: new))
        // The remaining nodes keep their values until the changes are sent.
        #expect(try value("a.gain", in: values) == -6)
        #expect(try value("b.gain", in: values) == 0)
        #expect(try value("c.gain", in: values) == -2)
        #expect(
            changes.sorted { ($0.address.node, -$0.value) < ($1.address.node, -$1.value) } == [
                .init(address: b, value: -9), .init(address: a, value: -1),
                .init(address: a, value: -6),
            ])
        #expect(changes.last == .init(address: a, value: -6))
    }

    @Test("are sent to new processors if they change during the preparation")
    func restarting() throws {
        let pipeline = try pipeline(("a", 0), ("b", 0))
        var values = LiveValues(atStartOf: pipeline)
        let request = values.snapshot
        let gain = try address("b.gain", in: pipeline)
        values[gain] = -6
        let changes = values.restart(with: pipeline, valuesAtRequest: request)
        #expect(changes == [.init(address: gain, value: -6)])
        #expect(values[gain] == 0)
    }

    @Test("have no address of a node or a parameter that does not exist")
    func addresses() throws {
        let values = LiveValues(atStartOf: try pipeline(("a", 0)))
        let other = try pipeline(("x", 0), ("a", 0))
        #expect(values.address(for: try address("x.gain", in: other), of: other) == nil)
        #expect(
            values.address(for: try address("a.mix", in: other), of: other)
                == (try address("a.mix", in: values.pipeline)))
        #expect(!values.has(.init(node: 1, target: .mix)))
        #expect(!values.has(.init(node: 0, target: .parameter(99))))
    }
}
