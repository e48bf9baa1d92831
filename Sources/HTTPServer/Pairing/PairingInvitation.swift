public import Pipelines

/// What a person needs to pair a device: the URL, the code, and the rights that it gives.
public struct PairingInvitation: Sendable, Equatable {
    /// The code of six digits.
    public let code: String
    /// The URL of the page.
    public let url: String
    /// The rights that the device gets.
    public let permit: Permit

    /// Creates an invitation.
    public init(_ code: String, for permit: Permit, url: String) {
        self.code = code
        self.url = url
        self.permit = permit
    }

    /// The URL of the page with the code, which browsers do not send to a server.
    public var link: String { "\(url)#pair=\(code)" }

    /// The link as a QR code, line by line; empty if it is too long.
    public var picture: [String] { QRCode(link)?.lines ?? [] }

    /// A line for people, without its full stop.
    public var text: String {
        let spaced = "\(code.prefix(3)) \(code.suffix(3))"
        let minutes = PairingOffer.validSeconds / 60
        return
            "pair a device at \(url) with the code \(spaced), once, within \(minutes) minutes; \(permit.text)"
    }

    /// The members of JSON objects.
    public var members: [JSONValue.Member] {
        [
            .init("url", .string(url)), .init("code", .string(code)),
            .init("role", .string(permit.role.rawValue)), .init("limit", .optional(permit.limit)),
            .init("seconds", .integer(PairingOffer.validSeconds)),
        ]
    }
}

extension Permit {
    /// The rights in words: `it may play`.
    public var text: String {
        let words =
            switch role {
            case .look: "it may look"
            case .play: "it may play"
            case .edit: "it may play and edit files"
            }
        return limit.map { "\(words), only the mix \"\($0)\"" } ?? words
    }
}
