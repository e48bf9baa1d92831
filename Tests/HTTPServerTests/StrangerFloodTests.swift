import HTTPServer
import SessionCore
import TestPages
import Testing

/// Other machines that send much, slowly, or anything.
@Suite struct StrangerFloodTests {
    @Test("slow headers on 200 connections leave room for this machine and for paired devices")
    func slowHeaders() throws {
        let server = try PairedServer { $0.headerSeconds = 0.5 }
        let key = try server.add(Permit(role: .play))
        let local = try server.served.page()
        let paired = try server.page(key)
        let slow = try (0..<200).map { _ in
            try #require(Visitor(port: server.served.port, from: 9))
        }
        for visitor in slow { visitor.send("GET /api/values HTTP/1.1\r\nX-A: ") }
        #expect(local.set("warm.gain", "-1") == "done")
        #expect(paired.set("warm.gain", "-2") == "done")
        #expect(try server.ask("GET", "/api/values", key: key).status == 200)
        #expect(try server.served.ask("GET", "/api/values").status == 200)
        for visitor in slow {
            visitor.send("b")
            #expect(visitor.waitsForClose())
        }
        #expect(waitUntil { server.served.refusedCount(.tooMany) >= 200 - 32 })
        #expect(waitUntil { server.served.refusedCount(.tooLong) >= 32 })
        #expect(try server.ask("GET", "/", from: 9).status == 200)
        #expect(paired.set("warm.gain", "-3") == "done")
    }

    @Test("other machines leave 50 connections to this one, however many they are")
    func manyMachines() throws {
        let server = try PairedServer()
        var open: [Visitor] = []
        for source: UInt8 in 2...8 {
            for _ in 0..<30 {
                let visitor = try #require(Visitor(port: server.served.port, from: source))
                visitor.send("GET /api/values HTTP/1.1\r\n")
                open.append(visitor)
            }
        }
        #expect(waitUntil { server.served.refusedCount(.tooMany) == 210 - 150 })
        let local = try (0..<50).map { _ in try #require(Visitor(port: server.served.port)) }
        for visitor in local {
            #expect(visitor.ask("GET", "/metrics", host: server.served.host)?.status == 200)
        }
        #expect(open.count == 210)
    }

    @Test("20,000 random requests of a stranger read and change nothing")
    func randomRequests() throws {
        let server = try PairedServer()
        _ = try server.code()
        var dice = SeededGenerator(seed: 20_000)
        var visitor: Visitor?
        var statuses: [Int: Int] = [:]
        for _ in 0..<20_000 {
            if visitor == nil || visitor?.isClosed == true {
                visitor = Visitor(
                    port: server.served.port, from: UInt8.random(in: 2...9, using: &dice))
            }
            visitor?.send(Self.request(server, &dice))
            guard let answer = visitor?.answer() else {
                visitor = nil
                continue
            }
            statuses[answer.status, default: 0] += 1
            // Damage can turn the path into one of a file, such as `/?pi/values`; files are public.
            let isFile = answer.fields["content-security-policy"] != nil
            #expect(answer.status >= 400 || isFile, "\(answer.text.prefix(200))")
            visitor = nil
        }
        #expect(statuses.values.reduce(0, +) > 15_000, "\(statuses)")
        #expect(
            server.served.session.perform(.get("warm.gain"))
                == .values([.init("warm.gain", .number(0))]))
        #expect(try server.file.read().devices.isEmpty)
        #expect(try server.served.page().set("warm.gain", "-1") == "done")
    }

    /// Returns a request that a stranger must not send, with random damage.
    private static func request(_ server: PairedServer, _ dice: inout SeededGenerator) -> [UInt8] {
        let targets = [
            "/api/values", "/api/values/warm.gain", "/api/pair", "/api/access", "/api/state",
            "/api/live", "/metrics", "/api/actions/panic", "/api/files/1",
        ]
        let methods = ["GET", "PUT", "POST", "PATCH", "DELETE", "HEA", "\0"]
        let hex = (0..<Int.random(in: 0...80, using: &dice)).map { _ in
            "0123456789abcdefg;=\" ".randomElement(using: &dice) ?? "0"
        }
        let fields = [
            "Cookie: \(server.cookie)=\(String(hex))", "Authorization: Bearer \(String(hex))",
            "Cookie: \(String(hex))", "Upgrade: websocket\r\nConnection: Upgrade",
        ]
        let body =
            [
                "{\"code\": \"\(Int.random(in: 0..<100, using: &dice))\"}", "{\"code\": 1}", "-9",
                "[",
            ].randomElement(using: &dice) ?? ""
        var text = Array(
            """
            \(methods.randomElement(using: &dice) ?? "GET") \(targets.randomElement(using: &dice) ?? "/") HTTP/1.1\r
            Host: \(server.served.host)\r
            \(fields.randomElement(using: &dice) ?? "")\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \r
            \(body)
            """.utf8)
        if Bool.random(using: &dice) {
            let place = Int.random(in: text.indices, using: &dice)
            // A damaged end of the header would make both sides wait.
            if ![10, 13].contains(text[place]), text[place] > 32 {
                text[place] = UInt8.random(in: 33...126, using: &dice)
            }
        }
        return text
    }

    @Test("20,000 random frames of a device that may only look change nothing")
    func randomFrames() throws {
        let server = try PairedServer {
            ($0.pageRequestsPerSecond, $0.pendingPerConnection) = (1e9, 1 << 20)
        }
        let key = try server.add(Permit(role: .look))
        var dice = SeededGenerator(seed: 7)
        var page: PageVisitor?
        let texts = [
            "{\"id\": 1, \"request\": \"set\", \"address\": \"warm.gain\", \"value\": -9, \"revision\": 999999}",
            "{\"id\": 1, \"request\": \"perform\", \"action\": \"next-song\", \"revision\": 999999}",
            "{\"id\": 1, \"request\": \"edit\", \"file\": \"/a\", \"tag\": \"1\", \"operations\": []}",
            "{\"id\": 1, \"request\": \"key\", \"key\": \"space\"}", "{\"id\": 1}", "{}", "[[[[",
            "\u{0}",
        ]
        for number in 0..<20_000 {
            if page == nil { page = try server.page(key) }
            var payload = Array((texts.randomElement(using: &dice) ?? "").utf8)
            if number % 3 == 0, !payload.isEmpty {
                payload[Int.random(in: payload.indices, using: &dice)] = .random(
                    in: .min ... .max, using: &dice)
            }
            let opcode: UInt8 = number % 50 == 0 ? .random(in: 0...15, using: &dice) : 1
            guard page?.send(opcode, payload) == true else {
                page = nil
                continue
            }
            // The socket's buffers must not fill up with answers.
            if number % 100 == 99 {
                _ = page?.ask("\"request\": \"ping\"")
                if page?.closeCode != nil || page?.visitor.isClosed == true { page = nil }
            }
        }
        #expect(
            server.served.session.perform(.get("warm.gain"))
                == .values([.init("warm.gain", .number(0))]))
        #expect(
            server.served.session.perform(.get("song")) == .values([.init("song", .text("one"))]))
        #expect(try server.served.page().set("warm.gain", "-1") == "done")
    }
}
