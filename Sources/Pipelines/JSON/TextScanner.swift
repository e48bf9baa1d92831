/// Scans the bytes of a JSON text.
struct TextScanner {
    let bytes: [UInt8]
    let errors: ErrorList
    /// The offset of the next byte.
    private(set) var position = 0

    init(_ bytes: [UInt8], errors: ErrorList) {
        self.bytes = bytes
        self.errors = errors
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }
    var isAtEnd: Bool { position >= bytes.count }

    /// Returns the byte at a distance after the next one.
    func peek(_ distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    mutating func advance(by count: Int = 1) { position = min(position + count, bytes.count) }

    /// Skips all remaining bytes.
    mutating func skipToEnd() { position = bytes.count }

    /// Consumes `character` if it is next, and returns whether it was.
    mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard let byte = next, Unicode.Scalar(byte) == character else { return false }
        position += 1
        return true
    }

    mutating func skip(while condition: (UInt8) -> Bool) {
        while let byte = next, condition(byte) { position += 1 }
    }

    /// Reports the next text and the expected one.
    func fail(expected: String) {
        errors.reportSyntax(at: position, "found \(found), expected \(expected)")
    }

    /// The next character or word as text for messages.
    var found: String {
        guard let byte = next else { return "the end of the file" }
        if Self.isLetter(byte) { return Quoted(word).description }
        guard byte >= 0x20, byte != 0x7F else { return "the control character \(hex(byte))" }
        guard byte >= 0x80 else { return Self.name(ofASCII: byte) }
        guard let count = UTF8Sequence.length(in: bytes, at: position) else {
            return "a byte \(hex(byte)) that is not UTF-8"
        }
        return "'\(String(decoding: bytes[position..<position + count], as: UTF8.self))'"
    }

    private static func name(ofASCII byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "'"): "a single quote"
        default: "'\(Unicode.Scalar(byte))'"
        }
    }

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "0x" + (digits.utf8.count == 1 ? "0" + digits : digits)
    }

    private var word: String {
        var end = position
        while end < bytes.count, end < position + 40, Self.isWordByte(bytes[end]) { end += 1 }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    /// Consumes a word of letters, digits and similar characters.
    mutating func consumeWord() -> String {
        let start = position
        skip(while: Self.isWordByte)
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    // MARK: Kinds of bytes

    static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isWordByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "$")
    }

    static func beginsNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: ".")
    }

    static func beginsValue(_ byte: UInt8) -> Bool {
        beginsNumber(byte) || isLetter(byte) || byte == UInt8(ascii: "\"")
            || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "'")
    }

    static func isStructural(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }
}

extension TextScanner {
    /// Scans a number.
    mutating func scanNumber() -> JSONElement.Content {
        let start = position
        let isValid = skipNumberGrammar()
        let isLonger = next.map { Self.isWordByte($0) || Self.beginsNumber($0) } ?? false
        skip { Self.isWordByte($0) || Self.beginsNumber($0) }
        guard isValid, !isLonger else { return failNumber(from: start) }
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
