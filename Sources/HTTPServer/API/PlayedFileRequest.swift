internal import NIOCore
internal import NIOHTTP1
internal import Pipelines
internal import SessionCore

/// A request over HTTP for a file that plays: its text, or a patch of it.
struct PlayedFileRequest {
    /// The content type of a patch.
    private static let patchType = "application/json-patch+json"

    private let file: SessionFiles.File

    /// Creates a request; `nil` if there is no such file.
    ///
    /// - Parameters:
    ///   - number: The number of the file as text, from 1.
    ///   - files: The files that play.
    init?(_ number: String, among files: [SessionFiles.File]) {
        guard let number = Int(number), number > 0, number <= files.count else { return nil }
        file = files[number - 1]
    }

    /// Tells a browser to download the file instead of showing it.
    func download(_ response: inout Response) {
        guard response.status == .ok else { return }
        let name = file.path.split(separator: "/").last.map(String.init) ?? "pipeline.json"
        // The name for old browsers has only plain characters; the other one has all.
        let plain = String(
            name.map {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_"
            })
        response.headers.add(
            name: "Content-Disposition",
            value:
                "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentCoding.encoded(name))"
        )
    }

    /// The request to the session for the text.
    var reading: SessionRequest { .readFile(file.path) }

    /// Returns the request to the session for a patch.
    ///
    /// - Parameters:
    ///   - head: The header, with the content type and the tag.
    ///   - body: The patch.
    /// - Returns: The request, or the response that refuses it.
    func editing(_ head: HTTPRequestHead, _ body: [UInt8]) -> Result<SessionRequest, Refused> {
        guard let type = head.headers.first(name: "Content-Type"),
            type.prefix(while: { $0 != ";" }).lowercased() == Self.patchType
        else {
            var response = Response.refusal(
                .unsupportedMediaType, "Content-Type must be \(Self.patchType)")
            response.headers.add(name: "Accept-Patch", value: Self.patchType)
            return .failure(Refused(response))
        }
        guard let field = head.headers.first(name: "If-Match") else {
            return .failure(
                Refused(
                    .refusal(
                        .preconditionRequired,
                        "If-Match must have the tag of the file that the edit was made on")))
        }
        guard let tag = Self.tag(field) else {
            return .failure(
                Refused(.refusal(.badRequest, "If-Match must have one tag, in double quotes")))
        }
        do throws(PatchError) {
            let patch = try JSONPatch(parsing: body)
            return .success(
                .edit(
                    FilePatch(
                        file: file.path, tag: tag, patch: patch, name: Self.name(in: head.uri))))
        } catch {
            return .failure(Refused(.refusal(.badRequest, error.message)))
        }
    }

    /// A response that refuses a request.
    struct Refused: Error {
        let response: Response

        init(_ response: Response) { self.response = response }
    }

    /// Returns the tag of `If-Match`; `nil` if it is not one strong tag.
    private static func tag(_ field: String) -> ContentTag? {
        guard field.count > 2, field.hasPrefix("\""), field.hasSuffix("\"") else { return nil }
        let text = field.dropFirst().dropLast()
        return text.contains("\"") ? nil : ContentTag(String(text))
    }

    /// Returns the name of the edit in the query `?name=…`; empty without one.
    private static func name(in target: String) -> String {
        guard let query = target.firstIndex(of: "?") else { return "" }
        for pair in target[target.index(after: query)...].split(separator: "&")
        where pair.hasPrefix("name=") {
            return PercentCoding.decoded(pair.dropFirst(5)) ?? ""
        }
        return ""
    }

    // MARK: Answers

    /// Returns the response with an answer of the session.
    static func response(to answer: Answer?) -> Response {
        switch answer {
        case .file(let content)?:
            var response = Response(.ok, [:], ByteBuffer(bytes: content.bytes))
            response.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
            response.headers.add(name: "Cache-Control", value: "no-store")
            response.add(content.tag)
            return response
        case .edited(let edit)?:
            var response = Response.json(.object(AnswerJSON.members(of: answer)))
            response.add(edit.tag)
            return response
        case .notEdited(let refusal)?: return response(to: refusal)
        case .refused(let message, let suggestion)?:
            return .refusal(.conflict, message, suggestion: suggestion)
        case nil: return .refusal(.gatewayTimeout, "the session does not answer")
        default: return .json(.object(AnswerJSON.members(of: answer)))
        }
    }

    private static func response(to refusal: FileEditRefusal) -> Response {
        var members: [JSONValue.Member] = [
            .init("error", .string(refusal.message)), .init("suggestion", .null),
        ]
        members += AnswerJSON.details(of: refusal)
        guard case .conflict(let tag) = refusal.reason else {
            return .json(.object(members), RefusalStatus.unprocessableEntity.line)
        }
        var response = Response.json(.object(members), RefusalStatus.preconditionFailed.line)
        response.add(tag)
        return response
    }
}

extension Response {
    /// Adds the field `ETag`.
    fileprivate mutating func add(_ tag: ContentTag?) {
        if let tag { headers.add(name: "ETag", value: "\"\(tag.text)\"") }
    }
}
