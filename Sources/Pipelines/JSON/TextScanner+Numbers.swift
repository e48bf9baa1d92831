extension TextScanner {
    /// Scans a number.
    mutating func scanNumber() -> JSONElement.Content {
        let start = position
        let isSound = skipNumberGrammar()
        let isLonger = next.map { Self.isWordByte($0) || Self.beginsNumber($0) } ?? false
        skip { Self.isWordByte($0) || Self.beginsNumber($0) }
        guard isSound, !isLonger else { return failNumber(from: start) }
        guard position - start <= Document.maximumNumberBytes else {
            errors.report(
                .limit, at: start,
                "a number can have at most \(Document.maximumNumberBytes) characters")
            return .broken
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return Double(text).map { .number($0) } ?? .broken
    }

    private func failNumber(from start: Int) -> JSONElement.Content {
        let end = min(position, start + 40)
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        let sample = "expected one like 0, -2.5 or 1e3"
        errors.reportSyntax(
            at: start, "found \(Quoted(text)), which is not a JSON number; \(sample)")
        return .broken
    }

    /// Skips the text that fits the grammar of numbers (RFC 8259); returns whether it is complete.
    private mutating func skipNumberGrammar() -> Bool {
        _ = consume("-")
        if !consume("0") {
            guard skipDigits() else { return false }
        }
        if consume(".") {
            guard skipDigits() else { return false }
        }
        guard consume("e") || consume("E") else { return true }
        if !consume("+") { _ = consume("-") }
        return skipDigits()
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        skip(while: Self.isDigit)
        return position > start
    }

    /// Scans `true`, `false`, `null`, or any other word, which is an error.
    mutating func scanWord() -> JSONElement.Content {
        let start = position
        switch consumeWord() {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case let word:
            let expected = ["true", "false", "null"]
            errors.reportSyntax(
                at: start, "found \(Quoted(word)), expected a value; put text in double quotes",
                suggestion: Nearest.name(to: word, in: expected))
            return .broken
        }
    }
}
