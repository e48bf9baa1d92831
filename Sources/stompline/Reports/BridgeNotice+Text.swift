internal import Pipelines

extension BridgeNotice {
    private var name: String { command.joined(separator: " ") }

    /// The notice as a line of text.
    var text: String {
        switch kind {
        case .started: "bridge: \(name)"
        case .ended(let reason): "bridge \(name): \(reason); it is started again"
        case .impossible(let reason): "bridge \(name): \(reason)"
        }
    }

    /// `{"event": "bridge", "command", "state", "reason"}`, with the state `started`, `ended` or
    /// `impossible`.
    var json: JSONValue {
        let details: [JSONValue.Member] =
            switch kind {
            case .started: [.init("state", .string("started"))]
            case .ended(let reason):
                [.init("state", .string("ended")), .init("reason", .string(reason))]
            case .impossible(let reason):
                [.init("state", .string("impossible")), .init("reason", .string(reason))]
            }
        return .object(
            [.init("event", .string("bridge")), .init("command", .string(name))] + details)
    }
}
