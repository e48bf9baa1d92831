extension TextScanner {
    /// The result of scanning a string.
    struct ScannedString {
        var text = ""
        /// Whether the string has no errors.
        var isValid = true
        /// Whether the string has a closing quote.
        var isClosed = true
    }

    /// Scans a string with its quotes.
    mutating func scanString() -> ScannedString {
        let start = position
        advance()
        skip { $0 != 0x22 && $0 != 0x5C && $0 >= 0x20 && $0 < 0x80 }
        if next == 0x22 {
            advance()
            return ScannedString(
                text: String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self))
        }
        return scanRest(ofStringAt: start)
    }

    /// Scans the rest of a string from the first character that is not plain ASCII.
    private mutating func scanRest(ofStringAt start: Int) -> ScannedString {
        var result = ScannedString()
        var content = Array(bytes[(start + 1)..<position])
        while let byte = next, byte != 0x0A, byte != 0x0D {
            if consume("\"") {
                result.text = String(decoding: content, as: UTF8.self)
                return result
            }
            if !scanCharacter(byte, into: &content) { result.isValid = false }
        }
        errors.reportSyntax(at: start, "the string is not closed on its line, expected '\"'")
        result.text = String(decoding: content, as: UTF8.self)
        result.isValid = false
        result.isClosed = false
        return result
    }

    /// Scans a character or an escape; returns `false` if it has an error.
    private mutating func scanCharacter(_ byte: UInt8, into content: inout [UInt8]) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"): return scanEscape(into: &content)
        case ..<0x20: return failAtControl(byte)
        case ..<0x80:
            content.append(byte)
            advance()
            return true
        default: return scanSequence(into: &content)
        }
    }

    private mutating func failAtControl(_ byte: UInt8) -> Bool {
        let escape =
            byte == 0x09 ? "\\t" : "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        errors.reportSyntax(
            at: position, "found a control character in a string, expected the escape \(escape)")
        advance()
        return false
    }

    private mutating func scanSequence(into content: inout [UInt8]) -> Bool {
        guard let count = UTF8Sequence.length(in: bytes, at: position) else {
            errors.reportSyntax(at: position, "found \(found), expected UTF-8")
            // Report a run of such bytes only once.
            while let byte = next, byte >= 0x80,
                UTF8Sequence.length(in: bytes, at: position) == nil
            {
                advance()
            }
            return false
        }
        content.append(contentsOf: bytes[position..<position + count])
        advance(by: count)
        return true
    }

    // MARK: Escapes

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D,
        0x74: 0x09,
    ]

    private mutating func scanEscape(into content: inout [UInt8]) -> Bool {
        let letter = peek(1) ?? 0
        if let byte = Self.escapes[letter] {
            content.append(byte)
            advance(by: 2)
            return true
        }
        if letter == UInt8(ascii: "u") { return scanUnicodeEscape(into: &content) }
        errors.reportSyntax(
            at: position,
            "found an escape that JSON does not have, expected one of "
                + #"\" \\ \/ \b \f \n \r \t \u0000"#)
        advance()
        return false
    }

    private mutating func scanUnicodeEscape(into content: inout [UInt8]) -> Bool {
        guard let unit = hexUnit(at: 2) else {
            errors.reportSyntax(
                at: position, #"found \u, expected four hexadecimal digits after it"#)
            advance(by: 2)
            return false
        }
        if let scalar = Unicode.Scalar(unit) { return append(scalar, escapeBytes: 6, to: &content) }
        guard unit < 0xDC00, peek(6) == 0x5C, peek(7) == UInt8(ascii: "u"),
            let low = hexUnit(at: 8), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
        else { return failAtSurrogate(unit) }
        return append(scalar, escapeBytes: 12, to: &content)
    }

    private mutating func append(
        _ scalar: Unicode.Scalar, escapeBytes: Int, to content: inout [UInt8]
    ) -> Bool {
        content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        advance(by: escapeBytes)
        return true
    }

    private mutating func failAtSurrogate(_ unit: UInt16) -> Bool {
        errors.reportSyntax(
            at: position,
            "found \\u\(String(unit, radix: 16)), half of a surrogate pair, without its other half")
        advance(by: 6)
        return false
    }

    private func hexUnit(at distance: Int) -> UInt16? {
        var unit: UInt16 = 0
        for index in distance..<(distance + 4) {
            guard let byte = peek(index),
                let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
            else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
