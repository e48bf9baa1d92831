internal import Pipelines
internal import SessionTexts

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
        let (state, reason): (String, String?) =
            switch kind {
            case .started: ("started", nil)
            case .ended(let reason): ("ended", reason)
            case .impossible(let reason): ("impossible", reason)
            }
        return EventName.bridge.object(
            .string(name), .string(state), reason.map { .string($0) })
    }
}
