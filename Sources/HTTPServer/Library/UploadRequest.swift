internal import NIOHTTP1
internal import Pipelines
internal import SessionCore

/// A request to write a file into the folder of a file that plays.
struct UploadRequest {
    /// The file to write.
    let target: FileUpload.Target
    /// The size that the client states; `nil` if it states none.
    let byteCount: Int?

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - number: The number of the file that plays.
    ///   - path: The path below its folder.
    ///   - head: The header.
    ///   - files: The files that play.
    ///   - limits: The limits for sizes.
    ///   - check: Checks a pipeline.
    /// - Throws: `LibraryRefusal`.
    init(
        _ number: String, _ path: String, _ head: HTTPRequestHead, among files: [SessionFiles.File],
        _ limits: ServerLimits, check: @escaping @Sendable ([UInt8], String) -> [Diagnostic]
    ) throws(LibraryRefusal) {
        let folder = try Self.folder(number, among: files)
        guard let path = LibraryPath(path) else {
            throw LibraryRefusal(
                .badRequest,
                "the path must have names without a dot at the beginning, of at most 200 bytes")
        }
        guard let kind = LibraryFileKind(ofName: path.name) else {
            throw LibraryRefusal(
                .unsupportedMediaType, "the name must end with one of \(LibraryFileKind.endings)")
        }
        guard let type = head.headers.first(name: "Content-Type"), kind.admits(contentType: type)
        else {
            throw LibraryRefusal(.unsupportedMediaType, "Content-Type must be \(kind.types)")
        }
        let replacedTag = try Self.tag(head)
        let place = folder + (folder.hasSuffix("/") ? "" : "/") + path.text
        guard replacedTag == nil || !files.contains(where: { $0.path == place }) else {
            throw LibraryRefusal(.conflict, "\"\(path.text)\" plays; edit it instead")
        }
        byteCount = head.headers.first(name: "Content-Length").flatMap { Int($0) }
        let limit = kind == .pipeline ? limits.pipelineBytes : limits.uploadBytes
        guard byteCount ?? 0 <= limit else {
            throw LibraryRefusal(.payloadTooLarge, "the file is larger than \(limit >> 20) MiB")
        }
        target = FileUpload.Target(
            folder: folder, path: path, kind: kind, replacedTag: replacedTag, check: check)
    }

    /// The largest size of the file, in bytes.
    func limit(_ limits: ServerLimits) -> Int {
        target.kind == .pipeline ? limits.pipelineBytes : limits.uploadBytes
    }

    /// Returns the folder of a file that plays.
    static func folder(
        _ number: String, among files: [SessionFiles.File]
    ) throws(LibraryRefusal) -> String {
        guard let number = Int(number), number > 0, number <= files.count else {
            throw LibraryRefusal(.notFound, "there is no file \"\(number)\"; see GET /api/files")
        }
        let path = files[number - 1].path
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Returns the tag in `If-Match`; `nil` without the field.
    private static func tag(_ head: HTTPRequestHead) throws(LibraryRefusal) -> String? {
        guard let field = head.headers.first(name: "If-Match") else { return nil }
        guard field.count > 2, field.hasPrefix("\""), field.hasSuffix("\""),
            !field.dropFirst().dropLast().contains("\"")
        else {
            throw LibraryRefusal(.badRequest, "If-Match must have one tag, in double quotes")
        }
        return String(field.dropFirst().dropLast())
    }
}
