import Pipelines
import SessionCore
import TestPages
import Testing

/// Requests over HTTP to a real server on a real socket with a real session.
@Suite struct APITests {
    @Test("values are read, one and all, in the order of the session")
    func reading() throws {
        let served = try ServedPage()
        let all = try served.ask("GET", "/api/values")
        #expect(all.status == 200)
        #expect(all.fields["content-type"] == "application/json; charset=utf-8")
        #expect(all.fields["cache-control"] == "no-store")
        #expect(all.fields["x-content-type-options"] == "nosniff")
        #expect(all.text.contains("\"song\": \"one\""))
        #expect(all.text.contains("\"warm.gain\": 0"))
        let one = try served.ask("GET", "/api/values/warm.gain")
        #expect(one.text == "{\"address\": \"warm.gain\", \"value\": 0}\n")
        let reports = try served.ask("GET", "/api/reports")
        #expect(reports.text.contains("\"level."))
    }

    @Test("a value is set, and the answer is the value of the session")
    func setting() throws {
        let served = try ServedPage()
        let number = try served.ask("PUT", "/api/values/warm.gain", body: "-3.5")
        #expect(number.status == 200)
        #expect(number.text == "{\"address\": \"warm.gain\", \"value\": -3.5}\n")
        #expect(
            served.session.perform(.get("warm.gain"))
                == .values([.init("warm.gain", .number(-3.5))]))
        let toggle = try served.ask("PUT", "/api/values/mute", body: "true")
        #expect(toggle.text.contains("true"))
        let text = try served.ask("PUT", "/api/values/scene", body: "\"soft\"")
        #expect(text.text.contains("soft"))
        let object = try served.ask("PUT", "/api/values/warm.gain", body: "{\"value\": -6}")
        #expect(object.text.contains("-6"))
        let fade = try served.ask(
            "PUT", "/api/values/warm.gain", body: "{\"value\": -20, \"over\": 3600}")
        #expect(fade.status == 200)
    }

    @Test("an unknown address gets status 404, and a value that is not valid for its address 422")
    func refusals() throws {
        let served = try ServedPage()
        let unknown = try served.ask("GET", "/api/values/warm.gian")
        #expect(unknown.status == 404)
        #expect(unknown.text.contains("\"suggestion\": \"warm.gain\""))
        #expect(try served.ask("PUT", "/api/values/warm.gian", body: "1").status == 404)
        let loud = try served.ask("PUT", "/api/values/warm.gain", body: "1000")
        #expect(loud.status == 422)
        #expect(loud.text.contains("\"error\":"))
        #expect(try served.ask("PUT", "/api/values/warm.gain", body: "\"x\"").status == 422)
        #expect(
            try served.ask("PUT", "/api/values/warm.gain", body: "{\"value\": 0, \"over\": -1}")
                .status == 422)
    }

    @Test(
        "a body that is not a value gets status 400",
        arguments: [
            "", "x", "null", "[1]", "{}", "1 2", "1e999", "{\"value\": null}", "\"\\ud800\"",
        ])
    func noValue(body: String) throws {
        let served = try ServedPage()
        #expect(try served.ask("PUT", "/api/values/warm.gain", body: body).status == 400)
    }

    @Test("the drawing of the current song has the latencies of the last status")
    func drawing() throws {
        let served = try ServedPage()
        let first = try served.ask("GET", "/api/drawing")
        #expect(first.status == 200)
        #expect(first.fields["content-type"] == "image/svg+xml; charset=utf-8")
        #expect(first.fields["cache-control"] == "no-store")
        #expect(first.text == "<svg>warm level desk [0, 0, 0] 48000.0 0</svg>")
        let status = SessionStatus(
            outputs: [], meanLoad: 0, worstLoad: 0, xruns: 0, latencyFrames: 64,
            roundTripFrames: 0, sampleRate: 96_000, limiterGain: 1,
            nodes: [
                .init(node: "level", mean: 0.1, worst: 0.2, latencyFrames: 64),
                .init(node: "gone", mean: 0.1, worst: 0.2, latencyFrames: 7),
            ])
        served.session.publish(.status(status))
        let late = "<svg>warm level desk [0, 64, 0] 96000.0 1</svg>"
        #expect(waitUntil { (try? served.ask("GET", "/api/drawing"))?.text == late })
        // An unchanged song is not drawn again, another one is.
        #expect(try served.ask("GET", "/api/drawing").text == late)
        _ = try served.ask("POST", "/api/actions/next-song")
        let other = "<svg>warm level desk [0, 64, 0] 96000.0 2</svg>"
        #expect(waitUntil { (try? served.ask("GET", "/api/drawing"))?.text == other })
        #expect(try served.ask("HEAD", "/api/drawing").status == 200)
        #expect(try served.ask("PUT", "/api/drawing", body: "1").status == 405)
    }

    @Test("an action is performed, and a song is answered when it plays")
    func actions() throws {
        let served = try ServedPage()
        let song = try served.ask("POST", "/api/actions/next-song")
        #expect(song.text == "{\"answer\": \"playing\", \"song\": \"two\"}\n")
        #expect(try served.ask("PUT", "/api/values/song", body: "\"one\"").status == 200)
        #expect(try served.ask("POST", "/api/actions/tap").text.contains("done"))
        #expect(try served.ask("POST", "/api/actions/fade-all", body: "2").status == 200)
        #expect(try served.ask("POST", "/api/actions/fade-all", body: "-2").status == 409)
        #expect(try served.ask("POST", "/api/actions/nxt-song").status == 404)
        #expect(try served.ask("PUT", "/api/values/next-song", body: "1").status == 404)
        #expect(try served.ask("POST", "/api/keys/space").status == 409)
    }

    @Test("a path has only its methods")
    func methods() throws {
        let served = try ServedPage()
        let post = try served.ask("POST", "/api/values")
        #expect(post.status == 405)
        #expect(post.fields["allow"] == "GET, HEAD")
        #expect(try served.ask("GET", "/api/actions/tap").status == 405)
        #expect(try served.ask("DELETE", "/api/values/warm.gain").status == 405)
        #expect(try served.ask("GET", "/api/nothing").status == 404)
        #expect(try served.ask("GET", "/api/live").status == 426)
        let head = try served.ask("HEAD", "/api/values/warm.gain")
        #expect(head.status == 200)
        #expect(head.fields["content-length"] != "0")
    }

    @Test("a connection carries several requests, even without waiting for the answers")
    func keptConnection() throws {
        let served = try ServedPage()
        let visitor = try #require(Visitor(port: served.port))
        for _ in 0..<3 {
            #expect(
                visitor.ask("GET", "/api/values/warm.gain", host: served.host)?.status == 200)
        }
        let request = "GET /api/values/warm.gain HTTP/1.1\r\nHost: \(served.host)\r\n\r\n"
        visitor.send(request + request + request)
        for _ in 0..<3 { #expect(visitor.answer()?.status == 200) }
    }

    @Test("the current song is described with its mixers, strips and parameters")
    func pipeline() throws {
        let served = try ServedPage()
        let text = try served.ask("GET", "/api/pipeline").text
        #expect(text.contains("\"file\": \"/songs/one.json\""))
        #expect(
            text.contains(
                "\"address\": \"desk.line.gain\", \"name\": \"line.gain\", \"node\": \"desk\", \"strip\": \"line\""
            ))
        #expect(
            text.contains(
                "{\"name\": \"mic\", \"channels\": 1, \"source\": \"mic\", \"meters\": [0], \"node_meters\": []}"
            ))
        #expect(
            text.contains(
                "{\"name\": \"line\", \"channels\": 2, \"source\": \"line\", \"meters\": [1, 2], \"node_meters\": []}"
            ))
        #expect(
            text.contains(
                "{\"name\": \"warm\", \"channels\": 1, \"source\": \"warm\", \"meters\": [], \"node_meters\": [0]}"
            ))
        #expect(text.contains("\"address\": \"tempo\""))
        let state = try served.ask("GET", "/api/state").text
        #expect(state.contains("\"type\": \"snapshot\""))
        #expect(state.contains("\"notes\": \"capo 2\""))
    }

    @Test("figures have the format of Prometheus")
    func metrics() throws {
        let served = try ServedPage()
        let answer = try served.ask("GET", "/metrics")
        #expect(answer.fields["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            #expect(line.hasPrefix("stompline_"))
            #expect(Double(parts.last ?? "") != nil, "\(line)")
        }
        #expect(answer.text.contains("stompline_up 0\n"))
        #expect(answer.text.contains("stompline_http_requests_total 1\n"))
    }

    @Test(
        "the page has a strict policy and a tag from its content, and is compressed on request")
    func files() throws {
        let served = try ServedPage()
        let plain = try served.ask("GET", "/")
        #expect(plain.status == 200)
        #expect(plain.text.lowercased().contains("<!doctype html>"))
        let policy = plain.fields["content-security-policy"] ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(plain.fields["content-type"] == "text/html; charset=utf-8")
        let gzip = try served.ask("GET", "/", [("Accept-Encoding", "br, gzip;q=0.5")])
        #expect(gzip.fields["content-encoding"] == "gzip")
        #expect(gzip.body.count < plain.body.count && gzip.body.prefix(2) == [0x1f, 0x8b])
        #expect(try served.ask("GET", "/", [("Accept-Encoding", "gzip;q=0")]).body == plain.body)
        let tag = try #require(plain.fields["etag"])
        #expect(try served.ask("GET", "/", [("If-None-Match", tag)]).status == 304)
        #expect(try served.ask("GET", "/", [("If-None-Match", "\"other\"")]).status == 200)
    }

    @Test(
        "a path that leaves the folder finds nothing",
        arguments: [
            "/../Package.swift", "/%2e%2e/Package.swift", "/..%2fPackage.swift",
            "//etc/passwd", "/index.html/..", "/./index.html", "/index.html%00.js",
            "/%c0%ae%c0%ae/etc/passwd",
        ])
    func pathEscapes(target: String) throws {
        let served = try ServedPage()
        let answer = try served.ask("GET", target)
        #expect(answer.status == 404 || answer.status == 400)
        #expect(!answer.text.contains("root:") && !answer.text.lowercased().contains("doctype"))
    }

    @Test("requests for ports reach the session, and its refusals reach the client")
    func ports() throws {
        let served = try ServedPage()
        // The session of this test has no JACK server.
        let list = try served.ask("GET", "/api/ports")
        #expect(list.status == 409)
        #expect(list.text.contains("JACK server"))
        let body = #"{"port": "mic", "other": "system:capture_1", "connected": true}"#
        #expect(try served.ask("POST", "/api/connections", body: body).status == 409)
        for broken in [
            "", "[]", #"{"port": "mic", "other": "x:y"}"#,
            #"{"port": 1, "other": "x:y", "connected": true}"#,
        ] {
            #expect(try served.ask("POST", "/api/connections", body: broken).status == 400)
        }
        #expect(try served.ask("PUT", "/api/connections", body: body).status == 405)
        #expect(try served.ask("GET", "/api/connections").text == "null\n")
        let page = try served.page()
        #expect(page.ask(#""request": "connect", "port": "mic""#)?["answer"]?.string == "refused")
        served.session.publish(
            .serverPorts([ServerPort(name: "synth:left", kind: .audio, isForInputs: true)]))
        #expect(page.waits { $0.parts["ports"]?.elements.first?["name"]?.string == "synth:left" })
        served.session.publish(.serverLost(reason: ""))
        #expect(page.waits { $0.parts["ports"]?.elements.isEmpty ?? false })
    }
}
