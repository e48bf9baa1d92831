import Foundation
import Pipelines
import Testing

/// The patches that change everything in a file that refers to a name.
@Suite("Changing the references in a file's text")
struct ReferenceTests {
    private static let file = """
        {
          "version": 1,
          "inputs": { "mic": {}, "keys": { "kind": "midi" } },
          "nodes": [
            { "id": "echo", "type": "delay", "from": "mic", "parameters": { "time": 0.50 } },
            { "id": "copy", "type": "gain", "from": [{ "signal": "echo:1", "align": false }] },
            { "id": "tube", "type": "lv2", "uri": "urn:x", "ports": { "in": "echo", "side": "mic" }, "events": "keys" },
            { "id": "desk", "type": "mixer", "from": ["echo", "copy", "echo2"],
              "parameters": { "gain": -6.0, "echo.gain": -3, "echo2.gain": 1, "copy.pan": 0.2 } }
          ],
          "outputs": { "main": { "channels": 2, "from": ["echo:1", "desk"] } },
          "scenes": {
            "one": { "echo.time": 0.2, "desk.echo.gain": -9, "over": { "echo.time": 5, "others": 1 },
                     "then": { "scene": "two", "at": "end of echo" } },
            "two": { "desk.copy.mute": true, "over": { "desk.copy.mute": 1 } },
            "echo": { "copy.gain": 1 }
          },
          "scene": "one",
          "midi": [
            { "cc": 1, "to": "echo.time" },
            { "cc": 2, "to": ["copy.gain", { "address": "desk.echo.gain", "range": [0, 1] }] },
            { "note": 3, "cue": "echo:2" },
            { "cc": 4, "cycle": ["one", "two", "echo"] },
            { "cc": 5, "cycle": ["one", "echo"] },
            { "program": 1, "scene": "echo" },
            { "cc": 6, "port": "keys", "to": "echo2.gain" }
          ]
        }

        """

    private func changed(_ changes: [ReferenceChange], in text: String = file) throws -> String {
        let text = try PipelineText(Array(text.utf8))
        let patch = text.patch(for: changes)
        // The patch that travels as JSON is the same one.
        let parsed = try JSONPatch(parsing: Array(patch.text.utf8))
        #expect(parsed == patch)
        return String(decoding: try text.applying(parsed).bytes, as: UTF8.self)
    }

    /// Returns the file with the given texts replaced, each exactly once.
    private func expected(_ replacements: KeyValuePairs<String, String>) -> String {
        var text = Self.file
        for (old, new) in replacements {
            #expect(text.components(separatedBy: old).count == 2, "\(old)")
            text = text.replacing(old, with: new)
        }
        return text
    }

