extension FuzzTarget {
    /// Bytes from browsers and scripts for the page's server, as requests over HTTP.
    ///
    /// Zero bytes separate the parts, which arrive one after the other.
    static let http = FuzzTarget(
        name: "http",
        run: { bytes in
            let conversation = HTTPConversation()
            for part in bytes.split(separator: 0) { conversation.send(Array(part)) }
            conversation.checkResponses()
            conversation.end()
        },
        seeds: {
            let host = "Host: 127.0.0.1:8080\r\n"
            return [
                "GET /api/values HTTP/1.1\r\n\(host)\r\n",
                "GET /api/state HTTP/1.1\r\n\(host)\r\n\0GET /metrics HTTP/1.1\r\n\(host)\r\n",
                "GET / HTTP/1.1\r\n\(host)Accept-Encoding: gzip\r\nIf-None-Match: \"a\"\r\n\r\n",
                "HEAD /app.js HTTP/1.0\r\n\(host)\r\n",
                "PUT /api/values/level.gain HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\n-6",
                "PUT /api/values/echo.mix HTTP/1.1\r\n\(host)Content-Length: 26\r\n\r\n"
                    + "{\"value\": 0.5, \"over\": 1.5}",
                "PUT /api/values/song HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
                    + "1\r\n2\r\n0\r\n\r\n",
                "POST /api/actions/next-song HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n",
                "POST /api/actions/fade-all HTTP/1.1\r\n\(host)Expect: 100-continue\r\n"
                    + "Content-Length: 1\r\n\r\n\05",
                "POST /api/keys/%73pace HTTP/1.1\r\n\(host)Origin: http://evil.example\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
            ].map { Array($0.utf8) }
        })

    /// Bytes from another machine that has no key: requests, cookies and codes.
    ///
    /// Zero bytes separate the parts, which arrive one after the other.
    static let pairing = FuzzTarget(
        name: "pairing",
        run: { bytes in
            let conversation = HTTPConversation(isStranger: true)
            for part in bytes.split(separator: 0) { conversation.send(Array(part)) }
            conversation.checkResponses()
            conversation.checkPairing(bytes)
            conversation.end()
        },
        seeds: {
            let host = "Host: 127.0.0.1:8080\r\n"
            let key = String(repeating: "0f", count: 32)
            let right = "{\"code\": \"\(HTTPConversation.code)\", \"name\": \"phone\"}"
            let wrong = "{\"code\": \"654321\", \"script\": true}"
            return [
                "GET / HTTP/1.1\r\n\(host)\r\n", "GET /api/state HTTP/1.1\r\n\(host)\r\n",
                "POST /api/pair HTTP/1.1\r\n\(host)Content-Length: \(right.utf8.count)\r\n\r\n\(right)",
                "POST /api/pair HTTP/1.1\r\n\(host)Content-Length: \(wrong.utf8.count)\r\n\r\n\(wrong)",
                "GET /api/values HTTP/1.1\r\n\(host)Cookie: a=b; stompline-8080=\(key)\r\n\r\n",
                "GET /api/values HTTP/1.1\r\n\(host)Authorization: Bearer \(key)\r\n\r\n",
                "PUT /api/access HTTP/1.1\r\n\(host)Cookie: stompline-8080=\(key); stompline-8080=x\r\n"
                    + "Content-Length: 13\r\n\r\n{\"name\": \"a\"}",
                "GET /api/live HTTP/1.1\r\n\(host)Connection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            ].map { Array($0.utf8) }
        })

    /// Messages of a page over its WebSocket, one per line; a line that begins with the byte 1 is
    /// sent unchanged, instead of in a frame.
    static let page = FuzzTarget(
        name: "page",
        run: { bytes in
            let conversation = HTTPConversation()
            conversation.becomePage()
            for line in bytes.split(separator: 10) {
                if line.first == 1 {
                    conversation.send(Array(line.dropFirst()))
                } else {
                    conversation.send(message: Array(line.prefix(65_000)))
                }
            }
            conversation.end()
        },
        seeds: {
            [
                """
                {"id": 1, "request": "watch", "meters": 30}
                {"id": 2, "request": "set", "address": "level.gain", "value": -3, "revision": 9007199254740991}
                {"id": 3, "request": "fade", "address": "level.gain", "value": -24, "seconds": 0.1, "revision": 99}
                """,
                """
                {"id": 1, "request": "perform", "action": "next-song", "revision": 999}
                {"id": 2, "request": "perform", "action": "panic"}
                {"id": 3, "request": "perform", "action": "save-scene", "value": "verse", "revision": 999}
                {"id": 4, "request": "snapshot"}
                """,
                """
                {"id": 7, "request": "get", "address": "echo.mix"}
                {"id": 8, "request": "key", "key": "space"}
                {"id": 9, "request": "ping"}
                {"id": 10, "request": "set", "address": "scene", "value": "chorus", "revision": 1}
                """,
                "\u{1}\u{88}\u{82}", "\u{1}\u{89}\u{0}",
            ].map { Array($0.utf8) }
        })
}
