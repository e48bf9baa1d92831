internal import Glibc
internal import NIOHTTP1
internal import Pipelines
internal import Platform

/// The reason why a file of the library cannot be read or written.
struct LibraryRefusal: Error, Sendable {
    private let status: RefusalStatus
    private let message: String
    /// The tag of the existing file; `nil` without one.
    private let tag: String?
    private let diagnostics: [Diagnostic]

    init(
        _ status: RefusalStatus, _ message: String, tag: String? = nil,
        diagnostics: [Diagnostic] = []
    ) {
        self.status = status
        self.message = message
        self.tag = tag
        self.diagnostics = diagnostics
    }

    /// Creates the refusal for an error of the system.
    ///
    /// - Parameters:
    ///   - code: The error number.
    ///   - path: The path as the client named it.
    init(system code: Int32, _ path: String) {
        switch code {
        case ENOENT, ENOTDIR: self.init(.notFound, "there is no folder for \"\(path)\"")
        case ELOOP: self.init(.forbidden, "\"\(path)\" leads through a link, which is not followed")
        case ENOSPC, EDQUOT: self = .noSpace
        case EACCES, EPERM, EROFS:
            self.init(.forbidden, "\"\(path)\" cannot be written: \(SystemError(code).message)")
        default:
            self.init(
                .internalServerError, "\"\(path)\" cannot be used: \(SystemError(code).message)")
        }
    }

    /// The disk has too little free space.
    static let noSpace = LibraryRefusal(
        .insufficientStorage, "the disk has too little free space for the file")

    /// The file exists, and the client has not said that it may be replaced.
    static func exists(_ path: String, tag: String) -> LibraryRefusal {
        LibraryRefusal(
            .conflict, "\"\(path)\" exists already; If-Match with its tag replaces it", tag: tag)
    }

    /// The response.
    var response: Response {
        var members: [JSONValue.Member] = [
            .init("error", .string(message)), .init("suggestion", .null),
        ]
        if let tag { members.append(.init("tag", .string(tag))) }
        if !diagnostics.isEmpty {
            members.append(.init("diagnostics", .array(diagnostics.map(\.json))))
        }
        var response = Response.json(.object(members), status.line)
        if let tag { response.headers.add(name: "ETag", value: "\"\(tag)\"") }
        return response
    }
}
