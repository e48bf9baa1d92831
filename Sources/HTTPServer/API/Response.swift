internal import NIOCore
internal import NIOHTTP1
internal import Pipelines

/// The answer to a request over HTTP.
struct Response {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: ByteBuffer

    /// Creates an answer from its parts.
    init(_ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: ByteBuffer) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates an answer that no cache keeps.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - text: The body.
    ///   - type: The content type.
    init(_ status: HTTPResponseStatus, text: String, type: String) {
        self.init(
            status, ["Content-Type": type, "Cache-Control": "no-store"], ByteBuffer(string: text))
    }

    /// Returns an answer with JSON.
    static func json(_ value: JSONValue, _ status: HTTPResponseStatus = .ok) -> Response {
        Response(status, text: value.text + "\n", type: "application/json; charset=utf-8")
    }

    /// Returns an answer that refuses a request.
    static func refusal(
        _ status: RefusalStatus, _ message: String, suggestion: String? = nil
    ) -> Response {
        .json(["error": .string(message), "suggestion": .optional(suggestion)], status.line)
    }
}
