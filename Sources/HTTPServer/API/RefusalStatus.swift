internal import NIOHTTP1

/// The status with which the server refuses a request.
enum RefusalStatus: Int, CaseIterable {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case conflict = 409
    case preconditionFailed = 412
    case payloadTooLarge = 413
    case uriTooLong = 414
    case unsupportedMediaType = 415
    case misdirectedRequest = 421
    case unprocessableEntity = 422
    case upgradeRequired = 426
    case preconditionRequired = 428
    case tooManyRequests = 429
    case requestHeaderFieldsTooLarge = 431
    case internalServerError = 500
    case serviceUnavailable = 503
    case gatewayTimeout = 504
    case insufficientStorage = 507

    /// The status line.
    var line: HTTPResponseStatus { HTTPResponseStatus(statusCode: rawValue) }

    /// The reason, without a full stop at its end, for the reference.
    var meaning: String {
        switch self {
        case .badRequest: "the request or its body is malformed"
        case .unauthorized: "the request comes from another machine, and has no valid key"
        case .forbidden:
            """
            the request comes from another site, the role forbids it, the code for a pairing is \
            wrong, or a path of the library leads through a link or into a folder that cannot be \
            written
            """
        case .notFound: "there is no such address, action, key, file, folder or node"
        case .methodNotAllowed:
            "the path does not have this method; `Allow` lists the methods that it has"
        case .requestTimeout:
            """
            the body came too slowly; after a slow header the connection is closed without an \
            answer
            """
        case .conflict:
            """
            the session refuses the request now, or the file exists already (`tag`), plays, or \
            cannot be written
            """
        case .preconditionFailed:
            """
            the file has another content than that of the tag; `tag` and `ETag` have the current \
            one
            """
        case .payloadTooLarge: "the body or the file is too large"
        case .uriTooLong: "the path is too long"
        case .unsupportedMediaType: "content type, ending or content are not accepted"
        case .misdirectedRequest: "`Host` does not name this server"
        case .unprocessableEntity:
            """
            the value is not valid for the address, an operation is not possible (`operation`, its \
            index from 0), the files would have errors (`diagnostics`), or the edited song cannot \
            be prepared
            """
        case .upgradeRequired: "the path needs a WebSocket, and the request does not open one"
        case .preconditionRequired: "`If-Match` is missing"
        case .tooManyRequests: "too many requests, or too many wrong codes from one address"
        case .requestHeaderFieldsTooLarge: "the header is too long"
        case .internalServerError: "the system refuses an access to a file"
        case .serviceUnavailable: "too many connections, pages, files or waiting requests"
        case .gatewayTimeout: "the session does not answer in time"
        case .insufficientStorage: "the disk has too little free space for the file"
        }
    }
}
