/// Text as a terminal shows it.
package enum TextWidth {
    /// The columns that a text takes: two for wide characters, none for marks that join others.
    package static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// The columns that a character takes.
    package static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return isMark(first) ? 0 : isWide(first) ? 2 : 1
    }

    /// The text without what would move the cursor or change the terminal; in plain ASCII where asked for.
    static func printable(_ text: String, isASCII: Bool) -> String {
        String(
            text.map { character -> Character in
                let isControl = character.unicodeScalars.contains { $0.properties.isControl }
                return isControl || (isASCII && !character.isASCII) ? "?" : character
            })
    }

    /// As much of a text as fits, with an ellipsis where it was cut.
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
    /// Whether it is a control character or one that turns the direction of writing, line ends among them.
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
            true
        default: isBidiControl
        }
    }
}
