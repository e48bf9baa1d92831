/// Parses JSON (RFC 8259), and continues after an error if the intention is clear.
///
/// It does not nest deeper than `Document.maximumDepth`, and every loop step consumes a byte.
struct DocumentParser {
    var text: TextScanner
    /// Whether no part of the text was skipped.
    private(set) var isWhole = true

    init(_ bytes: [UInt8], errors: ErrorList) {
        text = TextScanner(bytes, errors: errors)
    }

    /// Parses the value that is the whole text.
    mutating func parseDocument() -> JSONElement {
        guard text.bytes.count <= Document.maximumBytes else {
            text.errors.report(
                .limit, at: 0, "the file is larger than 16 MiB")
            return stop()
        }
        text.skipByteOrderMark()
        text.skipSpace()
        let root = parseValue(depth: 1)
        text.skipSpace()
        if !text.isAtEnd {
            text.fail(expected: "the end of the file")
            isWhole = false
        }
        return root
    }

    private mutating func stop() -> JSONElement {
        isWhole = false
        return JSONElement(.broken, 0..<0)
    }

    private mutating func parseValue(depth: Int) -> JSONElement {
        let start = text.position
        let content = parseContent(depth: depth)
        return JSONElement(content, start..<text.position)
    }

    private mutating func parseContent(depth: Int) -> JSONElement.Content {
        switch text.next {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth <= Document.maximumDepth else { return skipTooDeep() }
            return text.next == UInt8(ascii: "{")
                ? parseObject(depth: depth) : parseArray(depth: depth)
        case UInt8(ascii: "\""):
            let string = text.scanString()
            if !string.isClosed { followsOpenString() }
            return string.isValid ? .string(string.text) : .broken
        case let byte? where TextScanner.beginsNumber(byte):
            return text.scanNumber()
        case let byte? where TextScanner.isWordByte(byte):
            return text.scanWord()
        case UInt8(ascii: "'"):
            text.skipSingleQuoted()
            return .broken
        default:
            return failAtValue()
        }
    }

    /// Suppresses an error after an open string, which probably contains the missing text.
    private mutating func followsOpenString() {
        isWhole = false
        text.skipSpace()
        text.errors.ignoreSyntax(at: text.position)
    }

    /// Handles a missing value, or text that cannot be a value.
    private mutating func failAtValue() -> JSONElement.Content {
        text.fail(expected: "a value")
        guard let byte = text.next, !TextScanner.isStructural(byte) else {
            if text.isAtEnd { isWhole = false }
            return .broken
        }
        isWhole = false
        text.skipToNextMember()
        return .broken
    }

    private mutating func skipTooDeep() -> JSONElement.Content {
        text.errors.report(
            .limit, at: text.position,
            "arrays and objects are nested more than \(Document.maximumDepth) deep")
        text.skipBalanced()
        return .broken
    }

    // MARK: Arrays

    private mutating func parseArray(depth: Int) -> JSONElement.Content {
        var elements: [JSONElement] = []
        text.advance()
        text.skipSpace()
        if text.consume("]") { return .array(elements) }
        repeat {
            elements.append(parseValue(depth: depth + 1))
        } while continues(closing: "]")
        return .array(elements)
    }

    /// Returns whether another member follows; consumes the comma or the closing bracket.
    private mutating func continues(closing: Unicode.Scalar) -> Bool {
        if text.errors.isFull {
            isWhole = false
            text.skipToEnd()
        }
        text.skipSpace()
        if text.consume(closing) { return false }
        let comma = text.position
        if text.consume(",") { return followsComma(at: comma, closing: closing) }
        text.fail(expected: "',' or '\(closing)'")
        return recovers(closing: closing)
    }

    private mutating func followsComma(at comma: Int, closing: Unicode.Scalar) -> Bool {
        text.skipSpace()
        guard text.consume(closing) else { return true }
        text.errors.reportSyntax(
            at: comma, "found ',' before '\(closing)', expected no comma after the last value")
        return false
    }

    /// Continues after a missing comma, or at the next comma; returns whether another member
    /// follows.
    private mutating func recovers(closing: Unicode.Scalar) -> Bool {
        if let byte = text.next, TextScanner.beginsValue(byte) { return true }
        isWhole = false
        text.skipToNextMember()
        let comma = text.position
        if text.consume(",") { return followsComma(at: comma, closing: closing) }
        // A bracket of another kind is left for the container that it closes.
        _ = text.consume(closing)
        return false
    }

    // MARK: Objects

    private mutating func parseObject(depth: Int) -> JSONElement.Content {
        var members = MemberList()
        text.advance()
        text.skipSpace()
        if text.consume("}") { return .object([]) }
        repeat {
            if let member = parseMember(depth: depth) { members.add(member, text.errors) }
        } while continues(closing: "}")
        return .object(members.members)
    }

    private mutating func parseMember(depth: Int) -> JSONMember? {
        let start = text.position
        guard let key = parseKey() else { return nil }
        text.skipSpace()
        if !text.consume(":") {
            text.fail(expected: "':' after the key")
            guard let byte = text.next, TextScanner.beginsValue(byte) else {
                isWhole = false
                text.skipToNextMember()
                return JSONMember(
                    key: key, start: start, value: JSONElement(.broken, start..<text.position))
            }
        }
        text.skipSpace()
        return JSONMember(key: key, start: start, value: parseValue(depth: depth + 1))
    }

    private mutating func parseKey() -> String? {
        if text.next == UInt8(ascii: "\"") {
            let key = text.scanString()
            if !key.isClosed { followsOpenString() }
            return key.text
        }
        text.fail(expected: "a key in double quotes")
        if let byte = text.next, TextScanner.isLetter(byte) { return text.consumeWord() }
        isWhole = false
        text.skipToNextMember()
        return nil
    }
}
