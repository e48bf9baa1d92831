internal import Pipelines
internal import SessionCore

/// A request to connect or disconnect a port of the session, over HTTP or from a page:
/// `{"port": "mic", "other": "system:capture_1", "connected": true}`.
struct ConnectionRequest {
    /// The request to the session.
    let request: SessionRequest

    /// The members that a request must have, for messages.
    static let form =
        "\"port\" and \"other\" must be names of ports, and \"connected\" true or false"

    /// Reads a request; `nil` if a member is missing or has another type.
    init?(_ root: JSONElement) {
        guard let own = root["port"]?.string, let other = root["other"]?.string,
            case .bool(let isConnected)? = root["connected"]?.content
        else { return nil }
        let pair = PortPair(own: own, other: other)
        request = .ports(isConnected ? .connect(pair) : .disconnect(pair))
    }
}
