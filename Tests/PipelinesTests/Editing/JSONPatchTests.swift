internal import Pipelines
internal import Testing

/// The examples of RFC 6902, appendix A, and the layout of what a patch writes.
@Suite("Applying a JSON patch to a file's text")
struct JSONPatchTests {
    private func applying(_ patch: String, to text: String) throws -> String {
        let patch = try JSONPatch(parsing: Array(patch.utf8))
        return String(
            decoding: try PipelineText(Array(text.utf8)).applying(patch).bytes, as: UTF8.self)
    }

    /// Returns the message of the error that a patch causes.
    private func refusal(_ patch: String, of text: String) -> PatchError? {
        do {
            let result = try applying(patch, to: text)
            Issue.record("the result is \(result)")
            return nil
        } catch let error as PatchError {
            return error
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test(
        "the examples of the standard give its results, in the layout of the file",
        arguments: [
            // A.1 through A.7
            (
                #"{ "foo": "bar"}"#, #"[{ "op": "add", "path": "/baz", "value": "qux" }]"#,
                #"{ "foo": "bar", "baz": "qux"}"#
            ),
            (
                #"{ "foo": [ "bar", "baz" ] }"#,
                #"[{ "op": "add", "path": "/foo/1", "value": "qux" }]"#,
                #"{ "foo": [ "bar", "qux", "baz" ] }"#
            ),
            (
                #"{ "baz": "qux", "foo": "bar" }"#, #"[{ "op": "remove", "path": "/baz" }]"#,
                #"{ "foo": "bar" }"#
            ),
            (
                #"{ "foo": [ "bar", "qux", "baz" ] }"#, #"[{ "op": "remove", "path": "/foo/1" }]"#,
                #"{ "foo": [ "bar", "baz" ] }"#
            ),
            (
                #"{ "baz": "qux", "foo": "bar" }"#,
                #"[{ "op": "replace", "path": "/baz", "value": "boo" }]"#,
                #"{ "baz": "boo", "foo": "bar" }"#
            ),
            (
                #"{ "foo": { "bar": "baz", "waldo": "fred" }, "qux": { "corge": "grault" } }"#,
                #"[{ "op": "move", "from": "/foo/waldo", "path": "/qux/thud" }]"#,
                #"{ "foo": { "bar": "baz" }, "qux": { "corge": "grault", "thud": "fred" } }"#
            ),
            (
                #"{ "foo": [ "all", "grass", "cows", "eat" ] }"#,
                #"[{ "op": "move", "from": "/foo/1", "path": "/foo/3" }]"#,
                #"{ "foo": [ "all", "cows", "eat", "grass" ] }"#
            ),
            // A.8
            (
                #"{ "baz": "qux", "foo": [ "a", 2, "c" ] }"#,
                #"[{ "op": "test", "path": "/baz", "value": "qux" }, { "op": "test", "path": "/foo/1", "value": 2.0 }]"#,
                #"{ "baz": "qux", "foo": [ "a", 2, "c" ] }"#
            ),
            // A.10, A.11
            (
                #"{ "foo": "bar" }"#,
                #"[{ "op": "add", "path": "/child", "value": { "grandchild": { } } }]"#,
                #"{ "foo": "bar", "child": { "grandchild": {} } }"#
            ),
            (
                #"{ "foo": "bar" }"#,
                #"[{ "op": "add", "path": "/baz", "value": "qux", "xyz": 123 }]"#,
                #"{ "foo": "bar", "baz": "qux" }"#
            ),
            // A.14, A.16
            (
                #"{ "/": 9, "~1": 10 }"#, #"[{"op": "test", "path": "/~01", "value": 10}]"#,
                #"{ "/": 9, "~1": 10 }"#
            ),
            (
                #"{ "foo": ["bar"] }"#,
                #"[{ "op": "add", "path": "/foo/-", "value": ["abc", "def"] }]"#,
                #"{ "foo": ["bar", ["abc", "def"]] }"#
            ),
        ])
    func examples(text: String, patch: String, expected: String) throws {
        #expect(try applying(patch, to: text) == expected)
    }

    @Test("an operation that is not possible names its index, its path, and what exists there")
    func errors() {
        // A.9, A.12, A.13, A.15
        #expect(
            refusal(#"[{"op": "test", "path": "/baz", "value": "bar"}]"#, of: #"{ "baz": "qux" }"#)?
                .message == #"operation 0, test "/baz": the value is "qux""#)
        #expect(
            refusal(
                #"[{ "op": "add", "path": "/baz/bat", "value": "qux" }]"#, of: #"{ "foo": "bar" }"#)?
                .message
                == #"operation 0, add "/baz/bat": the file has no key "baz"; it has "foo""#)
        #expect(
            refusal(
                #"[{ "op": "add", "path": "/baz", "value": "qux", "op": "remove" }]"#,
                of: #"{ "foo": "bar" }"#)?.message.contains("already has the key \"op\"") == true)
        #expect(
            refusal(#"[{"op": "test", "path": "/~01", "value": "10"}]"#, of: #"{ "~1": 10 }"#)?
                .message == #"operation 0, test "/~01": the value is 10"#)
        let text = #"{"nodes": [{"id": "a", "mix": 1}], "name": "x"}"#
        let second = refusal(
            #"[{"op": "test", "path": "/name", "value": "x"}, {"op": "remove", "path": "/nodes/1"}]"#,
            of: text)
        #expect(second?.operation == 1)
        #expect(second?.path == "/nodes/1")
        #expect(
            second?.message
                == #"operation 1, remove "/nodes/1": "/nodes" has 1 entry: the index can only be 0, not "1""#
        )
        #expect(
            refusal(#"[{"op": "remove", "path": "/nodes/0/mxi"}]"#, of: text)?.message
                == #"operation 0, remove "/nodes/0/mxi": "/nodes/0" has no key "mxi"; did you mean "mix"?"#
        )
        #expect(
            refusal(#"[{"op": "add", "path": "/name/0", "value": 1}]"#, of: text)?.message
                == #"operation 0, add "/name/0": "/name" is "x", which has no entries"#)
        #expect(
            refusal(#"[{"op": "move", "from": "/nodes", "path": "/nodes/0/x"}]"#, of: text)?
                .message.contains("cannot be moved into itself") == true)
    }

    @Test(
        "a text that is not a patch is an error",
        arguments: [
            "", "{}", "[1]", #"[{"op": "add"}]"#, #"[{"op": "add", "path": "/a"}]"#,
            #"[{"op": "ad", "path": "/a", "value": 1}]"#, #"[{"op": "remove", "path": "a"}]"#,
            #"[{"op": "remove", "path": "/~2"}]"#, #"[{"op": "move", "path": "/a"}]"#,
            #"[{"op": "remove", "path": ""}]"#, #"[{"op": "add", "path": "", "value": 3}]"#,
            #"[{"op": "add", "path": "/b/00", "value": 3}]"#,
            #"[{"op": "replace", "path": "/c", "value": 3}]"#,
            #"[{"op": "replace", "path": "/b/-", "value": 3}]"#,
        ])
    func noPatch(patch: String) {
        #expect(refusal(patch, of: #"{"a": 1, "b": [2]}"#) != nil)
    }

    @Test("a file or a patch beyond the limits is refused")
    func limits() throws {
        let many = [String](
            repeating: #"{"op": "test", "path": "", "value": {}}"#,
            count: JSONPatch.mostOperations + 1)
        #expect(
            refusal("[" + many.joined(separator: ",") + "]", of: "{}")?.message.contains("257")
                == true)
        let deep = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
        let nested = #"[{"op": "add", "path": "/a/-", "value": "# + deep + "}]"
        #expect(refusal(nested, of: #"{"a": []}"#)?.message.contains("64 deep") == true)
        let long = #"{"a": ""# + String(repeating: "x", count: 600_000) + #""}"#
        let double = #"[{"op": "copy", "from": "/a", "path": "/b"}]"#
        #expect(refusal(double, of: long)?.message.contains("1 MiB") == true)
    }

    private let file = """
        {
          "version": 1,
          "nodes": [
            { "id": "a", "type": "gain", "parameters": { "gain": -6.0 } },
            {
              "id": "b",
              "type": "filter"
            }
          ],
          "scenes": {},
          "midi": []
        }

        """

    @Test("new entries take the layout of their siblings, and numbers keep their spelling")
    func layout() throws {
        let added = try applying(
            #"[{"op": "add", "path": "/nodes/1", "value": {"id":"c","type":"gain","parameters":{"gain":-3.50}}}, {"op": "add", "path": "/nodes/0/parameters/invert", "value": true}, {"op": "add", "path": "/midi/-", "value": {"cc":1,"to":"a.gain"}}]"#,
            to: file)
        let expected =
            file
            .replacing(
                "-6.0 } },",
                with:
                    "-6.0, \"invert\": true } },\n    {\n      \"id\": \"c\",\n      \"type\": \"gain\",\n      \"parameters\": { \"gain\": -3.50 }\n    },"
            )
            .replacing(
                "\"midi\": []",
                with: "\"midi\": [\n    { \"cc\": 1, \"to\": \"a.gain\" }\n  ]")
        #expect(added == expected)
    }

    @Test("a removed entry takes its line with it, and line ends of Windows remain")
    func removal() throws {
        let text = file.replacing("\n", with: "\r\n")
        let last = try applying(#"[{"op": "remove", "path": "/nodes/1"}]"#, to: text)
        #expect(
            last
                == text.replacing(
                    ",\r\n    {\r\n      \"id\": \"b\",\r\n      \"type\": \"filter\"\r\n    }",
                    with: ""))
        let key = try applying(#"[{"op": "remove", "path": "/version"}]"#, to: text)
        #expect(key == text.replacing("\"version\": 1,\r\n  ", with: ""))
        let all = try applying(
            #"[{"op": "remove", "path": "/nodes/0"}, {"op": "remove", "path": "/nodes/0"}]"#,
            to: file)
        #expect(all.contains("\"nodes\": [],"))
    }

    @Test("a moved entry keeps its text, with the indentation of its new place")
    func move() throws {
        let moved = try applying(
            #"[{"op": "move", "from": "/nodes/1", "path": "/nodes/0"}]"#, to: file)
        let (a, b) = (
            "{ \"id\": \"a\", \"type\": \"gain\", \"parameters\": { \"gain\": -6.0 } }",
            "{\n      \"id\": \"b\",\n      \"type\": \"filter\"\n    }"
        )
        // There is no second entry any more whose separator could be copied.
        #expect(moved == file.replacing(a + ",\n    " + b, with: b + ",\n    " + a))
        let deeper = try applying(
            #"[{"op": "copy", "from": "/nodes/1", "path": "/scenes/s"}]"#, to: file)
        #expect(
            deeper.contains(
                "\"scenes\": {\n    \"s\": {\n      \"id\": \"b\",\n      \"type\": \"filter\"\n    }\n  }"
            ))
    }

    @Test("the whole file can be replaced, except by a value that is no object")
    func whole() throws {
        let text = "\n{ \"a\": 1 }\n"
        #expect(
            try applying(#"[{"op": "replace", "path": "", "value": {"b": 2}}]"#, to: text)
                == "\n{ \"b\": 2 }\n")
    }

    @Test("texts are compared by their characters, and objects without the order of their keys")
    func comparison() throws {
        let text = "{\"a\": \"\u{E9}\", \"b\": {\"x\": 1, \"y\": [2]}}"
        #expect(
            try applying(
                #"[{"op": "test", "path": "/b", "value": {"y": [2e0], "x": 1.0}}]"#, to: text)
                == text)
        #expect(
            refusal("[{\"op\": \"test\", \"path\": \"/a\", \"value\": \"e\u{301}\"}]", of: text)
                != nil)
    }
}
