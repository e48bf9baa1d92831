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

    @Test("a type that installed plugins match points to their list")
    func pluginSearch() {
        let reported = errors(pipeline(nodes: #"{"id": "a", "type": "Reverb"}"#))
        #expect(
            reported.map(\.message) == [
                "there is no effect \"Reverb\"; for a plugin, use the type \"lv2\" and its \"uri\", "
                    + "which \"stompline plugins Reverb\" finds"
            ])
        for other in ["vocoder", "re", "reverb;", "reverb reverb"] {
            let reported = errors(pipeline(nodes: #"{"id": "a", "type": "\#(other)"}"#))
            #expect(reported.first?.message.contains("stompline plugins") == false)
        }
    }

    @Test("a plugin's name in place of its URI gets the URI", arguments: ["Reverb", "rEVERB"])
    func pluginName(_ name: String) {
        let nodes = #"{"id": "a", "type": "lv2", "uri": "\#(name)"}"#
        let reported = errors(pipeline(nodes: nodes))
        #expect(
            reported.map(\.message) == [
                "\"uri\" needs the URI of a plugin, but \"\(name)\" is the name of one; "
                    + "write urn:fake:reverb"
            ])
        #expect(reported.map(\.suggestion) == ["urn:fake:reverb"])
    }

    @Test("a name of several plugins gets all their URIs, and no suggestion")
    func sharedName() {
        let reported = errors(pipeline(nodes: #"{"id": "a", "type": "lv2", "uri": "Twins"}"#))
        #expect(
            reported.first?.message.hasSuffix("several; write urn:fake:amp or urn:fake:sum") == true
        )
        #expect(reported.map(\.suggestion) == [nil])
    }

    @Test(
        "a number of milliseconds for a parameter in seconds gets the seconds",
        arguments: [(350.0, "0.35"), (15_000, "15"), (61, nil), (16, nil), (1e9, nil)]
            as [(Double, String?)])
    func milliseconds(_ number: Double, _ seconds: String?) {
        let reported = errors(
            """
            {"version": 1, "inputs": {"in": {"channels": 2}}, "outputs": {"out": {"channels": 2}},
             "nodes": [{"id": "a", "type": "lv2", "uri": "urn:fake:reverb",
                        "parameters": {"decay": \(number)}}]}
            """)
        #expect(reported.map(\.code) == [.range])
        #expect(reported.map(\.suggestion) == [seconds])
    }

    @Test(
        "a trigger under its other name gets the key",
        arguments: [("pc", "program"), ("controller", "cc")])
    func triggers(_ synonym: String, _ key: String) {
        let reported = errors(
            #"""
            {"version": 1, "inputs": {"in": {}, "pedal": {"kind": "midi"}}, "outputs": {"out": {}},
             "nodes": [], "midi": [{"\#(synonym)": 5, "action": "mute"}]}
            """#)
        #expect(reported.map(\.suggestion) == [key])
        #expect(reported.map(\.code) == [.unknownKey])
    }

    @Test("nothing is suggested for names without similarity", arguments: ["zzzz", "", "x", "ö"])
    func far(name: String) {
        let reported = errors(pipeline(nodes: #"{"id": "a", "type": "\#(name)"}"#))
        #expect(reported.map(\.suggestion) == [nil])
    }
}
