/// A JSON value with the spelling of its numbers.
public struct JSONFragment: Sendable, Equatable {
    /// The text of the value, without space around it.
    let bytes: [UInt8]
    /// The value, with its positions in `bytes`.
    let root: JSONElement

    /// Creates a fragment from a value.
    public init(_ value: JSONValue) {
        bytes = Array(value.text.utf8)
        root = Document(parsing: bytes, errors: ErrorList()).root
    }

    /// Creates a fragment from a part of a valid text.
    init(_ element: JSONElement, of text: [UInt8]) {
        bytes = Array(text[element.start..<element.end])
        root = Document(parsing: bytes, errors: ErrorList()).root
    }

    /// Returns whether two fragments have the same text.
    public static func == (one: JSONFragment, other: JSONFragment) -> Bool {
        one.bytes == other.bytes
    }
}

extension JSONElement {
    /// Returns whether two values are equal after RFC 6902: numbers by their value, texts by their
    /// characters, objects in any order of their keys.
    func isEqual(to other: JSONElement) -> Bool {
        switch (content, other.content) {
        case (.null, .null): return true
        case (.bool(let one), .bool(let other)): return one == other
        case (.number(let one), .number(let other)): return one == other
        // Swift compares strings by canonical equivalence, which JSON does not know.
        case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
        case (.array(let ones), .array(let others)):
            return ones.count == others.count
                && zip(ones, others).allSatisfy { $0.isEqual(to: $1) }
        case (.object(let ones), .object(let others)):
            guard ones.count == others.count else { return false }
            let values = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
            return ones.allSatisfy { values[$0.key]?.isEqual(to: $0.value) ?? false }
        default: return false
        }
    }

    /// The ranges of the entries of an array or object, each with its key; empty for other values.
    var entrySpans: [Range<Int>] {
        elements.map { $0.start..<$0.end } + members.map { $0.start..<$0.value.end }
    }

    /// The values of the entries of an array or object.
    var entryValues: [JSONElement] { elements + members.map(\.value) }

    /// Whether the value is an array or an object with at least one entry.
    var hasEntries: Bool {
        switch content {
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        default: false
        }
    }

    /// Returns whether two values are both arrays or both objects.
    func isContainer(like other: JSONElement) -> Bool {
        switch (content, other.content) {
        case (.array, .array), (.object, .object): true
        default: false
        }
    }
}
