internal import Glibc

/// A request of ffmpeg and its answer; each has its own thread.
struct GatewayConnection {
    /// The socket of the connection from ffmpeg.
    let client: Int32
    /// The first address of the stream, in the form for ffmpeg.
    let start: String
    /// The user name and the password for the stream's server.
    let credentials: Credentials?
    let reach: HostPermissions
    let origins: EncryptedOrigins
    let sockets: GatewaySockets

    private static let pieceBytes = 1 << 14
    /// The longest time that ffmpeg may take to send its request, in seconds.
    private static let requestSeconds = 10

    /// Headers that describe the transfer of the body; they do not apply to a rewritten playlist.
    private static let bodyHeaders: Set<String> = [
        "accept-ranges", "content-length", "content-range", "transfer-encoding",
    ]

    /// Answers the request; returns when the answer is complete.
    func serve() {
        var time = timeval(tv_sec: Self.requestSeconds, tv_usec: 0)
        setsockopt(
            client, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        guard let (bytes, _) = head(of: { SocketBytes.receive(from: client, atMost: 4096) }) else {
            return
        }
        guard let request = GatewayRequest(HTTPHead(bytes)) else {
            return answer("400 Bad Request")
        }
        if request.origin.host == StreamGateway.startHost {
            return answer("302 Found", [("Location", start)])
        }
        do throws(StreamError) {
            try fetch(request)
        } catch {
            sockets.report(error)
            answer("502 Bad Gateway")
        }
    }

    /// Waits for the head of a request or a response.
    ///
    /// - Parameter next: Returns more bytes, or none at the end.
    /// - Returns: The head and the bytes after it; `nil` if there is no head or it is too long.
    private func head(of next: () -> [UInt8]) -> (head: [UInt8], rest: [UInt8])? {
        var bytes: [UInt8] = []
        while bytes.count < HTTPHead.longestBytes {
            let more = next()
            if more.isEmpty { return nil }
            let seen = max(0, bytes.count - 3)
            bytes += more
            if let end = HTTPHead.end(in: bytes, from: seen) {
                return (Array(bytes[..<end]), Array(bytes[end...]))
            }
        }
        return nil
    }

    private func answer(_ status: String, _ headers: [(name: String, value: String)] = []) {
        var head = HTTPHead([])
        head.first = "HTTP/1.1 \(status)"
        head.headers = headers + [("Content-Length", "0"), ("Connection", "close")]
        _ = SocketBytes.send(head.bytes[...], to: client)
    }

    private func fetch(_ request: GatewayRequest) throws(StreamError) {
        let isEncrypted = origins.contains(request.origin)
        let server = try HostConnection.to(
            request.origin, isEncrypted: isEncrypted, reach: reach, sockets: sockets)
        guard server.send(request.bytes(isEncrypted: isEncrypted, credentials)),
            let (bytes, beginning) = head(of: { server.receive(atMost: Self.pieceBytes) })
        else { throw .unreached("the server closed the connection without an answer") }
        var head = HTTPHead(bytes)
        let disguise = { origins.disguise($0, isFromEncrypted: isEncrypted) }
        guard head.first.hasPrefix("HTTP/") else {
            // Old stations (SHOUTcast) answer with a status line that is not HTTP.
            return relay(bytes + beginning, server)
        }
        head.remove(["connection", "keep-alive", "proxy-connection", "upgrade", "alt-svc"])
        head.headers = head.headers.map { name, value in
            (name, name.lowercased() == "location" ? disguise(value[...]) ?? value : value)
        }
        head.headers.append(("Connection", "close"))
        let body = beginning + more(for: head, beginning.count, server)
        guard PlaylistAddresses.isPlaylist(body) else { return relay(head.bytes + body, server) }
        var reader = BodyReader(head, beginning: body)
        guard let list = reader.whole({ server.receive(atMost: Self.pieceBytes) }) else {
            throw .unreached("the server's playlist is too long or incomplete")
        }
        let known = PlaylistAddresses.rewritten(list, disguise)
        head.first = "HTTP/1.1 200 OK"
        head.remove(Self.bodyHeaders)
        head.headers.append(("Content-Length", "\(known.count)"))
        _ = SocketBytes.send((head.bytes + known)[...], to: client)
    }

    /// Reads more of a body, so that the gateway can recognise a playlist.
    private func more(for head: HTTPHead, _ count: Int, _ server: HostConnection) -> [UInt8] {
        let status = head.first.split(separator: " ").dropFirst().first
        guard status == "200" || status == "206" else { return [] }
        let length = head["content-length"].flatMap { Int($0) } ?? Int.max
        var bytes: [UInt8] = []
        while count + bytes.count < min(64, length) {
            let more = server.receive(atMost: Self.pieceBytes)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Forwards bytes, `first` and then everything that arrives, until one side closes.
    private func relay(_ first: [UInt8], _ server: HostConnection) {
        var bytes = first
        while !bytes.isEmpty, SocketBytes.send(bytes[...], to: client),
            server.waitForData(unlessGone: client)
        {
            bytes = server.receive(atMost: Self.pieceBytes)
        }
    }
}
