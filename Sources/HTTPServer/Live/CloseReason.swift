internal import NIOWebSocket

/// The reason for which the server closes a WebSocket; the raw value is the code of the frame.
enum CloseReason: Int, CaseIterable {
    case programEnds = 1001
    case violation = 1002
    case binary = 1003
    case malformed = 1007
    case flood = 1008
    case tooLong = 1009
    case revoked = 4401

    /// The code.
    var code: WebSocketErrorCode { WebSocketErrorCode(codeNumber: rawValue) }

    /// The meaning, without a full stop at its end, for the reference.
    var meaning: String {
        switch self {
        case .programEnds: "the program ends"
        case .violation: "a frame violates RFC 6455"
        case .binary: "a binary message: requests are text"
        case .malformed: "a text that is not UTF-8, or not a JSON object with an `id`"
        case .flood: "too many requests, or a client that receives no data"
        case .tooLong: "a message is longer than the limit"
        case .revoked: "the device is no longer paired"
        }
    }
}
