internal import Pipelines
internal import Testing

@Suite("Suggestions")
struct NearestTests {
    private static let names = ["gain", "mixer", "filter", "delay", "recorder"]

    @Test("a type's name with one slip is corrected", arguments: names)
    func slips(name: String) throws {
        for place in name.indices {
            var shorter = name
            shorter.remove(at: place)
            var other = name
            other.replaceSubrange(place...place, with: "7")
            var longer = name
            longer.insert("7", at: place)
            for wrong in [shorter, other, longer, name.uppercased()] {
                let reported = errors(pipeline(nodes: #"{"id": "a", "type": "\#(wrong)"}"#))
                let first = try #require(reported.first)
                #expect(first.code == .unknownType)
                #expect(first.suggestion == name, "for \(wrong)")
            }
        }
    }

    @Test("two swapped letters are one slip")
    func swapped() {
        #expect(
            errors(pipeline(nodes: #"{"id": "a", "type": "imxer"}"#)).first?.suggestion == "mixer")
    }

    @Test("nothing is suggested for names without similarity", arguments: ["zzzz", "", "x", "ö"])
    func far(name: String) {
        let reported = errors(pipeline(nodes: #"{"id": "a", "type": "\#(name)"}"#))
        #expect(reported.map(\.suggestion) == [nil])
    }
}
