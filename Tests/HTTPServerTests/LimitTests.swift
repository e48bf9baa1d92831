import HTTPServer
import Pipelines
import SessionCore
import TestPages
import Testing

/// Requests from other sites, and limits of sizes, times and numbers.
@Suite struct LimitTests {
    @Test("a request with a foreign Host is refused, whatever it asks")
    func foreignHost() throws {
        let served = try ServedPage()
        for (method, target) in [
            ("GET", "/"), ("GET", "/api/values"), ("PUT", "/api/values/warm.gain"),
            ("POST", "/api/actions/panic"), ("GET", "/metrics"), ("GET", "/api/live"),
        ] {
            let answer = try served.ask(
                method, target, host: "evil.example:\(served.port)",
                body: method == "PUT" ? "-30" : "")
            #expect(answer.status == 421, "\(method) \(target)")
        }
        #expect(waitUntil { served.refusedCount(.foreignHost) == 6 })
        #expect(
            served.session.perform(.get("warm.gain")) == .values([.init("warm.gain", .number(0))]))
    }

    @Test("a request with a foreign Origin is refused, whatever it asks")
    func foreignOrigin() throws {
        let served = try ServedPage()
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
            for (method, target) in [
                ("GET", "/api/values"), ("PUT", "/api/values/warm.gain"),
                ("POST", "/api/actions/panic"),
            ] {
                let answer = try served.ask(
                    method, target, [("Origin", origin)], body: method == "PUT" ? "-30" : "")
                #expect(answer.status == 403, "\(method) \(target) \(origin)")
                #expect(answer.fields["access-control-allow-origin"] == nil)
            }
            #expect(PageVisitor(port: served.port, [("Origin", origin)]) == nil)
        }
        let own = "http://\(served.host)"
        #expect(
            try served.ask("PUT", "/api/values/warm.gain", [("Origin", own)], body: "-1").status
                == 200)
        #expect(PageVisitor(port: served.port, [("Origin", own)]) != nil)
        #expect(
            try served.ask("GET", "/api/values", [("Sec-Fetch-Site", "cross-site")]).status == 403)
    }

    @Test("a preflight of another site gets no permission")
    func preflight() throws {
        let served = try ServedPage()
        let answer = try served.ask(
            "OPTIONS", "/api/values/warm.gain",
            [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "PUT")])
        #expect(answer.status == 403)
        #expect(answer.fields.keys.allSatisfy { !$0.hasPrefix("access-control") })
    }

    @Test("headers, bodies and paths that are too long are refused")
    func sizes() throws {
        let served = try ServedPage()
        let long = String(repeating: "x", count: 20_000)
        #expect(try served.ask("GET", "/", [("X-Long", long)]).status == 431)
        let many = (0..<100).map { ("X-\($0)", "1") }
        #expect(try served.ask("GET", "/", many).status == 431)
        #expect(
            try served.ask(
                "PUT", "/api/values/warm.gain", body: String(repeating: "1", count: 65_537)
            )
            .status == 413)
        #expect(try served.ask("GET", "/" + String(repeating: "x", count: 9_000)).status == 414)
    }

    @Test("a request that is not HTTP is refused")
    func noHTTP() throws {
        let served = try ServedPage()
        for text in [
            "\u{16}\u{3}\u{1}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\0\0\0\0",
        ] {
            let visitor = try #require(Visitor(port: served.port))
            visitor.send(text)
            #expect(visitor.answer()?.status == 400, "\(text)")
            #expect(visitor.waitsForClose())
        }
        let visitor = try #require(Visitor(port: served.port))
        visitor.send("GET / HTTP/1.1\r\n\r\n")
        #expect(visitor.answer()?.status == 400)
    }

    @Test("a header that comes byte by byte is cut off, and others are served meanwhile")
    func slowHeader() throws {
        let served = try ServedPage {
            $0.headerSeconds = 0.2
            $0.bodySeconds = 0.2
        }
        let slow = try (0..<20).map { _ in try #require(Visitor(port: served.port)) }
        for visitor in slow { visitor.send("GET /api/values HTTP/1.1\r\nX-A: ") }
        let areCut = waitUntil {
            for visitor in slow { visitor.send("b") }
            guard let answer = try? served.ask("GET", "/api/values/warm.gain") else { return false }
            return answer.status == 200 && served.refusedCount(.tooLong) >= slow.count
        }
        #expect(areCut)
        for visitor in slow { #expect(visitor.waitsForClose()) }
        let body = try #require(Visitor(port: served.port))
        body.send(
            "PUT /api/values/warm.gain HTTP/1.1\r\nHost: \(served.host)\r\nContent-Length: 9\r\n\r\n1"
        )
        #expect(body.answer()?.status == 408)
    }

    @Test("a connection without requests is closed after a time")
    func idle() throws {
        let served = try ServedPage { $0.idleSeconds = 0.2 }
        let visitor = try #require(Visitor(port: served.port))
        #expect(visitor.waitsForClose())
    }

    @Test("there is room for 200 connections; the next one is refused, until one ends")
    func connections() throws {
        let served = try ServedPage()
        var open: [Visitor] = []
        for _ in 0..<200 {
            let visitor = try #require(Visitor(port: served.port))
            #expect(visitor.ask("GET", "/api/values/warm.gain", host: served.host)?.status == 200)
            open.append(visitor)
        }
        let refused = try #require(Visitor(port: served.port))
        #expect(refused.waitsForClose())
        #expect(waitUntil { served.refusedCount(.tooMany) >= 1 })
        // All open connections still work.
        #expect(open[0].ask("GET", "/api/values/warm.gain", host: served.host)?.status == 200)
        #expect(open[199].ask("GET", "/api/values/warm.gain", host: served.host)?.status == 200)
        open.removeLast()
        let returns = waitUntil {
            Visitor(port: served.port)?.ask("GET", "/metrics", host: served.host)?.status == 200
        }
        #expect(returns)
    }

    @Test("there is room for a number of pages")
    func pages() throws {
        let served = try ServedPage { $0.pages = 3 }
        var pages = try (0..<3).map { _ in try served.page() }
        #expect(PageVisitor(port: served.port) == nil)
        #expect(pages[0].set("warm.gain", "-1") == "done")
        pages.removeLast()
        #expect(waitUntil { PageVisitor(port: served.port) != nil })
    }

    @Test("a flood of requests ends its connection, and no other")
    func floods() throws {
        let served = try ServedPage()
        let witness = try served.page()
        let page = try served.page()
        for _ in 0..<5_000 {
            guard page.visitor.send(PageVisitor.bytes(9, [])) else { break }
        }
        #expect(page.waitForClose() == 1008 || page.visitor.isClosed)
        let visitor = try #require(Visitor(port: served.port))
        let request = "GET /api/values/warm.gain HTTP/1.1\r\nHost: \(served.host)\r\n\r\n"
        visitor.send(String(repeating: request, count: 5_000))
        var last = 0
        while let answer = visitor.answer() { last = answer.status }
        #expect(last == 429 || visitor.isClosed)
        #expect(waitUntil { served.refusedCount(.tooMany) >= 1 })
        #expect(witness.set("warm.gain", "-1") == "done")
    }

    @Test("refused requests are reported in few notices, however many there are")
    func reports() throws {
        let served = try ServedPage()
        for _ in 0..<200 {
            _ = try served.ask("GET", "/", host: "evil.example")
        }
        #expect(waitUntil { served.refusedCount(.foreignHost) == 200 })
        #expect(served.noticeCount <= 100)
    }
}
