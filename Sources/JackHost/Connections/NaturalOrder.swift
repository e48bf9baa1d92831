/// Returns whether one name comes before another if runs of digits count as numbers: "out_2" before
/// "out_10".
package func isInNaturalOrder(_ first: String, _ second: String) -> Bool {
    let (first, second) = (nameParts(first), nameParts(second))
    for (left, right) in zip(first, second) where left != right {
        switch (left, right) {
        case (.number(let left), .number(let right)): return left < right
        case (.text(let left), .text(let right)): return left < right
        case (.number, .text): return true
        case (.text, .number): return false
        }
    }
    return first.count < second.count
}

/// A run of digits or of other characters.
private enum NamePart: Equatable {
    case number(UInt64)
    case text(Substring)
}

private func nameParts(_ name: String) -> [NamePart] {
    var parts: [NamePart] = []
    var rest = Substring(name)
    while let first = rest.first {
        let isDigits = first.isASCIIDigit
        let run = rest.prefix { $0.isASCIIDigit == isDigits }
        rest = rest.dropFirst(run.count)
        // A number that does not fit into 64 bits is compared as text.
        parts.append(UInt64(run).map { isDigits ? .number($0) : .text(run) } ?? .text(run))
    }
    return parts
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
