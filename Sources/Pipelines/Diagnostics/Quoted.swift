internal import Processing

/// A text quoted for a message: in double quotes, on one line, and shortened.
struct Quoted: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        let start = String(text.unicodeScalars.prefix(61))
        description = "\"" + Self.shortened(start) + "\""
    }

    /// Returns the first characters, with control characters made visible.
    static func shortened(_ text: String, to count: Int = 60, isCut: Bool = false) -> String {
        let scalars = text.unicodeScalars
        let shown = String(scalars.prefix(count)).printable
        return shown + (isCut || scalars.count > count ? "…" : "")
    }
}
