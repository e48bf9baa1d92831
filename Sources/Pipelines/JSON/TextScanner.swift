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
