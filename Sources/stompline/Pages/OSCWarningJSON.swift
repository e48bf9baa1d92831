internal import Control
internal import Pipelines
internal import SessionTexts

extension OSCWarning {
    /// The event `osc_refused`:
    /// `{"event", "datagrams", "wrong_tokens", "uncompared_tokens", "sender"}`.
    var json: JSONValue {
        EventName.oscRefused.object(
            .integer(datagrams), .integer(wrongTokens), .integer(uncomparedTokens),
            .string("\(sender)"))
    }
}
