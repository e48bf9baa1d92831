import Pipelines
import TestPages
import TestSignals
import Testing

extension JackTests {
    /// Edits of the file by programs over HTTP and WebSockets, with the whole program.
    @Suite struct EditedFromOutsideTests {
        /// A file with an unusual layout, of which no byte may change without need.
        private static let text = """
            {"version":1,   "inputs": { "mic": {}},
              "outputs": {"main": {"limiter": false}}, "nodes": [ {"id":"lev",
                "type": "gain", "parameters": {"gain" :  0.0}}, { "id": "pad", "type": "gain" }],
              "scenes" : {"soft": { "pad.gain": -6 }, "full": {"pad.gain": 0}} }

            """

        /// A program that plays, and its port of HTTP.
        private struct Served {
            let live: LiveProgram
            let port: UInt16

            init(_ name: String, _ files: KeyValuePairs<String, String>) throws {
                live = try LiveProgram(name, files, "--http", "0")
                let line = try #require(
                    live.standardError.split(separator: "\n").first {
                        $0.contains("page at http://")
                    })
                let digits = try #require(line.split(separator: ":").last).prefix { $0.isNumber }
                port = try #require(UInt16(digits))
                live.player.play([0.5])
                #expect(live.listener.waits(for: 0.5))
            }

            func ask(
                _ method: String, _ target: String, _ fields: [(String, String)] = [],
                _ body: String = ""
            ) throws -> PlainAnswer {
                let visitor = try #require(Visitor(port: port))
                return try #require(
                    visitor.ask(method, target, fields, host: "127.0.0.1:\(port)", body: body))
            }

            /// The tag of a file in quotes.
            func tag(_ number: Int = 1) throws -> String {
                try #require(try ask("HEAD", "/api/files/\(number)").fields["etag"])
            }

            func patch(
                _ operations: String, _ tag: String, file: Int = 1, name: String = "change"
            ) throws -> PlainAnswer {
                try ask(
                    "PATCH", "/api/files/\(file)?name=\(name)",
                    [("Content-Type", "application/json-patch+json"), ("If-Match", tag)],
                    operations)
            }

