internal import Control
internal import Pipelines

extension OSCWarning {
    /// The event `osc_refused`:
    /// `{"event", "datagrams", "wrong_tokens", "uncompared_tokens", "sender"}`.
    var json: JSONValue {
        [
            "event": "osc_refused", "datagrams": .integer(datagrams),
            "wrong_tokens": .integer(wrongTokens),
            "uncompared_tokens": .integer(uncomparedTokens), "sender": .string("\(sender)"),
        ]
    }
}
