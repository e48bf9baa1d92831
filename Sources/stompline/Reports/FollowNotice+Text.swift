internal import Control
internal import Pipelines
internal import SessionTexts

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
        let (state, address, reason): (String, String?, String?) =
            switch kind {
            case .connected: ("connected", nil, nil)
            case .lost(let reason): ("lost", nil, reason)
            case .refused(let address, let reason): ("refused", address, reason)
            }
        return EventName.follow.object(
            .string(leader), .string(state), address.map { .string($0) },
            reason.map { .string($0) })
    }
}
