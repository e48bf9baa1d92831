internal import Pipelines
internal import Testing

@Suite("Saving values in a file's text")
struct ValueEditTests {
    private func number(_ entry: ValueEdit.Entry, _ number: Float) -> ValueEdit {
        ValueEdit(entry, value: .number(Double(number)), number: number)
    }

    private func gain(_ value: Float, of node: String = "a") -> ValueEdit {
        number(.parameter("gain", node: node), value)
    }

    private func setting(_ edits: ValueEdit..., in text: String) throws -> String {
        let changed = try PipelineText(Array(text.utf8)).setting(edits)
        return String(decoding: changed.bytes, as: UTF8.self)
    }

    @Test(
        "only the bytes of a value change",
        arguments: [
            (
                #"{"nodes":[{"id":"a","parameters":{"gain":-6.0,"pan" : 0}}]}"#,
                #"{"nodes":[{"id":"a","parameters":{"gain":-3,"pan" : 0}}]}"#
            ),
            (
                "{\"nodes\": [\n\n  [1, {\"id\": 2}], { \"parameters\": {\n\t\"gain\"  :  1e1 },\r\n \"id\": \"a\" } ] }\n\n",
                "{\"nodes\": [\n\n  [1, {\"id\": 2}], { \"parameters\": {\n\t\"gain\"  :  -3 },\r\n \"id\": \"a\" } ] }\n\n"
            ),
            (
                #"{"nodes": [{"id": "b", "parameters": {"gain": 1}}, {"id": "\u0061", "parameters": {"g\u0061in": 1}}]}"#,
                #"{"nodes": [{"id": "b", "parameters": {"gain": 1}}, {"id": "\u0061", "parameters": {"g\u0061in": -3}}]}"#
            ),
        ])
    func existing(text: String, expected: String) throws {
        #expect(try setting(gain(-3), in: text) == expected)
    }

    @Test(
        "a value that the file has already is not written again",
        arguments: ["-3", "-3.0", "-3.000", "-30e-1"])
    func same(written: String) throws {
        let text = #"{"nodes":[{"id":"a","parameters":{"gain":\#(written)}}]}"#
        #expect(try setting(gain(-3), in: text) == text)
    }

