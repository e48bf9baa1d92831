/// The OSC server of a session on another machine, such as `osc://stage:9000`.
public struct FollowedSession: Sendable, Hashable, CustomStringConvertible, Codable {
    /// The name or the IPv4 address of the machine.
    public let host: String
    /// The UDP port, from 1.
    public let port: UInt16

    /// The form of the text, for messages.
    public static let form = "osc://HOST:PORT"

    /// Parses a text such as `osc://stage:9000`.
    ///
    /// - Returns: `nil` if the text has another form.
    public init?(_ text: String) {
        let start = "osc://"
        guard text.hasPrefix(start) else { return nil }
        let parts = text.dropFirst(start.count).split(
            separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = UInt16(parts[1]), port > 0,
            !parts[0].isEmpty, parts[0].utf8.count <= 253,
            parts[0].utf8.allSatisfy(Self.isHostByte)
        else { return nil }
        host = String(parts[0])
        self.port = port
    }

    /// The text in the form that files use.
    public var description: String { "osc://\(host):\(port)" }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
