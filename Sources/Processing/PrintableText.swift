/// Text from outside the program (names in files, file names, plugins, other programs), prepared
/// for output to people.
///
/// All output to people uses these properties, so that no name can move the cursor, change a
/// terminal or fake a line. JSON output has its own escapes.
extension String {
    /// The text with all control characters shown as escapes: `\n`, `\r`, `\t`, or `\u{1b}` with
    /// the code in hexadecimal.
    public var printable: String { escaped { $0.isControlling } }

    /// The text with the same escapes, except that line breaks stay.
    public var printableLines: String { escaped { $0.isControlling && $0 != "\n" } }

    private func escaped(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) {
                text += scalar.visibleEscape
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may obey the character instead of showing it.
    ///
    /// These are the control characters of both sets, the line and paragraph separators, and the
    /// characters that change the writing direction.
    public var isControlling: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var visibleEscape: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }
}
