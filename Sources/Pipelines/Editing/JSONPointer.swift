/// The place of a value in a JSON text (JSON Pointer, RFC 6901).
public struct JSONPointer: Sendable, Equatable {
    /// The keys and indices that lead to the value, without escapes; empty for the whole text.
    public let tokens: [String]

    /// Creates a pointer from keys and indices without escapes.
    public init(tokens: [String]) { self.tokens = tokens }

    /// Parses the text of a pointer, such as `/nodes/0/type`.
    ///
    /// - Throws: `EditError` if the text is not a pointer, or longer than any place can be deep.
    public init(_ text: String) throws(EditError) {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else {
            throw EditError("\(Quoted(text)) is not a JSON pointer, which begins with \"/\"")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        guard parts.count <= Document.maximumDepth else {
            throw EditError(
                "\(Quoted(text)) has \(parts.count) parts; at most \(Document.maximumDepth) are allowed"
            )
        }
        var tokens: [String] = []
        for part in parts {
            guard let token = Self.unescaped(part) else {
                throw EditError(
                    "\(Quoted(text)) is not a JSON pointer: \"~\" must be followed by 0 or 1")
            }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// Returns a part without its escapes `~0` and `~1`; `nil` if it has another escape.
    private static func unescaped(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text with escapes; empty for the whole text.
    public var text: String { tokens.map { "/" + Document.escaped($0) }.joined() }

    /// The pointer to the array or object that contains the value.
    var parent: JSONPointer { JSONPointer(tokens: tokens.dropLast()) }

    /// Returns whether the place is inside the value of another pointer.
    func isInside(_ other: JSONPointer) -> Bool {
        tokens.count > other.tokens.count && tokens.starts(with: other.tokens)
    }
}
