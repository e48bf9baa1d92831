import Pipelines
import SessionCore
import Synchronization
import TestPages
import Testing

/// Requests that read and edit the files that play, with a host that has prepared answers.
@Suite struct PlayedFileTests {
    private static let path = "/songs/one.json"
    private static let text = "{ \"version\": 1 }\n"
    private static let tag = ContentTag(of: Array(text.utf8), file: path)
    private let served: ServedPage
    private let orders = Orders()

    private final class Orders: Sendable {
        let patches = Mutex<[FilePatch]>([])
    }

    init() throws {
        served = try ServedPage()
        served.session.serve { [orders] order in
            switch order.task {
            case .read(let path):
                return .read(FileContent(path: path, bytes: Array(Self.text.utf8)))
            case .edit(let patch):
                orders.patches.withLock { $0.append(patch) }
                return Self.result(of: patch)
            case .save, .undo, .redo, .restore: return .refused("nothing to undo")
            }
        }
        served.session.announce(
            SessionFiles(
                files: [
                    .init(path: Self.path, isSetlist: false, songs: ["one"], tag: Self.tag)
                ], history: .init(undo: "add \"x\"")))
    }

    private static func result(of patch: FilePatch) -> FileEditResult {
        switch patch.name {
        case "conflict":
            return .failed(.init(.conflict(ContentTag("abc-1")), "it has changed"))
        case "impossible": return .failed(.init(.impossible(operation: 3), "no such key"))
        case "invalid":
            let error = Diagnostic(
                file: path, line: 2, column: 5, pointer: "/nodes/0", code: .unknownType,
                message: "wrong type", suggestion: "gain")
            return .failed(.init(.invalid([error]), "the file would have an error"))
        case "unprepared": return .failed(.init(.unprepared, "too little memory"))
        case "locked": return .refused("the disk is full")
        default:
            var edit = FileEdit(.edited, path: patch.file, values: [])
            edit.name = patch.name
            edit.tag = ContentTag("new-2")
            return .done(edit)
        }
    }

    private static let patchType = ("Content-Type", "application/json-patch+json")
    private static let match = ("If-Match", "\"\(tag.text)\"")
    private static let patch = #"[{"op": "add", "path": "/name", "value": "x"}]"#

    private func edit(
        _ name: String, _ fields: [(String, String)] = [patchType, match], body: String = patch
    ) throws -> PlainAnswer {
        try served.ask("PATCH", "/api/files/1?name=\(name)", fields, body: body)
    }