    @Test("a renamed node is renamed wherever the file names it, and no other byte changes")
    func renamedNode() throws {
        #expect(
            try changed([.renameNode("echo", to: "slap")])
                == expected([
                    #""id": "echo""#: #""id": "slap""#,
                    #""signal": "echo:1""#: #""signal": "slap:1""#,
                    #""in": "echo""#: #""in": "slap""#,
                    #""from": ["echo", "copy", "echo2"]"#: #""from": ["slap", "copy", "echo2"]"#,
                    #""echo.gain": -3"#: #""slap.gain": -3"#,
                    #"["echo:1", "desk"]"#: #"["slap:1", "desk"]"#,
                    #""echo.time": 0.2"#: #""slap.time": 0.2"#,
                    #""desk.echo.gain": -9"#: #""desk.slap.gain": -9"#,
                    #""echo.time": 5"#: #""slap.time": 5"#, "end of echo": "end of slap",
                    #""to": "echo.time""#: #""to": "slap.time""#,
                    #""address": "desk.echo.gain""#: #""address": "desk.slap.gain""#,
                    #""cue": "echo:2""#: #""cue": "slap:2""#,
                ]))
    }

    @Test("a removed node leaves no address, no cue and no empty binding behind")
    func removedNode() throws {
        #expect(
            try changed([.removeNode("echo")])
                == expected([
                    #""echo.time": 0.2, "#: "", #""echo.time": 5, "#: "",
                    ",\n             \"then\": { \"scene\": \"two\", \"at\": \"end of echo\" }": "",
                    "    { \"cc\": 1, \"to\": \"echo.time\" },\n": "",
                    #"    { "note": 3, "cue": "echo:2" },"# + "\n": "",
                ]))
    }

    @Test("a strip of one mixer gets another name, or is removed, and keeps its place")
    func strips() throws {
        #expect(
            try changed([.renameStrip(.init("echo", of: "desk"), to: "warm")])
                == expected([
                    #""echo.gain": -3"#: #""warm.gain": -3"#,
                    #""desk.echo.gain": -9"#: #""desk.warm.gain": -9"#,
                    #""address": "desk.echo.gain""#: #""address": "desk.warm.gain""#,
                ]))
        #expect(
            try changed([.removeStrip(.init("copy", of: "desk"))])
                == expected([
                    #", "copy.pan": 0.2"#: "",
                    #"{ "desk.copy.mute": true, "over": { "desk.copy.mute": 1 } }"#: "{}",
                ]))
    }

    @Test("a renamed scene keeps its place, which is its place in the cue list")
    func renamedScene() throws {
        #expect(
            try changed([.renameScene("one", to: "a \"b\"")])
                == expected([
                    #""one": {"#: #""a \"b\"": {"#, #""scene": "one","#: #""scene": "a \"b\"","#,
                    #"["one", "two", "echo"]"#: #"["a \"b\"", "two", "echo"]"#,
                    #"["one", "echo"]"#: #"["a \"b\"", "echo"]"#,
                ]))
    }

    @Test("a removed scene is removed from cues, lists and bindings; a list of one is no list")
    func removedScene() throws {
        #expect(
            try changed([.removeScene("echo")])
                == expected([
                    ",\n    \"echo\": { \"copy.gain\": 1 }": "",
                    #"["one", "two", "echo"]"#: #"["one", "two"]"#,
                    "    { \"cc\": 5, \"cycle\": [\"one\", \"echo\"] },\n": "",
                    "    { \"program\": 1, \"scene\": \"echo\" },\n": "",
                ]))
        let start = try changed([.removeScene("one")])
        #expect(!start.contains(#""scene": "one""#))
        let last = try changed([.removeScene("one"), .removeScene("two"), .removeScene("echo")])
        #expect(!last.contains("scenes"))
    }

    @Test("several changes apply together, and none leads another one astray")
    func together() throws {
        let result = try changed([
            .removeNode("copy"), .removeStrip(.init("copy", of: "desk")),
            .renameStrip(.init("echo", of: "desk"), to: "mic"), .removeAddress("echo.time"),
        ])
        #expect(
            result
                == expected([
                    #""echo.gain": -3"#: #""mic.gain": -3"#, #", "copy.pan": 0.2"#: "",
                    #""echo.time": 0.2, "desk.echo.gain": -9"#: #""desk.mic.gain": -9"#,
                    #""echo.time": 5, "#: "",
                    #"{ "desk.copy.mute": true, "over": { "desk.copy.mute": 1 } }"#: "{}",
                    #"{ "copy.gain": 1 }"#: "{}",
                    "    { \"cc\": 1, \"to\": \"echo.time\" },\n": "",
                    #"["copy.gain", { "address": "desk.echo.gain", "range": [0, 1] }]"#:
                        #"[{ "address": "desk.mic.gain", "range": [0, 1] }]"#,
                ]))
    }

    @Test("inputs, songs of a setlist, and names that look alike are kept apart")
    func others() throws {
        #expect(
            try changed([.renameSignal("keys", to: "piano")])
                == expected([
                    #""keys": { "kind""#: #""piano": { "kind""#,
                    #""events": "keys""#: #""events": "piano""#,
                    #""port": "keys""#: #""port": "piano""#,
                ]))
        #expect(
            try changed([.renameNode("echo2", to: "room")])
                == expected([
                    #""copy", "echo2"]"#: #""copy", "room"]"#,
                    #""echo2.gain": 1"#: #""room.gain": 1"#,
                    #""to": "echo2.gain""#: #""to": "room.gain""#,
                ]))
        let setlist = #"{"songs": [], "midi": [{"cc": 1, "song": "A"}, {"cc": 2, "song": "B"}]}"#
        #expect(
            try changed([.renameSong("A", to: "C"), .removeSong("B")], in: setlist)
                == #"{"songs": [], "midi": [{"cc": 1, "song": "C"}]}"#)
        #expect(try changed([.renameNode("nothing", to: "x"), .removeScene("no")]) == Self.file)
    }

    @Test("the operation rename keeps the place of a key, and refuses what is no key")
    func renameOperation() throws {
        func applying(_ patch: String, to text: String) throws -> String {
            let patch = try JSONPatch(parsing: Array(patch.utf8))
            return String(
                decoding: try PipelineText(Array(text.utf8)).applying(patch).bytes, as: UTF8.self)
        }
        #expect(
            try applying(
                #"[{"op": "rename", "path": "/a~1\"b", "to": "c\\"}]"#,
                to: #"{ "x": 1,  "a\u002f\"b" : [2],"y":3}"#) == #"{ "x": 1,  "c\\" : [2],"y":3}"#)
        #expect(
            try applying(#"[{"op": "rename", "path": "/x", "to": "x"}]"#, to: #"{"x": 1.0}"#)
                == #"{"x": 1.0}"#)
        for (path, text, words) in [
            ("/x", #"{"x": 1, "y": 2}"#, #"already has a key "y""#),
            ("/z", #"{"x": 1}"#, #"has no key "z""#), ("/x/0", #"{"x": [1]}"#, "is an array"),
            ("", "{}", "the whole file has no key"),
        ] {
            #expect {
                try applying(
                    "[{\"op\": \"rename\", \"path\": \"\(path)\", \"to\": \"y\"}]", to: text)
            } throws: { error in
                (error as? PatchError)?.message.contains(words) == true
            }
        }
        #expect(throws: PatchError.self) {
            try applying(#"[{"op": "rename", "path": "/x"}]"#, to: "{}")
        }
    }
}
