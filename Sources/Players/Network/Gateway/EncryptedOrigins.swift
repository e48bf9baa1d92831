internal import Synchronization

/// The origins that the gateway reaches with https although ffmpeg requests them with http.
///
/// ffmpeg never receives an https address. It therefore cannot bypass the gateway, and the gateway
/// checks the certificates.
final class EncryptedOrigins: Sendable {
    private let origins = Mutex<Set<Origin>>([])
    private static let longestList = 4096

    /// Returns whether the gateway reaches an origin with https.
    func contains(_ origin: Origin) -> Bool { origins.withLock { $0.contains(origin) } }

    /// Converts an https address to the http form for ffmpeg, and remembers its origin.
    ///
    /// - Parameters:
    ///   - url: The address; in Latin-1 characters if it came from a server.
    ///   - isFromEncrypted: Whether an address without a scheme (`//host/path`) means https.
    /// - Returns: The http address; `nil` if `url` is not an https address.
    func disguise(_ url: Substring, isFromEncrypted: Bool = false) -> String? {
        let scheme = "https://"
        let rest: Substring
        if url.prefix(scheme.count).lowercased() == scheme {
            rest = url.dropFirst(scheme.count)
        } else if isFromEncrypted, url.hasPrefix("//") {
            rest = url.dropFirst(2)
        } else {
            return nil
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        let path = rest[authority.endIndex...]
        let at = authority.lastIndex(of: "@").map { authority.index(after: $0) }
        let hostAndPort = authority[(at ?? authority.startIndex)...]
        guard let origin = Origin(hostAndPort, defaultPort: 443) else { return nil }
        let isKnown = origins.withLock { origins in
            if origins.count < Self.longestList { origins.insert(origin) }
            return origins.contains(origin)
        }
        guard isKnown else { return nil }
        let user = authority[..<(at ?? authority.startIndex)]
        return "http://\(user)\(origin.hostText):\(origin.port)\(path)"
    }
}