    @Test("the files that play are listed, and read with their tags")
    func reading() throws {
        let list = try served.ask("GET", "/api/files").text
        #expect(
            list
                == "[{\"number\": 1, \"file\": \"\(Self.path)\", \"setlist\": false, \"songs\": [\"one\"], \"tag\": \"\(Self.tag.text)\"}]\n"
        )
        let file = try served.ask("GET", "/api/files/1")
        #expect(file.status == 200)
        #expect(file.text == Self.text)
        #expect(file.fields["etag"] == "\"\(Self.tag.text)\"")
        #expect(try served.ask("GET", "/api/files/2").status == 404)
        #expect(try served.ask("GET", "/api/files/x").status == 404)
        #expect(try served.ask("PUT", "/api/files/1", body: "1").status == 405)
    }

    @Test("the references to names are a patch for the content with a tag")
    func references() throws {
        let found = try served.ask(
            "GET", "/api/files/1/references?rename-node=echo&to=sl%C3%A4p&remove-scene=x")
        #expect(found.status == 200)
        #expect(found.text == "{\"tag\": \"\(Self.tag.text)\", \"operations\": []}\n")
        for query in [
            "", "?", "?rename-node=echo", "?rename-node=echo&remove-node=x", "?remove-strip=desk",
            "?remove-node=", "?remove-node=%ff", "?other=x", "?remove-node",
            "?" + Array(repeating: "remove-node=x", count: 65).joined(separator: "&"),
        ] {
            #expect(
                try served.ask("GET", "/api/files/1/references\(query)").status == 400, "\(query)")
        }
        #expect(try served.ask("GET", "/api/files/2/references?remove-node=x").status == 404)
        #expect(try served.ask("PATCH", "/api/files/1/references?remove-node=x").status == 405)
    }

    @Test("files are read and edited without a new description of the whole session")
    func describedOnce() throws {
        _ = try served.ask("GET", "/api/files/1")
        let before = served.session.descriptionCount
        #expect(before <= 1)
        #expect(try edit("x").status == 200)
        #expect(try served.ask("GET", "/api/files/1").status == 200)
        #expect(try served.ask("GET", "/api/files/1/references?remove-node=x").status == 200)
        #expect(served.session.descriptionCount == before)
    }

    @Test("a patch reaches the session with its tag and name, and the answer has the new tag")
    func edited() throws {
        let answer = try edit("add%20%C3%A9cho")
        #expect(answer.status == 200)
        #expect(answer.fields["etag"] == "\"new-2\"")
        #expect(answer.text.contains("\"answer\": \"edited\", \"kind\": \"edited\""))
        let patch = try #require(orders.patches.withLock { $0.last })
        #expect(patch.name == "add \u{E9}cho")
        #expect(patch.file == Self.path)
        #expect(patch.tag == Self.tag)
        #expect(patch.patch == (try JSONPatch(parsing: Array(Self.patch.utf8))))
    }

    @Test("each reason for refusing has its status and what a program needs to continue")
    func refusals() throws {
        let conflict = try edit("conflict")
        #expect(conflict.status == 412)
        #expect(conflict.fields["etag"] == "\"abc-1\"")
        #expect(conflict.text.contains("\"tag\": \"abc-1\""))
        let impossible = try edit("impossible")
        #expect(impossible.status == 422)
        #expect(impossible.text.contains("\"operation\": 3"))
        let invalid = try edit("invalid")
        #expect(invalid.status == 422)
        #expect(invalid.text.contains("\"line\": 2, \"column\": 5"))
        #expect(invalid.text.contains("\"suggestion\": \"gain\""))
        #expect(try edit("unprepared").status == 422)
        #expect(try edit("locked").status == 409)
    }

    @Test("a request without its conditions does not reach the session")
    func conditions() throws {
        #expect(try edit("x", [Self.patchType]).status == 428)
        #expect(try edit("x", [Self.patchType, ("If-Match", "*")]).status == 400)
        #expect(try edit("x", [Self.patchType, ("If-Match", "\"a\", \"b\"")]).status == 400)
        let type = try edit("x", [("Content-Type", "application/json"), Self.match])
        #expect(type.status == 415)
        #expect(type.fields["accept-patch"] == "application/json-patch+json")
        #expect(try edit("x", body: "{}").status == 400)
        #expect(try edit("x", body: #"[{"op": "remove"}]"#).text.contains("operation 0"))
        let count = orders.patches.withLock { $0.count }
        #expect(count == 0)
        let typed = [("Content-Type", "Application/JSON-Patch+json; charset=utf-8"), Self.match]
        #expect(try edit("x", typed).status == 200)
    }

    @Test("a page edits, sees the files and the history, and gets each answer")
    func page() throws {
        let page = try served.page()
        #expect(page.waits { $0.parts["files"]?.elements.first?["tag"]?.string == Self.tag.text })
        #expect(page.waits { $0.parts["history"]?["undo"]?.string == "add \"x\"" })
        #expect(page.waits { $0.values["next-undo"]?.string == "add \"x\"" })
        func ask(_ name: String) -> JSONElement? {
            let id = page.send(
                "\"request\": \"edit\", \"file\": \"\(Self.path)\", \"tag\": \"\(Self.tag.text)\", \"name\": \"\(name)\", \"operations\": \(Self.patch)"
            )
            let first = page.answer(to: id)
            return first?["answer"]?.string == "pending" ? page.answer(to: id) : nil
        }
        let edited = ask("add Reverb")
        #expect(edited?["answer"]?.string == "edited")
        #expect(edited?["tag"]?.string == "new-2")
        let conflict = ask("conflict")
        #expect(conflict?["answer"]?.string == "conflict")
        #expect(conflict?["tag"]?.string == "abc-1")
        let invalid = ask("invalid")
        #expect(invalid?["answer"]?.string == "refused")
        #expect(invalid?["diagnostics"]?.elements.first?["line"]?.number == 2)
        let wrong = page.ask(
            "\"request\": \"edit\", \"file\": \"x\", \"tag\": \"y\", \"operations\": [{\"op\": \"x\", \"path\": \"\"}]"
        )
        #expect(wrong?["answer"]?.string == "refused")
        #expect(wrong?["message"]?.string?.contains("operation 0") == true)
        #expect(page.ask("\"request\": \"edit\", \"file\": \"x\"")?["answer"]?.string == "refused")
        served.session.announce(SessionFiles())
        #expect(page.waits { $0.parts["files"]?.elements.isEmpty == true })
        #expect(page.waits { $0.parts["history"]?["undo"]?.string == nil })
    }
}
