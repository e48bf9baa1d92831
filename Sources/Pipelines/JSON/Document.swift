/// A JSON text as a tree in which every value and key has its position.
package struct Document: Sendable {
    package let bytes: [UInt8]
    package let root: JSONElement
    /// Whether the tree contains the whole text; if not, only its syntax errors are meaningful.
    package let isWhole: Bool

    /// The longest text in bytes: 16 MiB.
    package static let maximumBytes = 16 << 20
    /// The largest nesting depth of arrays and objects.
    package static let maximumDepth = 64
    /// The longest number, in characters.
    static let maximumNumberBytes = 1000

    /// Parses a text, and reports its errors to `errors`.
    package init(parsing bytes: [UInt8], errors: ErrorList) {
        self.bytes = bytes
        var parser = DocumentParser(bytes, errors: errors)
        root = parser.parseDocument()
        isWhole = parser.isWhole
    }

    /// Returns the JSON pointer (RFC 6901) of the innermost value or key at a byte offset.
    package func pointer(at offset: Int) -> String {
        var pointer = ""
        var element = root
        while let (token, child) = element.child(at: offset) {
            pointer += "/" + Self.escaped(token)
            element = child
        }
        return pointer
    }

    /// Returns a key with the escapes of a JSON pointer.
    static func escaped(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return token }
        return String(token.flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) })
    }

    /// Returns the original text of a value, shortened for a message.
    func text(of element: JSONElement) -> String {
        let shown = min(element.end, element.start + 60)
        guard element.start >= 0, shown <= bytes.count, element.start <= shown else { return "" }
        let text = String(decoding: bytes[element.start..<shown], as: UTF8.self)
        return Quoted.shortened(text, isCut: shown < element.end)
    }
}

extension JSONElement {
    /// Returns the member or element at a byte offset, found by binary search.
    fileprivate func child(at offset: Int) -> (String, JSONElement)? {
        switch content {
        case .array(let elements):
            let index = elements.firstIndex(endingAfter: offset) { $0.end }
            guard index < elements.count, elements[index].start <= offset else { return nil }
            return (String(index), elements[index])
        case .object(let members):
            let index = members.firstIndex(endingAfter: offset) { $0.value.end }
            guard index < members.count, members[index].start <= offset else { return nil }
            return (members[index].key, members[index].value)
        default:
            return nil
        }
    }
}

extension Array {
    /// Returns the first index whose end is after `offset`; the ends must ascend.
    fileprivate func firstIndex(endingAfter offset: Int, end: (Element) -> Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if end(self[middle]) > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
