/// The layout of a JSON text, so that additions look like the rest.
struct TextStyle {
    /// The line break: `\n` or `\r\n`.
    let newline: String
    /// The indentation of a level; `nil` if the whole text is on one line.
    let indentation: String?
    /// The text between a key and its value.
    let colon: String
    /// The text between two values on a line.
    let comma: String
    /// The space inside the braces of an object on one line.
    let padding: String

    init(of document: Document) {
        let bytes = document.bytes
        let firstFeed = bytes.firstIndex(of: 0x0A)
        let hasReturn = firstFeed.map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
        newline = hasReturn ? "\r\n" : "\n"
        let first = document.root.members.first
        indentation = first.flatMap { Self.lineSpace(before: $0.start, in: bytes) }
            .map { $0.filter { $0 == " " || $0 == "\t" } }
        let isSpaced = first.map { Self.isSpace(bytes, $0.value.start - 1) } ?? true
        colon = isSpaced ? ": " : ":"
        comma = isSpaced ? ", " : ","
        let isPadded = Self.firstLineObject(in: document.root, bytes).map {
            Self.isSpace(bytes, $0.start + 1)
        }
        padding = isPadded ?? isSpaced ? " " : ""
    }

    private static func isSpace(_ bytes: [UInt8], _ offset: Int) -> Bool {
        bytes.indices.contains(offset) && bytes[offset] <= 0x20
    }

    /// Returns the line break and the indentation directly before an offset.
    ///
    /// Returns `nil` if other text precedes the offset on its line.
    static func lineSpace(before offset: Int, in bytes: [UInt8]) -> String? {
        var start = offset
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        guard start > 0, bytes[start - 1] == 0x0A else { return nil }
        start -= start > 1 && bytes[start - 2] == 0x0D ? 2 : 1
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Returns the first object whose members start on the line of its brace.
    private static func firstLineObject(in element: JSONElement, _ bytes: [UInt8]) -> JSONElement? {
        if let first = element.members.first, lineSpace(before: first.start, in: bytes) == nil {
            return element
        }
        let inner = element.elements + element.members.map(\.value)
        for element in inner {
            if let found = firstLineObject(in: element, bytes) { return found }
        }
        return nil
    }

    // MARK: Writing

    /// Returns a value on one line.
    func text(of value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(text).joined(separator: comma) + "]"
        case .object(let members) where members.isEmpty: "{}"
        case .object(let members):
            "{" + padding + members.map(text).joined(separator: comma) + padding + "}"
        default: value.text
        }
    }

    /// Returns a key and its value on one line.
    func text(of member: JSONValue.Member) -> String {
        JSONValue.string(member.key).text + colon + text(of: member.value)
    }
}
