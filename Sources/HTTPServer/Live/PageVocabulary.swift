internal import Pipelines

/// The name of a request that a page sends over its WebSocket.
enum PageRequestName: String, CaseIterable {
    case set, fade, perform, key, get, edit, connect, snapshot, watch, ping
}

/// The type of a message that the server sends over a WebSocket.
enum PageMessageName: String, CaseIterable {
    case snapshot, values, part, event, answer

    /// The member `type` of the message.
    var member: JSONValue.Member { .init("type", .string(rawValue)) }
}

/// The kind of an answer to a request over a WebSocket.
enum PageAnswerName: String, CaseIterable {
    case done, playing, preparing, pending, edited, conflict, compared, values, stale, refused
}
