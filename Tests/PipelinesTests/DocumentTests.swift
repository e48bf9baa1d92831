internal import Pipelines
internal import Testing

@Suite("Positions in a JSON text")
struct DocumentTests {
    @Test("a pointer leads back to its value")
    func pointers() {
        let text = #"{"a": [1, {"b/c": true, "~": []}], "": {"x": "y"}}"#
        let document = Document(parsing: Array(text.utf8), errors: ErrorList())
        var seen: [String] = []
        walk(document.root, pointer: "") { element, pointer in
            seen.append(pointer)
            #expect(document.pointer(at: element.start) == pointer)
        }
        #expect(seen == ["", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/a/1/~0", "/", "//x"])
    }

    private func walk(
        _ element: JSONElement, pointer: String, visit: (JSONElement, String) -> Void
    ) {
        visit(element, pointer)
        for (index, child) in element.elements.enumerated() {
            walk(child, pointer: "\(pointer)/\(index)", visit: visit)
        }
        for member in element.members {
            let token = member.key.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
            walk(member.value, pointer: pointer + "/" + token, visit: visit)
        }
    }

    @Test(
        "columns count Unicode scalars, and lines end with LF, CR or CR LF",
        arguments: [
            ("{\"version\": 1, \"name\": \"é😀\", \"tail\": 99}", 1, 38),
            ("{\n\"version\": 1,\n\"tail\": 99}", 3, 9),
            ("{\r\"version\": 1,\r\"tail\": 99}", 3, 9),
            ("{\r\n\"version\": 1,\r\n\"tail\": 99}", 3, 9),
        ])
    func positions(text: String, line: Int, column: Int) throws {
        let reported = errors(text)
        #expect(reported.map(\.pointer) == ["/tail"])
        #expect(reported.first?.line == line)
        #expect(reported.first?.column == column)
    }

    @Test(
        "escapes in strings are decoded",
        arguments: [
            (#""\u00e9\ud83d\ude00\n\/""#, "é😀\n/"), (#""é😀""#, "é😀"), (#""""#, ""),
            (#""\"\\\b\f\r\t""#, "\"\\\u{8}\u{c}\r\t"), (#""\u0000""#, "\0"),
        ])
    func strings(text: String, string: String) {
        let errors = ErrorList()
        let document = Document(parsing: Array(text.utf8), errors: errors)
        #expect(document.root.string == string)
        #expect(errors.isEmpty)
    }

    @Test(
        "malformed UTF-8 is reported at its first byte",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xE2, 0x82],
            [0xFF],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let text = Array(#"{"version": 1, "name": ""#.utf8) + bytes + Array(#""}"#.utf8)
        let reported = errors(text)
        #expect(reported.map(\.code) == [.syntax])
        #expect(reported.first?.column == 25)
    }

    @Test("each of several syntax errors is reported, and the rest of the tree is checked")
    func recovery() {
        let text = """
            { "version": 1, // first
              "nodes": [ { "id": "a" "type": "gain", "parameters": { "gain": 99 } }, ],
              "tempo": 0x10 }
            """
        #expect(errors(text).map(\.code) == [.syntax, .syntax, .range, .syntax, .syntax])
    }
}
