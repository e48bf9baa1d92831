internal import Pipelines

/// Something that the server reports to the person who runs the program.
public enum ServerNotice: Sendable, Equatable {
    /// The server accepts requests at a URL.
    case started(url: String)
    /// Requests were refused since the last notice of this kind and reason.
    case refused(count: Int, Refusal)

    /// The reason why a request is refused before it reaches the session.
    public enum Refusal: String, Sendable, CaseIterable {
        /// `Host` names another server.
        case foreignHost = "foreign_host"
        /// The request comes from a page of another site.
        case foreignSite = "foreign_site"
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
            case .started(let url): ["event": "http_started", "url": .string(url)]
            case .refused(let count, let reason):
                [
                    "event": "http_refused", "count": .integer(count),
                    "reason": .string(reason.rawValue),
                ]
            }
        return object.text
    }

    /// A line for people, without its full stop.
    public var text: String {
        switch self {
        case .started(let url): "page at \(url)"
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
        case .malformed: "it was malformed"
        case .tooLong: "it was too long, or came too slowly"
        case .tooMany: "there are too many connections or requests"
        case .tooSlow: "the client took no data"
        }
    }
}
