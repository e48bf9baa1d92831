/// Makes text from the network safe to display.
package enum StreamTitle {
    /// The longest title that is kept, in characters.
    package static let longestCharacters = 200

    /// Returns the text without control characters and marks of writing direction.
    ///
    /// The result has at most `limit` characters and four times as many bytes.
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
        // A character can have any number of combining marks, so the bytes are limited too.
        var bytesLeft = 4 * limit
        return String(
            words.prefix(limit).prefix {
                bytesLeft -= $0.utf8.count
                return bytesLeft >= 0
            })
    }

    /// Decodes bytes as UTF-8 or, for old stations, as Latin-1.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
