extension TextScanner {
    /// Skips a byte order mark, which RFC 8259 forbids, and reports it.
    mutating func skipByteOrderMark() {
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        errors.reportSyntax(at: 0, "found a byte order mark, expected plain UTF-8 without one")
        advance(by: 3)
    }

    /// Skips white space and comments; reports comments, which JSON does not have.
    mutating func skipSpace() {
        while let byte = next {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: advance()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLineComment()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
            default: return
            }
        }
    }

    private func reportComment() {
        errors.reportSyntax(at: position, "found a comment, which JSON does not have")
    }

    private mutating func skipLineComment() {
        reportComment()
        skip { $0 != 0x0A }
    }

    private mutating func skipBlockComment() {
        reportComment()
        advance(by: 2)
        while !isAtEnd, !(next == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { advance() }
        advance(by: 2)
    }

    /// Skips everything up to the next comma or closing bracket at this level.
    mutating func skipToNextMember() {
        var depth = 0
        while let byte = next {
            if depth == 0, Self.isStructural(byte) { return }
            skipOne(byte, depth: &depth)
        }
    }

    /// Skips an array or object of any depth by counting brackets.
    mutating func skipBalanced() {
        var depth = 0
        while let byte = next {
            skipOne(byte, depth: &depth)
            if depth <= 0 { return }
        }
    }

    private mutating func skipOne(_ byte: UInt8, depth: inout Int) {
        switch byte {
        case UInt8(ascii: "\""): return skipQuoted()
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        advance()
    }

    /// Skips a string without parsing it; a string that is not closed ends with its line.
    private mutating func skipQuoted() {
        advance()
        while let byte = next, byte != 0x0A {
            advance(by: byte == UInt8(ascii: "\\") ? 2 : 1)
            if byte == UInt8(ascii: "\"") { return }
        }
    }

    /// Skips `'text'`, which JSON does not have, and reports it.
    mutating func skipSingleQuoted() {
        errors.reportSyntax(
            at: position, "found a single quote, expected a string in double quotes")
        advance()
        skip { $0 != UInt8(ascii: "'") && $0 != 0x0A }
        _ = consume("'")
    }
}
