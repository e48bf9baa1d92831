/// A JSON text as a tree in which every value and key knows its place.
package struct Document: Sendable {
    package let bytes: [UInt8]
    package let root: JSONElement
    /// Whether the tree holds all that the text says; if not, only its syntax faults mean anything.
    package let isWhole: Bool

    /// The most bytes that a text may have: 16 MiB.
    package static let maximumBytes = 16 << 20
    /// How deep arrays and objects may stand in each other.
    package static let maximumDepth = 64
    /// The most characters of a number.
    static let maximumNumberBytes = 1000

    /// Reads a text; what is wrong with it goes to `faults`.
    package init(parsing bytes: [UInt8], faults: FaultList) {
        self.bytes = bytes
        var parser = DocumentParser(bytes, faults: faults)
        root = parser.parseDocument()
        isWhole = parser.isWhole
    }

    /// The RFC 6901 pointer of the innermost value whose text, or whose key, holds the byte at `offset`.
    package func pointer(at offset: Int) -> String {
        var pointer = ""
        var element = root
        while let (token, child) = element.child(at: offset) {
            pointer += "/" + Self.escaped(token)
            element = child
        }
        return pointer
    }

    /// A key as it stands in a pointer.
    static func escaped(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return token }
        return String(token.flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) })
    }

    /// The text of a value as it was written, shortened to what fits into a message.
    func text(of element: JSONElement) -> String {
        let shown = min(element.end, element.start + 60)
        guard element.start >= 0, shown <= bytes.count, element.start <= shown else { return "" }
        let text = String(decoding: bytes[element.start..<shown], as: UTF8.self)
        return Quoted.shortened(text, isCut: shown < element.end)
    }
}

extension JSONElement {
    /// The member or element that holds the byte at `offset`, by bisection.
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
    /// The first place whose end, by `end`, is past `offset`; the ends ascend.
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
