import HTTPServer
import Pipelines
import SessionCore
import TestPages
import Testing

/// What each role may do, over HTTP and over the WebSocket.
@Suite struct RoleTests {
    /// The least role that a request needs; `nil` if it needs none.
    private struct Row {
        let method: String
        let target: String
        let role: RemoteRole?
        var body = ""

        init(_ method: String, _ target: String, _ role: RemoteRole?, _ body: String = "") {
            (self.method, self.target, self.role, self.body) = (method, target, role, body)
        }
    }

    /// Each route with each of its methods.
    private static let rows = [
        Row("GET", "/", nil), Row("HEAD", "/app.js", nil), Row("GET", "/base.css", nil),
        Row("GET", "/api/values", .look), Row("HEAD", "/api/values", .look),
        Row("GET", "/api/values/warm.gain", .look), Row("HEAD", "/api/values/warm.gain", .look),
        Row("PUT", "/api/values/warm.gain", .play, "-3"),
        Row("PUT", "/api/values/scene", .play, "\"loud\""),
        Row("PUT", "/api/values/mute", .play, "false"),
        Row("PUT", "/api/values/warm.gain", .play, "{\"value\": -3, \"over\": 0.1}"),
        Row("PUT", "/api/values/learn", .edit, "\"warm.gain\""),
        Row("GET", "/api/reports", .look), Row("HEAD", "/api/reports", .look),
        Row("POST", "/api/actions/tap", .play), Row("POST", "/api/actions/panic", .play),
        Row("POST", "/api/actions/next-song", .play), Row("POST", "/api/actions/compare", .play),
        Row("POST", "/api/actions/fade-all", .play, "5"),
        Row("POST", "/api/actions/stop-all", .play), Row("POST", "/api/actions/go", .play),
        Row("POST", "/api/actions/save", .edit), Row("POST", "/api/actions/undo", .edit),
        Row("POST", "/api/actions/save-scene", .edit, "\"loud\""),
        Row("POST", "/api/actions/redo", .edit), Row("POST", "/api/keys/space", .play),
        Row("GET", "/api/pipeline", .look), Row("HEAD", "/api/pipeline", .look),
        Row("GET", "/api/files", .look), Row("HEAD", "/api/files", .look),
        Row("GET", "/api/files/1", .look), Row("HEAD", "/api/files/1", .look),
        Row("PATCH", "/api/files/1", .edit, "[]"),
        Row("GET", "/api/files/1/references?remove-node=warm", .look),
        Row("HEAD", "/api/files/1/references?remove-node=warm", .look),
        Row("GET", "/api/library/1", .look), Row("HEAD", "/api/library/1", .look),
        Row("PUT", "/api/library/1/hall.wav", .edit, "RIFF"),
        Row("GET", "/api/templates", .look), Row("HEAD", "/api/templates", .look),
        Row("GET", "/api/templates/a.json", .look), Row("HEAD", "/api/templates/a.json", .look),
        Row("GET", "/api/nodes/warm/presets", .look), Row("HEAD", "/api/nodes/warm/presets", .look),
        Row("PUT", "/api/nodes/warm/presets/mine", .edit),
        Row("GET", "/api/palette", .look), Row("HEAD", "/api/palette", .look),
        Row("GET", "/api/palette/gain", .look), Row("HEAD", "/api/palette/gain", .look),
        Row("GET", "/api/ports", .look), Row("HEAD", "/api/ports", .look),
        Row("GET", "/api/connections", .look), Row("HEAD", "/api/connections", .look),
        Row(
            "POST", "/api/connections", .edit,
            "{\"port\": \"mic\", \"other\": \"system:capture_1\", \"connected\": true}"),
        Row("GET", "/api/drawing", .look), Row("HEAD", "/api/drawing", .look),
        Row("GET", "/api/state", .look), Row("HEAD", "/api/state", .look),
        Row("GET", "/metrics", .look), Row("HEAD", "/metrics", .look),
        Row("GET", "/api/access", .look), Row("HEAD", "/api/access", .look),
        Row("PUT", "/api/access", .look, "{\"name\": \"x\"}"), Row("GET", "/api/live", .look),
        Row("GET", "/api/unknown", .look), Row("GET", "/%zz", .look),
    ]

