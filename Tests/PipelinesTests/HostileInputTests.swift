internal import Pipelines
internal import Testing

@Suite("Hostile input")
struct HostileInputTests {
    @Test(
        "100,000 nested arrays or objects exceed one limit, reported at level 65",
        arguments: [("[", "]"), (#"{"a":"#, "}")])
    func nesting(opening: String, closing: String) {
        let text =
            String(repeating: opening, count: 100_000) + "1"
            + String(repeating: closing, count: 100_000)
        let reported = errors(text).filter { $0.code == .limit }
        #expect(reported.map(\.column) == [64 * opening.utf8.count + 1])
    }

    @Test("100,000 open arrays are reported at the end of the file", arguments: ["[", #"{"a":"#])
    func openNesting(opening: String) {
        let codes = errors(String(repeating: opening, count: 100_000)).map(\.code)
        #expect(codes.contains(.limit))
    }

    @Test("64 levels are allowed, 65 are not", arguments: [(64, false), (65, true)])
    func depth(levels: Int, isTooDeep: Bool) {
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(errors(text).contains { $0.code == .limit } == isTooDeep)
    }

    @Test("16 MiB are read, one byte more is not", arguments: [(0, false), (1, true)])
    func size(extra: Int, isTooLong: Bool) {
        let text = Array(#"{"version": 1}"#.utf8)
        let spaces = [UInt8](repeating: 0x20, count: (16 << 20) - text.count + extra)
        #expect(errors(text + spaces).map(\.code) == (isTooLong ? [.limit] : []))
    }

    @Test("4,096 nodes are allowed, 4,097 are not", arguments: [(4096, false), (4097, true)])
    func nodeCount(count: Int, isTooMany: Bool) {
        let nodes = (0..<count).map { #"{"id": "n\#($0)", "type": "gain"}"# }
        let text = pipeline(nodes: nodes.joined(separator: ","))
        #expect(errors(text).map(\.code) == (isTooMany ? [.limit] : []))
    }

    @Test("every truncated text has an error")
    func truncation() throws {
        let bytes = try TestFiles.bytes("Valid/everything.json")
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for count in 0...end { #expect(!errors(Array(bytes[..<count])).isEmpty) }
        #expect(errors(bytes) == [])
    }

    @Test(
        "numbers that no double can represent are out of range",
        arguments: ["1e400", "-1e400", "9" + String(repeating: "0", count: 900)])
    func hugeNumbers(number: String) {
        #expect(errors(#"{"version": 1, "tempo": \#(number)}"#).map(\.code) == [.range])
    }

    @Test("a number below the smallest double is 0")
    func tinyNumber() throws {
        #expect(try decode(#"{"version": 1, "tail": 1e-400}"#).tailSeconds == 0)
    }

    @Test("a string of one mebibyte is quoted in part")
    func longString() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let reported = try #require(errors(#"{"version": "\#(text)"}"#).first)
        #expect(reported.message.utf8.count < 200)
        #expect(errors(pipeline(nodes: #"{"id": "a", "type": "\#(text)"}"#)).count == 1)
    }

    @Test("a million errors produce a thousand and one diagnostics")
    func manyErrors() {
        let scenes = String(repeating: "1,", count: 200_000) + "1"
        let reported = errors(
            #"{"version": 1, "scenes": {"a": [\#(scenes)]}, "nodes": [\#(scenes)]}"#)
        #expect(reported.count <= 1001)
        let keys = (0..<100_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        #expect(errors("{\(keys)}").count == 1001)
    }

    @Test("channels that double from node to node are limited")
    func doubling() {
        let nodes = (1...64).map {
            #"{"id": "n\#($0)", "type": "gain", "from": ["n\#($0 - 1)", "n\#($0 - 1)"]}"#
        }
        let first = #"{"id": "n0", "type": "gain"},"#
        let reported = errors(pipeline(nodes: first + nodes.joined(separator: ",")))
        #expect(reported.map(\.code) == [.limit])
    }

    @Test("a loop of 4,096 nodes is reported with all its nodes")
    func longLoop() throws {
        let nodes = (0..<4096).map {
            #"{"id": "n\#($0)", "type": "gain", "from": "n\#(($0 + 4095) % 4096)"}"#
        }
        let reported = errors(pipeline(nodes: nodes.joined(separator: ",")))
        #expect(reported.map(\.code) == [.cycle])
        let message = try #require(reported.first).message
        #expect(message.hasSuffix("n4094 → n4095 → n0"))
    }
}
