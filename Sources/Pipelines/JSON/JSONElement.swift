/// One value of a JSON text and the place it stands at.
package struct JSONElement: Sendable {
    package var content: Content
    private var firstByte: Int32
    private var endByte: Int32

    /// Where its first byte is, counted from 0.
    package var start: Int { Int(firstByte) }
    /// One past its last byte.
    package var end: Int { Int(endByte) }

    /// What a value may be.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// Infinite where the text says more than a double holds.
        case number(Double)
        case string(String)
        case array([JSONElement])
        /// In the text's order, without those that repeat a key.
        case object([JSONMember])
        /// A fault stands here and was told; nothing more is to be said about it.
        case broken
    }

    init(_ content: Content, _ bytes: Range<Int>) {
        self.content = content
        firstByte = Int32(truncatingIfNeeded: bytes.lowerBound)
        endByte = Int32(truncatingIfNeeded: bytes.upperBound)
    }
}

/// One key of an object and its value.
package struct JSONMember: Sendable {
    package var key: String
    private var firstByte: Int32
    package var value: JSONElement

    /// Where the key's first byte is, counted from 0.
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

    /// The elements of an array; none where it is something else.
    package var elements: [JSONElement] {
        if case .array(let elements) = content { elements } else { [] }
    }

    /// The members of an object; none where it is something else.
    package var members: [JSONMember] {
        if case .object(let members) = content { members } else { [] }
    }

    /// The value of an object's key, found by a search of all keys: for objects of few.
    package subscript(key: String) -> JSONElement? { members.first { $0.key == key }?.value }
}
