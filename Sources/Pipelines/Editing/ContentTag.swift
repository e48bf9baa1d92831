internal import Platform

/// The entity tag of a file: another text for each path and content.
public struct ContentTag: Sendable, Hashable {
    /// The tag, without the quotes that HTTP adds.
    public let text: String

    /// Adopts a tag that a client names.
    public init(_ text: String) { self.text = text }

    /// Creates the tag of a file.
    public init(of bytes: [UInt8], file path: String) {
        let hash = ContentHash.fnv1a(bytes, after: ContentHash.fnv1a(path.utf8))
        text = String(hash, radix: 16) + "-" + String(bytes.count, radix: 16)
    }
}
