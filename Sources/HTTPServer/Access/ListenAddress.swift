/// The address and port that the server listens to.
public struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// The IP address as text, without brackets.
    public let host: String
    /// The port; 0 means any free port.
    public let port: UInt16

    /// Creates an address.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses "8080", "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:8080".
    ///
    /// - Throws: `ListenAddressError`.
    public init(parsing text: String) throws(ListenAddressError) {
        let (host, port) = try Self.split(text)
        guard let number = UInt16(port), port.allSatisfy(\.isASCII), !port.hasPrefix("+") else {
            throw .notAnAddress(text)
        }
        let name = host.lowercased() == "localhost" ? Self.loopback : host
        guard IPAddress(name) != nil else { throw .notAnAddress(text) }
        self.init(host: name, port: number)
    }

    /// The address without a given one.
    private static let loopback = "127.0.0.1"

    private static func split(
        _ text: String
    ) throws(ListenAddressError) -> (host: String, port: String) {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), end != text.index(before: text.endIndex),
                text[text.index(after: end)] == ":"
            else { throw .notAnAddress(text) }
            let host = text[text.index(after: text.startIndex)..<end]
            guard host.contains(":") else { throw .notAnAddress(text) }
            return (String(host), String(text[text.index(end, offsetBy: 2)...]))
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return (loopback, text)
        case 2: return (String(parts[0]), String(parts[1]))
        default: throw .notAnAddress(text)
        }
    }

    /// Whether only programs on this machine can reach the address.
    public var isLoopback: Bool { IPAddress(host)?.isLoopback == true }

    /// The address with brackets around IPv6, and the port.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// The reason why the server cannot listen to an address.
public enum ListenAddressError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The text is not an address.
    case notAnAddress(String)

    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .notAnAddress(let text):
            "--http must be a port from 0 to 65535, or ADDRESS:PORT such as 127.0.0.1:8080 or 0.0.0.0:8080, not \(text)"
        }
    }
}
