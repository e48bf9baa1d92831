/// The first line and the headers of a request or a response, in Latin-1 characters.
struct HTTPHead {
    /// The request line or the status line.
    var first: String
    /// The names and values of the headers, in order.
    var headers: [(name: String, value: String)]

    /// The longest head that is read, in bytes.
    static let longestBytes = 1 << 16

    /// Parses a head.
    ///
    /// - Parameter bytes: The bytes up to the empty line.
    init(_ bytes: some Collection<UInt8>) {
        var lines = bytes.split(separator: 10).map { line in
            Latin1.text(line.last == 13 ? line.dropLast() : line)
        }[...]
        first = lines.popFirst() ?? ""
        headers = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (
                String(line[..<colon]).trimmed, String(line[line.index(after: colon)...]).trimmed
            )
        }
    }

    /// Returns the index after the empty line; `nil` if the empty line has not arrived yet.
    static func end(in bytes: [UInt8], from start: Int = 0) -> Int? {
        var newlines = 0
        for index in max(0, start)..<max(bytes.count, max(0, start)) {
            switch bytes[index] {
            case 10:
                newlines += 1
                if newlines == 2 { return index + 1 }
            case 13: break
            default: newlines = 0
            }
        }
        return nil
    }

    /// Returns the value of a header with a lowercase name.
    subscript(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// Removes headers with these lowercase names.
    mutating func remove(_ names: Set<String>) {
        headers.removeAll { names.contains($0.name.lowercased()) }
    }

    /// The bytes of the head in the form in which it is sent.
    var bytes: [UInt8] {
        let lines = [first] + headers.map { "\($0.name): \($0.value)" }
        return lines.flatMap { Latin1.bytes($0) + [13, 10] } + [13, 10]
    }
}

/// Converts between bytes and text with one character per byte, so that no byte is lost.
enum Latin1 {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

extension String {
    fileprivate var trimmed: String {
        let inner = drop { $0 == " " || $0 == "\t" }
        let count = inner.reversed().prefix { $0 == " " || $0 == "\t" }.count
        return String(inner.dropLast(count))
    }
}
