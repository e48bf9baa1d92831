/// Words that came from afar, fit to be shown.
package enum StreamTitle {
    /// The most that is kept of a title.
    package static let longestCharacters = 200

    /// The text without what steers a terminal or turns the direction of writing, and not longer than so much.
    package static func cleaned(_ text: String, limit: Int = longestCharacters) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            case .format, .surrogate, .privateUse, .unassigned: break
            default: scalars.append(scalar)
            }
        }
        let words = String(scalars).split(separator: " ").joined(separator: " ")
        return String(words.prefix(limit))
    }

    /// The text of bytes in UTF-8, or else in Latin-1, as old stations send it.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
