internal import Pipelines
internal import Testing

@Suite("Writing JSON")
struct JSONValueTests {
    @Test(
        "a value is written according to RFC 8259",
        arguments: [
            (JSONValue.null, "null"), (true, "true"), (-3, "-3"), (2.0, "2"), (0.1, "0.1"),
            (.number(.infinity), "null"), (.number(.nan), "null"), (.number(1e300), "1e+300"),
            ("a\"b\\c\n\r\t\u{1}é\u{1F600}/", #""a\"b\\c\n\r\t\u0001é😀/""#),
            // JSON allows these characters unescaped, but a terminal would interpret them.
            ("\u{7F}\u{9B}\u{2028}\u{202E}\u{2066}é", #""\u007f\u009b\u2028\u202e\u2066é""#),
            ([], "[]"), ([:], "{}"), ([1, [2]], "[1, [2]]"),
            (["z": 1, "a": ["y": nil]], #"{"z": 1, "a": {"y": null}}"#),
            (.decimal(0.95), "0.95"), (.optional(nil), "null"), (.optional("x"), "\"x\""),
        ] as [(JSONValue, String)])
    func line(value: JSONValue, text: String) {
        #expect(value.text == text)
    }

    @Test("indented text has one line per value")
    func indented() {
        let value: JSONValue = ["a": [1, 2], "b": [:], "c": []]
        let text = "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}"
        #expect(value.indentedText == text)
    }

    @Test("a diagnostic has seven keys, and null for a missing suggestion")
    func diagnostic() throws {
        let first = try #require(errors(#"{"version": 1, "tempo": 5000}"#).first)
        #expect(
            first.json.text == """
                {"file": "folder/test.json", "line": 1, "column": 25, "pointer": "/tempo", \
                "code": "range", "message": "\\"tempo\\" must be 1…999 bpm, not 5000", \
                "suggestion": null}
                """)
    }
}