    /// Fails to compile if there is a new route, which the rows then must contain.
    private func kind(_ route: Route) -> Int {
        switch route {
        case .file: 0
        case .values: 1
        case .value: 2
        case .reports: 3
        case .action: 4
        case .key: 5
        case .pipeline: 6
        case .playedFiles: 7
        case .playedFile: 8
        case .drawing: 9
        case .state: 10
        case .metrics: 11
        case .access: 12
        case .pair: 13
        case .live: 14
        case .unknown: 15
        case .malformed: 16
        case .references: 17
        case .library: 18
        case .libraryFile: 19
        case .templates: 20
        case .template: 21
        case .presets: 22
        case .preset: 23
        case .palette: 24
        case .paletteType: 25
        case .ports: 26
        case .connections: 27
        }
    }

    @Test("the table has each route with each of its methods, except the pairing itself")
    func complete() {
        for number in 0...27 where number != 13 {
            let rows = Self.rows.filter { kind(Route($0.target)) == number }
            #expect(!rows.isEmpty, "\(number)")
            let methods = Set(rows.map(\.method))
            for method in rows.first.map({ Route($0.target).methods }) ?? []
            where !(number == 0 && method == "GET") && !(number == 12 && method == "DELETE") {
                #expect(methods.contains(method), "\(method) of \(rows[0].target)")
            }
        }
    }