    @Test(
        "a missing value is added to the parameters, which are added if they are missing",
        arguments: [
            (#"{"nodes":[{"id":"a"}]}"#, #"{"nodes":[{"id":"a","parameters":{"gain":-3}}]}"#),
            (
                #"{ "nodes": [ { "id": "a", "parameters": {} } ] }"#,
                #"{ "nodes": [ { "id": "a", "parameters": { "gain": -3 } } ] }"#
            ),
            (
                #"{"nodes": [{"id": "a", "parameters": {"pan": 0.5}, "mix": 1}]}"#,
                #"{"nodes": [{"id": "a", "parameters": {"pan": 0.5, "gain": -3}, "mix": 1}]}"#
            ),
            (
                "{\n  \"nodes\": [\n    {\n      \"id\": \"a\",\n      \"type\": \"gain\"\n    }\n  ]\n}\n",
                "{\n  \"nodes\": [\n    {\n      \"id\": \"a\",\n      \"type\": \"gain\",\n      \"parameters\": { \"gain\": -3 }\n    }\n  ]\n}\n"
            ),
            (
                "{\r\n\t\"nodes\": [{ \"id\": \"a\", \"parameters\": {\r\n\t\t\"pan\": 0\r\n\t} }]\r\n}",
                "{\r\n\t\"nodes\": [{ \"id\": \"a\", \"parameters\": {\r\n\t\t\"pan\": 0,\r\n\t\t\"gain\": -3\r\n\t} }]\r\n}"
            ),
        ])
    func missing(text: String, expected: String) throws {
        #expect(try setting(gain(-3), in: text) == expected)
    }

    @Test("bypass and mix are keys of the node, and a plugin's own mix is a parameter")
    func nodeKeys() throws {
        let text = #"{"nodes": [{"id": "a", "mix": 0.25}]}"#
        let bypass = ValueEdit(.nodeKey("bypass", node: "a"), value: true, number: 1)
        #expect(
            try setting(number(.nodeKey("mix", node: "a"), 0.5), bypass, in: text)
                == #"{"nodes": [{"id": "a", "mix": 0.5, "bypass": true}]}"#)
        #expect(
            try setting(number(.parameter("mix", node: "a"), 0.5), in: text)
                == #"{"nodes": [{"id": "a", "mix": 0.25, "parameters": {"mix": 0.5}}]}"#)
        let off = ValueEdit(.nodeKey("bypass", node: "a"), value: false, number: 0)
        let bypassed = #"{"nodes":[{"id":"a","bypass":true}]}"#
        #expect(try setting(off, in: bypassed) == #"{"nodes":[{"id":"a","bypass":false}]}"#)
        #expect(try setting(bypass, in: bypassed) == bypassed)
    }

    @Test("a choice keeps its form: a name, or a plugin's number")
    func choices() throws {
        let edit = ValueEdit(.parameter("mode", node: "a"), value: "wide", number: 2)
        func text(_ value: String) -> String {
            #"{"nodes":[{"id":"a","parameters":{"mode":\#(value)}}]}"#
        }
        #expect(try setting(edit, in: text(#""narrow""#)) == text(#""wide""#))
        #expect(try setting(edit, in: text(#""wid\u0065""#)) == text(#""wid\u0065""#))
        #expect(try setting(edit, in: text("0")) == text("2"))
        #expect(try setting(edit, in: text("2.0")) == text("2.0"))
        #expect(
            try setting(edit, in: #"{"nodes":[{"id":"a"}]}"#)
                == #"{"nodes":[{"id":"a","parameters":{"mode":"wide"}}]}"#)
    }

    @Test(
        "a scene is changed, gets new entries, or is created",
        arguments: [
            (
                #"{"scenes":{"soft":{"a.gain":-12.5,"b.mix":1}}}"#,
                #"{"scenes":{"soft":{"a.gain":-3,"b.mix":1}}}"#
            ),
            (
                #"{ "scenes": { "soft": { "b.mix": 1 } } }"#,
                #"{ "scenes": { "soft": { "b.mix": 1, "a.gain": -3 } } }"#
            ),
            (
                #"{"scenes": {"soft": {}}}"#,
                #"{"scenes": {"soft": {"a.gain": -3}}}"#
            ),
            (
                #"{"scenes": {"loud": {"a.gain": 3}}, "tempo": 90}"#,
                #"{"scenes": {"loud": {"a.gain": 3}, "soft": {"a.gain": -3}}, "tempo": 90}"#
            ),
            (#"{"scenes": {}}"#, #"{"scenes": {"soft": {"a.gain": -3}}}"#),
            (
                "{\n  \"scenes\": {\n    \"loud\": { \"a.gain\": 3 }\n  }\n}\n",
                "{\n  \"scenes\": {\n    \"loud\": { \"a.gain\": 3 },\n    \"soft\": { \"a.gain\": -3 }\n  }\n}\n"
            ),
            (#"{"version":1}"#, #"{"version":1,"scenes":{"soft":{"a.gain":-3}}}"#),
            (
                "{\n  \"version\": 1,\n  \"nodes\": []\n}\n",
                "{\n  \"version\": 1,\n  \"nodes\": [],\n  \"scenes\": {\n    \"soft\": { \"a.gain\": -3 }\n  }\n}\n"
            ),
        ])
    func scenes(text: String, expected: String) throws {
        #expect(try setting(number(.address("a.gain", scene: "soft"), -3), in: text) == expected)
    }

    @Test("several values are written in one edit")
    func several() throws {
        let text = #"{"nodes": [{"id": "a"}, {"id": "b", "parameters": {"gain": 0}}]}"#
        #expect(
            try setting(
                gain(-3), gain(-6, of: "b"), number(.address("a.gain", scene: "x \"y\""), 1),
                number(.address("b.gain", scene: "x \"y\""), 2), in: text)
                == #"{"nodes": [{"id": "a", "parameters": {"gain": -3}}, {"id": "b", "parameters": {"gain": -6}}], "scenes": {"x \"y\"": {"a.gain": 1, "b.gain": 2}}}"#
        )
    }

    @Test(
        "a file that cannot be edited safely is refused",
        arguments: [
            #"{"nodes": [{"id": "b"}]}"#, #"{"nodes": {}}"#, #"{}"#, "[]", "", #"{"nodes": [}"#,
            #"{"nodes": [{"id": "a", "parameters": []}]}"#,
            #"{"nodes": [{"id": "a", "parameters": {"gain": 1, "gain": 2}}]}"#,
            #"{"nodes": [{"id": "a", "parameters": {}, "parameters": {}}]}"#,
        ])
    func refused(text: String) {
        #expect(throws: EditError.self) { _ = try setting(gain(-3), in: text) }
    }

    @Test("scenes that are not objects are refused", arguments: ["[]", #"{"soft": 1}"#])
    func refusedScenes(scenes: String) {
        #expect(throws: EditError.self) {
            let edit = number(.address("a.gain", scene: "soft"), -3)
            _ = try setting(edit, in: #"{"scenes": \#(scenes)}"#)
        }
    }

    @Test("every kind of address is written where the checker reads it")
    func checked() throws {
        let text = pipeline(
            nodes:
                #"{"id": "a", "type": "gain"}, {"id": "desk", "type": "mixer", "from": ["in", "a"]}"#
        )
        let old = try decode(text)
        let values: [(String, Float)] = [
            ("a.gain", -3.3), ("a.mute", 1), ("a.bypass", 1), ("a.mix", 0.1),
            ("desk.in.gain", -7.25), ("desk.a.mute", 1),
        ]
        let changes = try values.map { address, value in
            Pipeline.Change(address: try old.address(address).get(), value: value)
        }
        for scene in [String?.none, "soft"] {
            let edits = changes.map { ValueEdit($0, of: old, inScene: scene) }
            let changed = try PipelineText(Array(text.utf8)).setting(edits)
            let new = try decode(changed.bytes)
            let expected = old.applying(changes).decidingAlignment()
            if scene == nil {
                #expect(new.nodes == expected.nodes && new.scenes.isEmpty)
            } else {
                #expect(new.nodes == old.nodes)
                #expect(new.scenes == [.init(name: "soft", changes: changes)])
            }
            #expect(try changed.setting(edits).bytes == changed.bytes, "once more changes nothing")
        }
    }
}
