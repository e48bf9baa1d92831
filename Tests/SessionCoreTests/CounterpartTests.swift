import Engine
import Pipelines
import SessionCore
import Testing

@Suite("Addresses of one pipeline in another")
struct CounterpartTests {
    private func pipeline(_ nodes: String..., type: String = "gain") throws -> Pipeline {
        let list = nodes.map { "{ \"id\": \"\($0)\", \"type\": \"\(type)\", \"from\": \"in\" }" }
        return try Stage.song(
            """
            "inputs": { "in": {} }, "nodes": [ \(list.joined(separator: ", ")) ]
            """, name: "song"
        ).pipeline
    }

    @Test("are found by name, in any order of the nodes")
    func names() throws {
        let former = try pipeline("a", "b", "c")
        for other in [
            try pipeline("a", "b", "c"), try pipeline("x", "a", "b", "c"), try pipeline("c", "a"),
            try pipeline("a", "b"), try pipeline(),
        ] {
            let counterparts = Counterparts(of: former, in: other)
            for address in former.addresses {
                let found = counterparts.address(for: address)
                #expect(found == former.counterpart(of: address, in: other))
                let id = former.nodes[address.node].id
                #expect((found != nil) == other.nodes.contains { $0.id == id })
                if let found { #expect(other.text(of: found) == former.text(of: address)) }
            }
        }
    }

    @Test("need the same range")
    func ranges() throws {
        let (gains, filters) = (try pipeline("a"), try pipeline("a", type: "filter"))
        func gain(_ pipeline: Pipeline) throws -> Pipeline.Address {
            try #require(pipeline.addresses.first { pipeline.text(of: $0) == "a.gain" })
        }
        #expect(gains.counterpart(of: try gain(gains), in: filters) == nil)
        #expect(filters.counterpart(of: try gain(filters), in: gains) == nil)
        #expect(filters.counterpart(of: try gain(filters), in: filters) == (try gain(filters)))
    }
}
