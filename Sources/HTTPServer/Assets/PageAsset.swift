internal import CPage
internal import NIOCore
internal import Platform

/// One file of the page.
final class PageAsset {
    /// The path in the folder of the page, such as `views/stage.js`.
    let path: String
    /// The content type.
    let type: String
    /// The tag of the content, in quotes; different contents have different tags.
    let tag: String
    private let bytes: UnsafeBufferPointer<UInt8>
    private let isText: Bool
    private var gzip: ByteBuffer??

    /// Creates a file of the program.
    init(_ file: PageFile) {
        path = String(cString: file.path)
        // SAFETY: the bytes are constants of the program, which live as long as it does.
        bytes = UnsafeBufferPointer(start: file.bytes, count: file.size)
        (type, isText) = Self.type(of: path)
        tag = "\"" + String(ContentHash.fnv1a(bytes), radix: 16) + "\""
    }

    /// The content.
    var body: ByteBuffer { ByteBuffer(bytes: bytes) }

    /// The compressed content; `nil` if that would not be shorter.
    var compressed: ByteBuffer? {
        if let gzip { return gzip }
        let made = isText ? GzipText.compressed(bytes) : nil
        let result = made.flatMap { $0.count < bytes.count ? ByteBuffer(bytes: $0) : nil }
        gzip = .some(result)
        return result
    }

    /// Returns whether an entry of `If-None-Match` is the tag of this file.
    func isTag(_ entry: Substring) -> Bool {
        entry == tag || entry == "W/" + tag
    }

    private static func type(of path: String) -> (String, isText: Bool) {
        switch path.split(separator: ".").last {
        case "html": ("text/html; charset=utf-8", true)
        case "js": ("text/javascript; charset=utf-8", true)
        case "css": ("text/css; charset=utf-8", true)
        case "svg": ("image/svg+xml", true)
        case "json": ("application/json", true)
        case "webmanifest": ("application/manifest+json", true)
        case "txt": ("text/plain; charset=utf-8", true)
        case "png": ("image/png", false)
        case "ico": ("image/x-icon", false)
        case "woff2": ("font/woff2", false)
        default: ("application/octet-stream", false)
        }
    }
}
