internal import Pipelines
internal import SessionTexts

/// Something that the server reports to the person who runs the program.
public enum ServerNotice: Sendable, Equatable {
    /// The server accepts requests at a URL; with TLS, browsers show the fingerprint.
    case started(url: String, fingerprint: String?)
    /// A device can be paired with a new code.
    case code(PairingInvitation)
    /// The code has ended, because too many wrong ones were tried.
    case codeDied
    /// A device was paired.
    case paired(name: String, permit: Permit)
    /// The file of the paired devices cannot be read or written.
    case accessFailed(String)
    /// Requests were refused since the last notice of this kind and reason.
    case refused(count: Int, Refusal)

    /// The reason why a request is refused before it reaches the session.
    public enum Refusal: String, Sendable, CaseIterable {
        /// `Host` names another server.
        case foreignHost = "foreign_host"
        /// The request comes from a page of another site.
        case foreignSite = "foreign_site"
        /// The request comes from another machine and has no valid key.
        case noKey = "no_key"
        /// The code for a pairing is wrong, or there is none.
        case wrongCode = "wrong_code"
        /// The role of the device forbids the request.
        case forbidden
        /// The request is not HTTP, or a frame is not of a WebSocket.
        case malformed
        /// A header, body or message is too long, or came too slowly.
        case tooLong = "too_long"
        /// There are too many connections or requests.
        case tooMany = "too_many"
        /// A client received no data.
        case tooSlow = "too_slow"
    }

    /// The object of `run --json`.
    public var line: String {
        let object: JSONValue =
            switch self {
            case .started(let url, let fingerprint):
                EventName.httpStarted.object(.string(url), fingerprint.map { .string($0) })
            case .code(let invitation):
                .object([.init("event", .string(EventName.httpCode.rawValue))] + invitation.members)
            case .codeDied: EventName.httpCodeDied.object()
            case .paired(let name, let permit):
                EventName.httpPaired.object(
                    .string(name), .string(permit.role.rawValue), .optional(permit.limit))
            case .accessFailed(let message): EventName.httpAccessFailed.object(.string(message))
            case .refused(let count, let reason):
                EventName.httpRefused.object(.integer(count), .string(reason.rawValue))
            }
        return object.text
    }

    /// The QR code of a code, line by line; empty for other notices.
    public var picture: [String] {
        if case .code(let invitation) = self { invitation.picture } else { [] }
    }

    /// A line for people, without its full stop.
    public var text: String {
        switch self {
        case .started(let url, let fingerprint):
            "page at \(url)" + (fingerprint.map { "; its certificate is \($0)" } ?? "")
        case .code(let invitation): invitation.text
        case .codeDied:
            "HTTP: too many wrong codes were tried, so the code has ended; press r in the terminal view, or run \"stompline remotes --pair\""
        case .paired(let name, let permit): "HTTP: \"\(name)\" is paired; \(permit.text)"
        case .accessFailed(let message): "HTTP: \(message)"
        case .refused(let count, let reason):
            "HTTP: refused \(count == 1 ? "a request" : "\(count) requests"): \(reason.text)"
        }
    }
}

extension ServerNotice.Refusal {
    fileprivate var text: String {
        switch self {
        case .foreignHost: "Host named another server"
        case .foreignSite: "a page of another site sent it"
        case .noKey: "it came from another machine and had no valid key"
        case .wrongCode: "its code was wrong"
        case .forbidden: "the role of its device forbids it"
        case .malformed: "it was malformed"
        case .tooLong: "it was too long, or came too slowly"
        case .tooMany: "there are too many connections or requests"
        case .tooSlow: "the client took no data"
        }
    }
}
