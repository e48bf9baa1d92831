internal import Processing

/// Text escaped for XML.
package enum XMLText {
    /// Escapes characters with a meaning in XML, and replaces characters that XML 1.0 does not
    /// allow or that could control a terminal.
    package static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r": escaped += " "
            case _ where isAllowed(scalar): escaped.unicodeScalars.append(scalar)
            default: escaped += "\u{FFFD}"
            }
        }
        return escaped
    }

    /// Returns whether the production `Char` of XML 1.0 contains the character, and it is not a
    /// control character.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isControlling { return false }
        return switch scalar.value {
        case 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }
}
