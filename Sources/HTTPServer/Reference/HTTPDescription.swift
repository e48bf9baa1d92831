/// The description of a part of the protocol over HTTP and WebSockets, for the reference.
public struct HTTPDescription: Sendable {
    /// The table to which an entry belongs.
    public enum Kind: String, Sendable, CaseIterable {
        /// A request over HTTP.
        case request
        /// A status of a refused request.
        case status
        /// A request over a WebSocket.
        case pageRequest = "page-request"
        /// A message of the server over a WebSocket.
        case message
        /// An answer to a request over a WebSocket.
        case answer
        /// A part of the snapshot.
        case part
        /// A code with which the server closes a WebSocket.
        case closeCode = "close-code"
        /// A figure for Prometheus.
        case metric
    }

    /// The table.
    public let kind: Kind
    /// The path, the status, the name or the code.
    public let name: String
    /// The methods of a request, with commas between them; empty for other entries.
    public var methods = ""
    /// The smallest role that may send a request, or `none`; empty for other entries.
    public var role = ""
    /// The body of a request, the members of a message, or the type of a metric; can be empty.
    public var content = ""
    /// The meaning, without a full stop at its end.
    public let meaning: String

    /// All entries, in the order of `Kind`.
    public static var all: [HTTPDescription] {
        requests
            + RefusalStatus.allCases.map { entry(.status, "\($0.rawValue)", $0.meaning) }
            + PageRequestName.allCases.map { entry(.pageRequest, $0.rawValue, $0.texts) }
            + PageMessageName.allCases.map { entry(.message, $0.rawValue, $0.texts) }
            + PageAnswerName.allCases.map { entry(.answer, $0.rawValue, $0.texts) }
            + StatePart.allCases.map { entry(.part, $0.rawValue, $0.meaning) }
            + [entry(.part, AccessJSON.name, "the rights of the client that receives the part")]
            + CloseReason.allCases.map { entry(.closeCode, "\($0.rawValue)", $0.meaning) }
            + Metric.allCases.map { metric in
                let label = metric.label.map { "{\($0)=\"…\"}" } ?? ""
                return HTTPDescription(
                    kind: .metric, name: metric.name + label, content: metric.type,
                    meaning: metric.meaning)
            }
    }

    /// An entry for each group of methods of a resource with the same meaning.
    private static var requests: [HTTPDescription] {
        Resource.allCases.flatMap { resource in
            resource.route.methods.filter { $0 != "HEAD" }.map { method in
                let texts = resource.texts(method)
                let hasHead = method == "GET" && resource.route.methods.contains("HEAD")
                return HTTPDescription(
                    kind: .request, name: resource.rawValue,
                    methods: hasHead ? "GET, HEAD" : method,
                    role: role(for: Deed(resource.route, method)), content: texts.body,
                    meaning: texts.meaning)
            }
        }
    }

    /// Returns the smallest role that may do a deed; `none` for a device that is not paired.
    private static func role(for deed: Deed) -> String {
        if deed == .open || deed == .pair { return "none" }
        let roles = RemoteRole.allCases.filter {
            Permit(role: $0).refusal(of: deed, in: SongScope()) == nil
        }
        return roles.min()?.rawValue ?? ""
    }

    private static func entry(_ kind: Kind, _ name: String, _ meaning: String) -> HTTPDescription {
        HTTPDescription(kind: kind, name: name, meaning: meaning)
    }

    private static func entry(
        _ kind: Kind, _ name: String, _ texts: (members: String, meaning: String)
    ) -> HTTPDescription {
        HTTPDescription(kind: kind, name: name, content: texts.members, meaning: texts.meaning)
    }
}
