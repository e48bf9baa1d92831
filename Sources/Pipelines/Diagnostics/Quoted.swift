/// Text as it is quoted in a message: in double quotes, on one line, and not too long.
struct Quoted: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        let start = String(text.unicodeScalars.prefix(61))
        description = "\"" + Self.shortened(start) + "\""
    }

    /// The first characters, with control characters made visible.
    static func shortened(_ text: String, to count: Int = 60, isCut: Bool = false) -> String {
        let scalars = text.unicodeScalars
        let shown = scalars.prefix(count).map { scalar -> String in
            scalar.properties.generalCategory == .control
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return shown.joined() + (isCut || scalars.count > count ? "…" : "")
    }
}