            var fileText: String { LiveProgram.text(of: live.file) }
        }

        @Test("an edit is heard, changes no other byte, and can be undone and redone")
        func heard() throws {
            let served = try Served("Patched", ["p.json": Self.text])
            let tag = try served.tag()
            let answer = try served.patch(
                #"[{"op": "replace", "path": "/nodes/0/parameters/gain", "value": -6.0206}, {"op": "add", "path": "/nodes/1", "value": {"id": "flip", "type": "gain", "parameters": {"invert": true}}}]"#,
                tag, name: "add%20flip")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(served.live.listener.waits(for: -0.25))
            let edited = Self.text
                .replacing("\"gain\" :  0.0", with: "\"gain\" :  -6.0206")
                .replacing(
                    "{ \"id\": \"pad\"",
                    with:
                        "{ \"id\":\"flip\",\"type\":\"gain\",\"parameters\":{\"invert\":true} }, { \"id\": \"pad\""
                )
            #expect(served.fileText == edited)
            #expect(answer.fields["etag"] == (try served.tag()))
            #expect(try served.live.holds("next-undo", "add flip"))
            #expect(served.live.program.waitFor(event: "history") != nil)
            #expect(
                try served.live.ctl("undo")
                    == "restored \(served.live.file) as it was before \"add flip\"")
            #expect(served.fileText == Self.text)
            #expect(served.live.listener.waits(for: 0.5))
            #expect(try served.live.holds("next-redo", "add flip"))
            #expect(try served.live.ctl("redo").contains("after \"add flip\""))
            #expect(served.fileText == edited)
            #expect(served.live.listener.waits(for: -0.25))
            #expect(try served.live.ctl("redo").contains("nothing to redo"))
        }

        @Test("an edit that was made before a hand edit is a conflict, and nothing is lost")
        func conflict() throws {
            let served = try Served("Patched late", ["p.json": Self.text])
            let old = try served.tag()
            served.live.edit("\"gain\" :  0.0", "\"gain\" :  -6.0206")
            #expect(served.live.listener.waits(for: 0.25))
            let byHand = served.fileText
            let operations = #"[{"op": "add", "path": "/name", "value": "new"}]"#
            let late = try served.patch(operations, old)
            #expect(late.status == 412)
            #expect(served.fileText == byHand)
            let current = try #require(late.fields["etag"])
            #expect(current == (try served.tag()))
            #expect(try served.patch(operations, current).status == 200)
            let edited = served.fileText
            #expect(edited.contains("\"gain\" :  -6.0206"))
            // A hand edit after the edit must not be lost by undo.
            served.live.edit("-6.0206", "-12.0412")
            #expect(served.live.listener.waits(for: 0.125))
            let again = served.fileText
            #expect(try served.live.ctl("undo").contains("another program has changed"))
            #expect(served.fileText == again)
        }

        @Test("an edit with an error is refused with its place, and sound and file stay")
        func error() throws {
            let served = try Served("Patched wrong", ["p.json": Self.text])
            let tag = try served.tag()
            let start = served.live.listener.heardFrames
            let wrong = try served.patch(
                #"[{"op": "replace", "path": "/nodes/1/type", "value": "gian"}]"#, tag)
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("\"pointer\": \"/nodes/1/type\""))
            #expect(wrong.text.contains("\"line\": 3"))
            #expect(wrong.text.contains("\"suggestion\": \"gain\""))
            let missing = try served.patch(#"[{"op": "remove", "path": "/nodes/7"}]"#, tag)
            #expect(missing.status == 422)
            #expect(missing.text.contains("\"operation\": 0"))
            let broken = try served.patch(#"[{"op": "remove", "path": "/nodes/1"}]"#, tag)
            #expect(broken.status == 422, "a scene needs the node")
            _ = served.live.listener.record(24_000)
            #expect(served.live.listener.heard[start...].allSatisfy { abs($0 - 0.5) < 1e-6 })
            #expect(served.fileText == Self.text)
            #expect(try served.tag() == tag)
            #expect(try served.live.ctl("undo").contains("nothing to undo"))
        }

        @Test("an edit that would break another song of the setlist is refused")
        func otherSong() throws {
            let setlist = """
                {"version": 1, "setlist": "Set", "songs": [{"pipeline": "a.json"}, {"pipeline": "b.json", "scene": "soft"}]}
                """
            let served = try Served(
                "Patched set", ["set.json": setlist, "a.json": Self.text, "b.json": Self.text])
            let list = try served.ask("GET", "/api/files").text
            #expect(list.contains("\"number\": 3"))
            let removed = try served.patch(
                #"[{"op": "remove", "path": "/scenes/soft"}]"#, try served.tag(3), file: 3)
            #expect(removed.status == 422, "\(removed.text)")
            #expect(LiveProgram.text(of: served.live.folder.file("b.json")) == Self.text)
            let unknown = try served.patch(
                #"[{"op": "add", "path": "/songs/-", "value": {"pipeline": "c.json"}}]"#,
                try served.tag())
            #expect(unknown.status == 422, "\(unknown.text)")
            #expect(served.fileText == setlist)
            // The tag of one file does not fit another one with the same content.
            #expect(
                try served.patch(
                    #"[{"op": "add", "path": "/name", "value": "x"}]"#, try served.tag(2), file: 3
                ).status == 412)
            let renamed = try served.patch(
                #"[{"op": "add", "path": "/songs/1/name", "value": "Encore"}]"#, try served.tag())
            #expect(renamed.status == 200, "\(renamed.text)")
        }

        @Test("200 random edits, undone and redone, restore the exact bytes")
        func manyEdits() throws {
            let served = try Served("Patched often", ["p.json": Self.text])
            let page = try #require(PageVisitor(port: served.port))
            #expect(page.waits { $0.parts["files"]?.elements.isEmpty == false })
            var random = RepeatableNumbers(state: 1)
            var tag = try served.tag().filter { $0 != "\"" }
            var texts = [served.fileText]
            let choices = [
                #"{"op": "replace", "path": "/nodes/0/parameters/gain", "value": -#.50}"#,
                #"{"op": "add", "path": "/nodes/0/parameters/invert", "value": true}"#,
                #"{"op": "add", "path": "/scenes/s#", "value": {"lev.gain": -#}}"#,
                #"{"op": "add", "path": "/description", "value": "take #"}"#,
                #"{"op": "add", "path": "/nodes/-", "value": {"id": "n#", "type": "gain"}}"#,
            ]
            for number in 0..<200 {
                // Most edits are values, because each new node adds one to the pipeline.
                let index = number % 20 == 0 ? 4 : Int.random(in: 0..<4, using: &random)
                let edit = choices[index].replacing(
                    "#", with: "\(index == 4 ? number : number % 60)")
                let id = page.send(
                    "\"request\": \"edit\", \"file\": \"\(served.live.file)\", \"tag\": \"\(tag)\", \"name\": \"edit \(number)\", \"operations\": [\(edit)]"
                )
                var answer = page.answer(to: id)
                if answer?["answer"]?.string == "pending" { answer = page.answer(to: id) }
                try #require(
                    answer?["answer"]?.string == "edited",
                    "\(edit): \(answer?["message"]?.string ?? "no answer")")
                tag = try #require(answer?["tag"]?.string)
                // A page that reads the file on the answer must know that it has changed.
                try #require(page.parts["files"]?.elements.first?["tag"]?.string == tag)
                // A value that the file has already changes nothing.
                if served.fileText != texts.last { texts.append(served.fileText) }
            }
            func step(_ action: String) throws {
                let answer = try served.ask("POST", "/api/actions/\(action)")
                try #require(answer.status == 200, "\(answer.text)")
            }
            for text in texts.dropLast().reversed() {
                try step("undo")
                try #require(served.fileText == text)
            }
            #expect(served.fileText == Self.text)
            #expect(try served.ask("POST", "/api/actions/undo").status == 409)
            for text in texts.dropFirst() {
                try step("redo")
                try #require(served.fileText == text)
            }
            #expect(page.waits { $0.parts["history"]?["redo"]?.string == nil })
        }

        @Test("two pages and a hand edit converge on the same file")
        func convergence() throws {
            let served = try Served("Patched by two", ["p.json": Self.text])
            let pages = try (0..<2).map { _ in try #require(PageVisitor(port: served.port)) }
            func tag(_ page: PageVisitor) -> String? {
                page.parts["files"]?.elements.first?["tag"]?.string
            }
            func edit(_ page: PageVisitor, _ tag: String, _ operation: String) -> JSONElement? {
                let id = page.send(
                    "\"request\": \"edit\", \"file\": \"\(served.live.file)\", \"tag\": \"\(tag)\", \"operations\": [\(operation)]"
                )
                let first = page.answer(to: id)
                return first?["answer"]?.string == "pending" ? page.answer(to: id) : first
            }
            for page in pages { #expect(page.waits { tag($0) != nil }) }
            let first = try #require(tag(pages[0]))
            #expect(tag(pages[1]) == first)
            let gain =
                #"{"op": "replace", "path": "/nodes/0/parameters/gain", "value": -6.0206}"#
            let name = #"{"op": "add", "path": "/name", "value": "Two"}"#
            let edited = edit(pages[0], first, gain)
            #expect(edited?["answer"]?.string == "edited")
            let late = edit(pages[1], first, name)
            #expect(late?["answer"]?.string == "conflict")
            let current = try #require(late?["tag"]?.string)
            #expect(current == edited?["tag"]?.string)
            #expect(edit(pages[1], current, name)?["answer"]?.string == "edited")
            served.live.edit("\"type\": \"gain\" }]", "\"type\": \"gain\", \"mix\": 1 }]")
            let final = ContentTag(of: Array(served.fileText.utf8), file: served.live.file).text
            for page in pages { #expect(page.waits { tag($0) == final }) }
            #expect(served.live.listener.waits(for: 0.25))
            #expect(served.fileText.contains("\"Two\""))
            #expect(served.fileText.contains("-6.0206"))
        }
    }
}

/// Random numbers that are the same in each run: SplitMix64.
private struct RepeatableNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var number = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        return number ^ number >> 31
    }
}
