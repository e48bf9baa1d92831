import Glibc
import HTTPServer
import Pipelines
import TestPages
import Testing

/// Keys: cookies, revocation, changes of roles.
@Suite struct RemoteKeyTests {
    @Test("cookies that are malformed, repeated, or of another server give no access")
    func cookies() throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .edit)).text
        let name = server.cookie
        let other = AccessKey.random().text
        for cookie in [
            "", ";", "=", name, "\(name)=", "\(name)=\(key.dropLast())", "\(name)=\(key)0",
            "\(name)=\(key.uppercased())x", "\(name)=\"\(key)\"", "\(name) =\(key)",
            "\(name)=\(key); \(name)=\(other)", "\(name)=\(other); \(name)=\(key)",
            "\(name)=\(key); \(name)=\(key)", "stompline=\(key)", "stompline-1=\(key)",
            "x\(name)=\(key)", "\(name)=\(key)\u{1}", "\(name)=%20\(key)",
            String(repeating: "a=b; ", count: 2000),
        ] {
            let answer = try server.ask("GET", "/api/values", [("Cookie", cookie)])
            #expect([400, 401].contains(answer.status), "\(cookie.prefix(120))")
        }
        for cookie in ["\(name)=\(key)", "a=b; \(name)=\(key); c=d", "a;\(name)=\(key)"] {
            #expect(try server.ask("GET", "/api/values", [("Cookie", cookie)]).status == 200)
        }
    }

    @Test("malformed, repeated and unknown bearers give no access, even with a valid cookie")
    func bearers() throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .edit)).text
        for fields in [
            [("Authorization", key)], [("Authorization", "Bearer")],
            [("Authorization", "Bearer \(AccessKey.random().text)")],
            [("Authorization", "Basic \(key)")], [("Authorization", "Bearer \(key) x")],
            [("Authorization", "Bearer \(key)"), ("Authorization", "Bearer \(key)")],
            [("Authorization", "Bearer x"), ("Cookie", "\(server.cookie)=\(key)")],
        ] {
            #expect(try server.ask("GET", "/api/values", fields).status == 401)
        }
        #expect(
            try server.ask("GET", "/api/values", [("Authorization", "bearer  \(key)")]).status
                == 200)
    }

    @Test("a key of another program state gives no access")
    func otherState() throws {
        let other = try PairedServer()
        let key = try other.add(Permit(role: .edit))
        let server = try PairedServer()
        _ = try server.add(Permit(role: .edit))
        #expect(try server.ask("GET", "/api/values", key: key).status == 401)
    }

    @Test("a revoked device loses its open connections at once, and gets no new ones")
    func revoked() throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .play), name: "lost")
        let kept = try server.page(try server.add(Permit(role: .play), name: "kept"))
        let page = try server.page(key)
        let plain = try #require(Visitor(port: server.served.port, from: 2))
        let field = [("Authorization", "Bearer \(key.text)")]
        #expect(plain.ask("GET", "/api/values", field, host: server.served.host)?.status == 200)
        try server.change { $0.devices.removeAll { $0.name == "lost" } }
        #expect(page.waitForClose() == 4401)
        #expect(plain.waitsForClose())
        #expect(try server.ask("GET", "/api/values", key: key).status == 401)
        #expect(
            PageVisitor(
                port: server.served.port, [("Cookie", "\(server.cookie)=\(key.text)")], from: 2)
                == nil)
        #expect(kept.set("warm.gain", "-1") == "done")
    }

    @Test("a new role applies to open pages at once")
    func changedRole() throws {
        let server = try PairedServer()
        let page = try server.page(try server.add(Permit(role: .play)))
        #expect(page.set("warm.gain", "-1") == "done")
        try server.change { $0.devices[0].permit = Permit(role: .look) }
        #expect(page.waits { $0.parts["access"]?["role"]?.string == "look" })
        #expect(page.areRevisionsOrdered)
        #expect(page.set("warm.gain", "-2") == "refused")
        try server.change { $0.devices[0].permit = Permit(role: .play) }
        #expect(page.waits { $0.parts["access"]?["role"]?.string == "play" })
        #expect(page.set("warm.gain", "-3") == "done")
    }

    @Test("a device renames itself, and ends its own pairing")
    func own() throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .look))
        let page = try server.page(key)
        let renamed = try server.ask(
            "PUT", "/api/access", key: key, body: "{\"name\": \"  Drums \\u001b \"}")
        #expect(renamed.status == 200)
        #expect(page.waits { $0.parts["access"]?["name"]?.string == "Drums" })
        #expect(try server.file.read().devices[0].name == "Drums")
        for body in ["", "{}", "{\"name\": 1}", "\"x\""] {
            #expect(try server.ask("PUT", "/api/access", key: key, body: body).status == 400)
        }
        let ended = try server.ask("DELETE", "/api/access", key: key)
        #expect(ended.fields["set-cookie"]?.contains("Max-Age=0") == true)
        #expect(page.waitForClose() == 4401)
        #expect(try server.file.read().devices.isEmpty)
        #expect(try server.ask("GET", "/api/values", key: key).status == 401)
    }

    @Test("a damaged file gives nobody access, and the reason is reported")
    func damaged() throws {
        let server = try PairedServer()
        let key = try server.add(Permit(role: .edit))
        let page = try server.page(key)
        #expect(truncate(server.file.path, 10) == 0)
        server.served.server.followRemotes()
        #expect(page.waitForClose() == 4401)
        #expect(try server.ask("GET", "/api/values", key: key).status == 401)
        #expect(
            server.served.allNotices.contains {
                if case .accessFailed(let text) = $0 { text.contains("damaged") } else { false }
            })
    }

    @Test("paths of another machine never leave the files of the page")
    func paths() throws {
        let server = try PairedServer()
        for path in [
            "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/views/../index.html",
            "/api/../index.html", "/api/pair/../state", "/api%2fstate", "/API/state",
        ] {
            let answer = try server.ask("GET", path)
            #expect([400, 401, 404].contains(answer.status), "\(path): \(answer.status)")
            #expect(answer.body.count < 200)
        }
    }
}
