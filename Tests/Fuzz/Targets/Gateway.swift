@testable internal import Players

extension FuzzTarget {
    /// The input of the stream gateway from servers and ffmpeg: message headers, and playlists
    /// (HLS).
    static let gateway = FuzzTarget(
        name: "gateway",
        run: { bytes in
            let end = HTTPHead.end(in: bytes) ?? bytes.count
            require((0...bytes.count).contains(end), "a head ends beyond its bytes")
            let head = HTTPHead(bytes[..<end])
            let again = HTTPHead(head.bytes)
            require(
                again.headers.count == head.headers.count, "a head that is sent has other headers")
            let origins = EncryptedOrigins()
            var address = Latin1.text(bytes.prefix(300))
            let credentials = Credentials(takenFrom: &address)
            if let request = GatewayRequest(head) {
                let sent = request.bytes(isEncrypted: bytes.count % 2 == 0, credentials)
                require(
                    HTTPHead.end(in: sent) == sent.count, "a request is followed by another one")
            }
            guard PlaylistAddresses.isPlaylist(bytes) else { return }
            let list = PlaylistAddresses.rewritten(bytes) { origins.disguise($0) }
            let lines = bytes.count { $0 == 10 }
            require(list.count { $0 == 10 } == lines, "a list has other lines")
        },
        seeds: {
            [
                "GET http://127.0.0.1:80/a?b HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\n\r\n",
                "HTTP/1.1 302 Found\r\nLocation: https://u:p%41@host:8443/b\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: 16000\r\n\r\n\u{1}\u{2}",
                "http://user:p%40ss@[::1]:8000/x",
                "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"https://a/k\"\n#EXTINF:2,\nhttps://a/1.ts\n",
            ].map { Array($0.utf8) }
        })
}
