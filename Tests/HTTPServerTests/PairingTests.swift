import Glibc
import HTTPServer
import Pipelines
import TestPages
import Testing

/// Pairing over real sockets.
@Suite struct PairingTests {
    private func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

    @Test("the right code gives a key in a cookie that scripts and other sites cannot use")
    func pairs() throws {
        let server = try PairedServer()
        let code = try server.code()
        let answer = try server.pair(code, name: "Anna's phone")
        #expect(answer.status == 200)
        let cookie = try #require(answer.fields["set-cookie"])
        let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
        #expect(
            Set(parts.dropFirst()) == ["Path=/", "Max-Age=34560000", "HttpOnly", "SameSite=Strict"])
        let key = try #require(AccessKey(parts[0].dropFirst(server.cookie.count + 1)))
        #expect(parts[0].hasPrefix(server.cookie + "="))
        #expect(!answer.text.contains(key.text))
        let device = try #require(try server.file.read().devices.first)
        #expect(device.name == "Anna's phone")
        #expect(device.permit == Permit(role: .play))
        #expect(device.keyHash.equals(key.hash))
        let page = try server.page(key)
        #expect(page.parts["access"]?["role"]?.string == "play")
        #expect(page.parts["access"]?["name"]?.string == "Anna's phone")
        #expect(page.set("warm.gain", "-3") == "done")
    }

    @Test("a script gets the key in the body, and no cookie")
    func script() throws {
        let server = try PairedServer(Permit(role: .look))
        let answer = try server.pair(try server.code(), isScript: true)
        #expect(answer.fields["set-cookie"] == nil)
        let errors = ErrorList()
        let root = Document(parsing: answer.body, errors: errors).root
        let key = try #require(AccessKey(root["key"]?.string ?? ""))
        #expect(root["role"]?.string == "look")
        #expect(try server.ask("GET", "/api/values", key: key).status == 200)
    }

    @Test("a code works once, and a new one is shown after it")
    func replay() throws {
        let server = try PairedServer()
        let code = try server.code()
        #expect(try server.pair(code).status == 200)
        #expect(waitUntil { server.codes.count == 2 })
        #expect(try server.pair(code).status == 403)
        #expect(try server.file.read().devices.count == 1)
        #expect(try server.pair(try #require(server.codes.last), from: 3).status == 200)
        #expect(waitUntil { server.served.refusedCount(.wrongCode) == 1 })
    }

    @Test("a new code ends the one before it")
    func replaced() throws {
        let server = try PairedServer()
        let old = try server.code()
        let new = try server.code()
        if old != new { #expect(try server.pair(old).status == 403) }
        #expect(try server.pair(new).status == 200)
    }

    @Test("wrong codes are refused, limited per machine, and end the code")
    func guesses() throws {
        let server = try PairedServer()
        let code = try server.code()
        for _ in 0..<3 { #expect(try server.pair(wrong(code)).status == 403) }
        #expect(try server.pair(wrong(code)).status == 429)
        #expect(try server.pair(code).status == 429)
        for source: UInt8 in [3, 4] {
            for _ in 0..<3 { #expect(try server.pair(wrong(code), from: source).status == 403) }
        }
        #expect(try server.pair(wrong(code), from: 5).status == 403)
        #expect(waitUntil { server.served.allNotices.contains(.codeDied) })
        #expect(try server.pair(code, from: 6).status == 403)
        #expect(try server.file.read().devices.isEmpty)
        #expect(waitUntil { server.served.refusedCount(.wrongCode) == 13 })
        #expect(try server.pair(try server.code()).status == 200)
    }

    @Test("without a code, nobody pairs")
    func closed() throws {
        let server = try PairedServer()
        for code in ["", "000000", "123456"] { #expect(try server.pair(code).status == 403) }
    }

    @Test(
        "a malformed request pairs nobody",
        arguments: [
            "", "{}", "[]", "123456", "{\"code\": 123456}", "{\"code\": null, \"name\": \"x\"}",
            "{\"code\": [\"123456\"]}", "{\"code\": \"123456\"", "\u{FF}",
        ])
    func malformed(body: String) throws {
        let server = try PairedServer()
        _ = try server.code()
        #expect(try server.ask("POST", "/api/pair", body: body).status == 400)
        #expect(try server.file.read().devices.isEmpty)
    }

    @Test("a page of another site, or under another name, cannot pair")
    func foreign() throws {
        let server = try PairedServer()
        let code = try server.code()
        let body = "{\"code\": \"\(code)\"}"
        for fields in [
            [("Origin", "http://evil.example")], [("Origin", "null")],
            [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
        ] {
            #expect(try server.ask("POST", "/api/pair", fields, body: body).status == 403)
        }
        let host = "evil.example:\(server.served.port)"
        #expect(try server.ask("POST", "/api/pair", body: body, host: host).status == 421)
        #expect(try server.file.read().devices.isEmpty)
        let own = [("Origin", "http://\(server.served.host)"), ("Sec-Fetch-Site", "same-origin")]
        #expect(try server.ask("POST", "/api/pair", own, body: body).status == 200)
    }

    @Test("a code of \"stompline remotes\" pairs with its role, once among all servers")
    func fromFile() throws {
        let server = try PairedServer()
        try server.change {
            $0.register(.init(process: 1, urls: ["http://a/"]), isRunning: { _ in true })
        }
        let invitation = try #require(
            try server.file.invite(Permit(role: .edit), isRunning: { _ in true }))
        server.served.server.followRemotes()
        var answer = try server.pair(invitation.code)
        for source: UInt8 in 3...9 where answer.status != 200 {
            answer = try server.pair(invitation.code, from: source)
        }
        #expect(answer.status == 200)
        let remotes = try server.file.read()
        #expect(remotes.devices.first?.permit == Permit(role: .edit))
        #expect(remotes.offers.isEmpty)
        #expect(try server.pair(invitation.code).status == 403)
        #expect(server.codes.isEmpty)
    }

    @Test("if another server has used the code of the file, it does not pair again")
    func usedElsewhere() throws {
        let server = try PairedServer()
        try server.change {
            $0.register(.init(process: 1, urls: ["http://a/"]), isRunning: { _ in true })
        }
        let invitation = try #require(
            try server.file.invite(Permit(role: .edit), isRunning: { _ in true }))
        server.served.server.followRemotes()
        _ = try server.add(Permit(role: .look))  // The server has read the offer by now.
        try server.file.change { remotes in
            for offer in remotes.offers { _ = remotes.removeOffer(offer.id) }
        }
        #expect(try server.pair(invitation.code).status == 403)
        #expect(try server.file.read().devices.count == 1)
    }

    @Test("there is room for 64 devices")
    func tooMany() throws {
        let server = try PairedServer()
        for number in 0..<63 { try server.file.change { $0.devices.append(device(number)) } }
        _ = try server.add(Permit(role: .look))
        #expect(try server.pair(try server.code()).status == 500)
        #expect(try server.file.read().devices.count == 64)
    }

    private func device(_ number: Int) -> RemoteDevice {
        RemoteDevice(
            id: "\(number)", name: "n", permit: Permit(role: .look),
            keyHash: AccessKey.random().hash,
            pairedSeconds: 0, seenSeconds: 0)
    }

    @Test("if the file cannot be written, nobody is paired, and the reason is reported")
    func unwritable() throws {
        let server = try PairedServer()
        let code = try server.code()
        // A folder in its place cannot be replaced, even by root.
        #expect(
            waitUntil {
                unlink(server.file.path)
                return mkdir(server.file.path, 0o700) == 0
            })
        #expect(try server.pair(code).status == 500)
        #expect(
            waitUntil {
                server.served.allNotices.contains {
                    if case .accessFailed = $0 { true } else { false }
                }
            })
    }
}
