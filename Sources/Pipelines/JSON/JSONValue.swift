internal import Processing
internal import Platform

/// A value to write as JSON; objects keep the order of their keys.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number; it is written as `null` if it is not finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A key of an object, and its value.
    public struct Member: Sendable, Equatable {
        /// The key, without quotes and escapes.
        public var key: String
        /// The value of the key.
        public var value: JSONValue

        /// Creates a member.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Returns the text as a string, or null without a text.
    public static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates null.
    public init(nilLiteral: ()) { self = .null }

    /// Creates an object whose keys keep the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue {
    /// The JSON text on one line.
    public var text: String { text(indentation: nil) }

    /// The JSON text with one line per value, indented by two spaces per level.
    public var indentedText: String { text(indentation: 0) }

    private func text(indentation: Int?) -> String {
        // Bytes are appended faster than strings, which are checked each time.
        var text: [UInt8] = []
        write(to: &text, indentation: indentation)
        return String(decoding: text, as: UTF8.self)
    }

    private func write(to text: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .integer(let value): text += String(value).utf8
        case .number(let value): text += (value.isFinite ? value.plain : "null").utf8
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            Self.write(elements, in: "[", "]", to: &text, indentation) { element, text, inner in
                element.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.write(members, in: "{", "}", to: &text, indentation) { member, text, inner in
                Self.write(member.key, to: &text)
                text += ": ".utf8
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], in opening: Unicode.Scalar, _ closing: Unicode.Scalar,
        to text: inout [UInt8], _ indentation: Int?, part: (Part, inout [UInt8], Int?) -> Void
    ) {
        text.append(UInt8(ascii: opening))
        let inner = indentation.map { $0 + 1 }
        for (index, item) in parts.enumerated() {
            if index > 0 { text += (inner == nil ? ", " : ",").utf8 }
            breakLine(&text, inner)
            part(item, &text, inner)
        }
        if !parts.isEmpty { breakLine(&text, indentation) }
        text.append(UInt8(ascii: closing))
    }

    private static func breakLine(_ text: inout [UInt8], _ indentation: Int?) {
        guard let indentation else { return }
        text.append(UInt8(ascii: "\n"))
        text += repeatElement(UInt8(ascii: " "), count: 2 * indentation)
    }

    /// Writes a string with the escapes that RFC 8259 requires, and with terminal controls escaped.
    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        defer { text.append(UInt8(ascii: "\"")) }
        // Nearly all strings need no escapes, and are appended as a whole.
        if string.utf8.allSatisfy(isPlain) {
            text += string.utf8
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\"".utf8
            case "\\": text += "\\\\".utf8
            case "\n": text += "\\n".utf8
            case "\r": text += "\\r".utf8
            case "\t": text += "\\t".utf8
            case _ where scalar.isControlling:
                let digits = String(scalar.value, radix: 16)
                text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }

    /// Returns whether a byte is an ASCII character that needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20 <= byte && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