    @Test("a role may do exactly what the table says", arguments: RemoteRole.allCases)
    func requests(role: RemoteRole) throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: role))
        for row in Self.rows {
            let status = try server.ask(row.method, row.target, key: key, body: row.body).status
            let isAllowed = row.role.map { $0 <= role } ?? true
            #expect((status == 403) == !isAllowed, "\(row.method) \(row.target): \(status)")
            #expect(status != 401, "\(row.method) \(row.target)")
        }
    }

    @Test("what a role forbids has no effect")
    func effects() throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .look))
        for row in Self.rows where (row.role ?? .look) > .look {
            _ = try server.ask(row.method, row.target, key: key, body: row.body)
        }
        let session = server.served.session
        #expect(session.perform(.get("warm.gain")) == .values([.init("warm.gain", .number(0))]))
        #expect(session.perform(.get("song")) == .values([.init("song", .text("one"))]))
        let forbidden = Self.rows.count { ($0.role ?? .look) > .look }
        #expect(waitUntil { server.served.refusedCount(.forbidden) == forbidden })
    }

    @Test("another machine without a key gets the files of the page, and nothing else")
    func strangers() throws {
        let server = try PairedServer()
        for row in Self.rows {
            let answer = try server.ask(row.method, row.target, body: row.body)
            #expect((answer.status == 401) == (row.role != nil), "\(row.method) \(row.target)")
            if row.role != nil {
                #expect(answer.body.count < 200)
                #expect(answer.fields["www-authenticate"] == "Bearer")
            }
        }
        #expect(PageVisitor(port: server.served.port, from: 2) == nil)
        #expect(try server.ask("DELETE", "/api/access").status == 401)
    }

    @Test("programs on this machine need no key, and may do everything")
    func local() throws {
        let server = try PairedServer()
        for row in Self.rows {
            let answer = try server.served.ask(row.method, row.target, body: row.body)
            #expect(![401, 403].contains(answer.status), "\(row.method) \(row.target)")
        }
        let page = try server.served.page()
        #expect(page.parts["access"]?["role"]?.string == "edit")
        #expect(page.parts["access"]?["device"]?.isNull == true)
        #expect(try server.served.ask("POST", "/api/pair", body: "{\"code\": \"1\"}").status == 409)
    }

    // MARK: WebSocket

    /// Each request of a page, the least role, and whether a limited page may send it.
    private static let messages: [(text: String, role: RemoteRole, isInMix: Bool)] = [
        ("\"request\": \"ping\"", .look, true), ("\"request\": \"snapshot\"", .look, true),
        ("\"request\": \"watch\", \"meters\": 0", .look, true),
        ("\"request\": \"get\", \"address\": \"warm.gain\"", .look, true),
        (
            "\"request\": \"set\", \"address\": \"warm.gain\", \"value\": -2, \"revision\": 9999",
            .play, false
        ),
        (
            "\"request\": \"set\", \"address\": \"desk.mic.gain\", \"value\": -2, \"revision\": 9999",
            .play, true
        ),
        (
            "\"request\": \"set\", \"address\": \"mute\", \"value\": false, \"revision\": 9999",
            .play, false
        ),
        (
            "\"request\": \"set\", \"address\": \"scene\", \"value\": 1, \"revision\": 9999", .play,
            false
        ),
        (
            "\"request\": \"set\", \"address\": \"learn\", \"value\": \"\", \"revision\": 9999",
            .edit, false
        ),
        (
            "\"request\": \"fade\", \"address\": \"warm.gain\", \"value\": -2, \"seconds\": 0, \"revision\": 9999",
            .play, false
        ),
        (
            "\"request\": \"fade\", \"address\": \"desk.warm.gain\", \"value\": -2, \"seconds\": 0, \"revision\": 9999",
            .play, true
        ),
        ("\"request\": \"perform\", \"action\": \"tap\"", .play, false),
        ("\"request\": \"perform\", \"action\": \"panic\"", .play, false),
        ("\"request\": \"perform\", \"action\": \"compare\", \"revision\": 9999", .play, false),
        ("\"request\": \"perform\", \"action\": \"save\", \"revision\": 9999", .edit, false),
        (
            "\"request\": \"perform\", \"action\": \"save-scene\", \"value\": \"x\", \"revision\": 9999",
            .edit, false
        ),
        ("\"request\": \"perform\", \"action\": \"undo\", \"revision\": 9999", .edit, false),
        ("\"request\": \"perform\", \"action\": \"redo\", \"revision\": 9999", .edit, false),
        ("\"request\": \"key\", \"key\": \"space\"", .play, false),
        (
            "\"request\": \"edit\", \"file\": \"/a\", \"tag\": \"1\", \"operations\": []", .edit,
            false
        ),
    ]

    /// The words with which the server refuses because of a role.
    private func isForbidden(_ answer: JSONElement?) -> Bool {
        answer?["answer"]?.string == "refused"
            && answer?["message"]?.string?.hasPrefix("this device may") == true
    }

    @Test("each request of a page needs its role", arguments: RemoteRole.allCases)
    func messages(role: RemoteRole) throws {
        let server = try PairedServer()
        let page = try server.page(try server.add(Permit(role: role)))
        #expect(page.parts["access"]?["role"]?.string == role.rawValue)
        for (text, needed, _) in Self.messages {
            #expect(isForbidden(page.ask(text)) == (role < needed), "\(text)")
        }
    }

    @Test("a limited page changes its own mix only", arguments: ["desk", "out"])
    func limit(name: String) throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .play, limit: name))
        let page = try server.page(key)
        guard case .array(let mixers)? = page.parts["access"]?["mixers"]?.content else {
            Issue.record("there are no mixers")
            return
        }
        #expect(mixers.map(\.string) == ["desk"])
        for (text, _, isInMix) in Self.messages {
            #expect(isForbidden(page.ask(text)) == !isInMix, "\(text)")
        }
        #expect(
            try server.ask("PUT", "/api/values/desk.mic.gain", key: key, body: "-6").status == 200)
        #expect(try server.ask("PUT", "/api/values/warm.gain", key: key, body: "-6").status == 403)
        #expect(try server.ask("PUT", "/api/values/deskx.gain", key: key, body: "-6").status == 403)
        #expect(try server.ask("POST", "/api/actions/tap", key: key).status == 403)
        #expect(try server.ask("GET", "/api/state", key: key).status == 200)
    }

    @Test("a limit to a mixer that the song does not have changes nothing")
    func absentMixer() throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .play, limit: "nothing"))
        for address in ["desk.mic.gain", "nothing.gain", "warm.gain", "gain"] {
            let answer = try server.ask("PUT", "/api/values/\(address)", key: key, body: "-6")
            #expect(answer.status == 403, "\(address)")
        }
    }
}

extension JSONElement {
    fileprivate var isNull: Bool { if case .null = content { true } else { false } }
}
