internal import Control
internal import Pipelines

extension FollowNotice {
    /// The notice as a line of text.
    var text: String {
        switch kind {
        case .connected: "following \(leader)"
        case .lost(let reason):
            "cannot follow \(leader): \(reason); the sound continues, and the next attempts follow"
        case .refused(let address, let reason): "cannot follow \(address) of \(leader): \(reason)"
        }
    }

    /// `{"event": "follow", "leader", "state", …}`, with the state `connected`, `lost` or `refused`.
    var json: JSONValue {
        let details: [JSONValue.Member] =
            switch kind {
            case .connected: [.init("state", .string("connected"))]
            case .lost(let reason):
                [.init("state", .string("lost")), .init("reason", .string(reason))]
            case .refused(let address, let reason):
                [
                    .init("state", .string("refused")), .init("address", .string(address)),
                    .init("reason", .string(reason)),
                ]
            }
        return .object(
            [.init("event", .string("follow")), .init("leader", .string(leader))] + details)
    }
}
