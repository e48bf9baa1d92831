internal import CPage
internal import NIOCore
internal import NIOHTTP1

/// The files of the page, which are part of the program.
///
/// Only the server's thread uses it. A file is compressed when it is first requested.
final class PageAssets {
    /// The policy that limits what the page may load and do.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private let files: [String: PageAsset]

    /// Reads the list of files.
    init() {
        var files: [String: PageAsset] = [:]
        for index in 0..<page_file_count() {
            let asset = PageAsset(page_file(index))
            files[asset.path] = asset
        }
        self.files = files
    }

    /// Returns the file at a path, or the reason why the path has no file.
    func response(_ path: String, _ request: HTTPHeaders) -> Response {
        guard let file = files[path] else {
            return .refusal(.notFound, "there is nothing at this path")
        }
        var headers: HTTPHeaders = [
            "Cache-Control": "no-cache", "ETag": file.tag, "Vary": "Accept-Encoding",
            "Content-Type": file.type, "Content-Security-Policy": Self.policy,
            "X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin",
        ]
        let known = request[canonicalForm: "If-None-Match"]
        guard !known.contains(where: { file.isTag($0) || $0 == "*" }) else {
            headers.remove(name: "Content-Type")
            return Response(.notModified, headers, ByteBuffer())
        }
        let accepted = request[canonicalForm: "Accept-Encoding"]
        if accepted.contains(where: Self.admitsGzip), let body = file.compressed {
            headers.add(name: "Content-Encoding", value: "gzip")
            return Response(.ok, headers, body)
        }
        return Response(.ok, headers, file.body)
    }

    /// Returns whether an entry of `Accept-Encoding` admits gzip.
    private static func admitsGzip(_ entry: Substring) -> Bool {
        let parts = entry.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
        guard parts.first == "gzip" || parts.first == "*" else { return false }
        return !parts.dropFirst().contains {
            $0.hasPrefix("q=0") && !$0.contains { "123456789".contains($0) }
        }
    }
}
