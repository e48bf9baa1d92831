import SessionCore
import Testing

@Suite("the reference of addresses")
struct AddressReferenceTests {
    private let stage: Stage

    init() throws {
        let song = """
            "inputs": { "in": {}, "keys": { "kind": "midi" } }, "nodes": [ { "id": "a", "type": "gain" } ],
            "scenes": { "soft": { "a.gain": -12 } }
            """
        stage = try Stage(song, song)
    }

    @Test("the session answers every value and text")
    func read() {
        for entry in AddressDescription.all where entry.kind != .action {
            guard case .values(let values) = stage.ask(entry.address) else {
                Issue.record("\(entry.address) has no value")
                continue
            }
            #expect(values.map(\.address) == [entry.address])
        }
    }

    @Test("texts that can only be read are refused as such, and no other address is")
    func readOnly() {
        for entry in AddressDescription.all {
            let answer = stage.ask(entry.address, .text("x"))
            let refusal = "\"\(entry.address)\" can only be read"
            #expect((answer == .refused(refusal, suggestion: nil)) == (entry.kind == .readOnly))
        }
    }

    @Test("contains every address without a dot of a dump, and every action")
    func complete() {
        let names = AddressDescription.all.map(\.address)
        #expect(Set(names).count == names.count)
        guard case .values(let values) = stage.session.perform(.dump) else {
            Issue.record("no dump")
            return
        }
        let own = values.map(\.address).filter { !$0.contains(".") }
        #expect(own.contains("tempo") && Set(own).isSubset(of: names))
        #expect(SessionCommand.allCases.allSatisfy { names.contains($0.rawValue) })
    }
}
