/// A value of a JSON text, and its position.
package struct JSONElement: Sendable {
    package var content: Content
    private var firstByte: Int32
    private var endByte: Int32

    /// The offset of its first byte, from 0.
    package var start: Int { Int(firstByte) }
    /// The offset after its last byte.
    package var end: Int { Int(endByte) }

    /// The content of a value.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number; infinite if it exceeds the range of a double.
        case number(Double)
        case string(String)
        case array([JSONElement])
        /// An object in the order of the text; duplicates of a key are dropped.
        case object([JSONMember])
        /// A value with an error that has been reported; it causes no further errors.
        case broken
    }

    init(_ content: Content, _ bytes: Range<Int>) {
        self.content = content
        firstByte = Int32(truncatingIfNeeded: bytes.lowerBound)
        endByte = Int32(truncatingIfNeeded: bytes.upperBound)
    }
}

/// A key of an object, and its value.
package struct JSONMember: Sendable {
    package var key: String
    private var firstByte: Int32
    package var value: JSONElement

    /// The offset of the key's first byte, from 0.
    package var start: Int { Int(firstByte) }

    init(key: String, start: Int, value: JSONElement) {
        self.key = key
        firstByte = Int32(truncatingIfNeeded: start)
        self.value = value
    }
}

extension JSONElement {
    package var string: String? { if case .string(let value) = content { value } else { nil } }
    package var number: Double? { if case .number(let value) = content { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = content { value } else { nil } }
    package var isBroken: Bool { if case .broken = content { true } else { false } }

    /// The elements of an array; empty for any other value.
    package var elements: [JSONElement] {
        if case .array(let elements) = content { elements } else { [] }
    }

    /// The members of an object; empty for any other value.
    package var members: [JSONMember] {
        if case .object(let members) = content { members } else { [] }
    }

    /// Returns the value of a key with a linear search, which suits objects with few keys.
    package subscript(key: String) -> JSONElement? { members.first { $0.key == key }?.value }
}
