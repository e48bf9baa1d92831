internal import Processing

/// The width of text in a terminal.
package enum TextWidth {
    /// Returns the columns of a text: two per wide character, zero per combining mark.
    package static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// Returns the columns of a character: 0, 1 or 2.
    package static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return isMark(first) ? 0 : isWide(first) ? 2 : 1
    }

    /// Returns the text with escapes for control characters, and `?` for characters that terminals
    /// show differently or that the terminal cannot show because it is limited to ASCII.
    static func printable(_ text: String, isASCII: Bool) -> String {
        String(
            text.printable.map { character -> Character in
                let isUnknown = character.unicodeScalars.contains { $0.properties.isUnknown }
                return isUnknown || (isASCII && !character.isASCII) ? "?" : character
            })
    }

    /// Returns the part of a text that fits, with an ellipsis if it was cut.
    package static func cut(_ text: String, to limit: Int, isASCII: Bool) -> String {
        guard columns(text) > limit else { return text }
        guard limit > 0 else { return "" }
        var (kept, width) = ("", 0)
        for character in text {
            width += columns(character)
            guard width < limit else { break }
            kept.append(character)
        }
        return kept + (isASCII ? "." : "…")
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return true }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

extension Unicode.Scalar.Properties {
    /// Whether terminals show the character differently: writing direction marks, surrogates,
    /// private and unassigned characters.
    fileprivate var isUnknown: Bool {
        switch generalCategory {
        case .surrogate, .unassigned, .privateUse: true
        default: isBidiControl
        }
    }
}
