/// A request of ffmpeg to the gateway.
struct GatewayRequest {
    /// The server that the request is for.
    let origin: Origin
    /// The path and the query.
    let target: String
    private let head: HTTPHead

    /// Headers that concern only ffmpeg and the gateway.
    private static let hopHeaders: Set<String> = [
        "connection", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "transfer-encoding", "upgrade",
    ]

    /// Parses `GET http://host:port/path HTTP/1.1`; returns `nil` for any other request.
    init?(_ head: HTTPHead) {
        let words = head.first.split(separator: " ")
        let scheme = "http://"
        guard words.count == 3, words[0] == "GET", words[1].hasPrefix(scheme) else { return nil }
        let rest = words[1].dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let origin = Origin(authority, defaultPort: 80) else { return nil }
        self.origin = origin
        let path = rest[authority.endIndex...]
        target = path.hasPrefix("/") ? String(path) : "/\(path)"
        self.head = head
    }

    /// Returns the request for the server; each connection carries one request.
    func bytes(isEncrypted: Bool, _ credentials: Credentials?) -> [UInt8] {
        var sent = head
        sent.first = "GET \(target) HTTP/1.1"
        sent.remove(Self.hopHeaders)
        sent.headers.append(("Host", origin.text(defaultPort: isEncrypted ? 443 : 80)))
        sent.headers.append(("Connection", "close"))
        if let credentials, credentials.origin == origin, sent["authorization"] == nil {
            sent.headers.append(("Authorization", credentials.header))
        }
        return sent.bytes
    }
}
