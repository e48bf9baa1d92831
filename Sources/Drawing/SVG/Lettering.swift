/// A font size and weight, with an estimate of text widths.
///
/// The reader's font is unknown, so the widths are those of a wide sans serif; text in any common
/// font stays inside its box.
package struct Lettering: Sendable, Equatable {
    package var size: Double
    package var isBold: Bool
    package var colour: String

    static let title = Lettering(size: 28, isBold: true, colour: Ink.text)
    static let heading = Lettering(size: 13, isBold: true, colour: Ink.text)
    static let prose = Lettering(size: 13, isBold: false, colour: Ink.softText)
    static let name = Lettering(size: 15, isBold: true, colour: Ink.text)
    static let label = Lettering(size: 11, isBold: false, colour: Ink.softText)
    static let value = Lettering(size: 11.5, isBold: true, colour: Ink.text)
    static let small = Lettering(size: 10.5, isBold: false, colour: Ink.softText)
    static let delay = Lettering(size: 10.5, isBold: true, colour: Ink.delay)

    /// Returns the maximum width of a text, in pixels.
    package func width(of text: String) -> Double {
        let ems = text.unicodeScalars.reduce(0.0) { $0 + Self.ems(of: $1) }
        return ems * size * (isBold ? 1.14 : 1)
    }

    /// Returns the text, shortened with an ellipsis if it does not fit.
    func fit(_ text: String, width limit: Double) -> String {
        guard width(of: text) > limit else { return text }
        var kept = text
        while !kept.isEmpty, width(of: kept + "…") > limit { kept.removeLast() }
        return kept + "…"
    }

    /// Breaks text at spaces into lines of at most `limit` pixels; a word that is too wide is
    /// shortened.
    package func wrap(_ text: String, width limit: Double) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            if let last = lines.last, width(of: last + " " + word) <= limit {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(fit(word, width: limit))
            }
        }
        return lines
    }

    /// Returns the advance width of a character, in ems, rounded up.
    private static func ems(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", " ", "·": 0.35
        case "f", "t", "r", "(", ")", "[", "]", "-", "/", "\\", "!": 0.42
        case "m", "M", "w", "W", "%", "@", "—", "…": 1.0
        case "0"..."9", "_": 0.64
        case "a"..."z": 0.63
        case "A"..."Z": 0.76
        case "\"": 0.48
        case "−", "+", "±", "=", "<", ">": 0.84
        default: wideEms(of: scalar)
        }
    }

    private static func wideEms(of scalar: Unicode.Scalar) -> Double {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        case .lowercaseLetter: 0.66
        default: scalar.value < 0x1100 ? 0.8 : 1.1
        }
    }
}
