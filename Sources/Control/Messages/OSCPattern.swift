/// An OSC path with wildcards, matched part by part: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`.
package struct OSCPattern: Sendable {
    private let parts: [[UInt8]]

    /// The longest accepted pattern, in bytes, which limits the time of a match.
    package static let maximumBytes = 256

    /// Creates a pattern; `nil` if the text does not begin with a slash, or is too long.
    package init?(_ text: String) {
        guard text.hasPrefix("/"), text.utf8.count <= Self.maximumBytes else { return nil }
        parts = Self.parts(of: text)
    }

    /// Returns whether a path has wildcards, and must be matched instead of looked up.
    package static func hasWildcards(_ path: String) -> Bool {
        path.utf8.contains { "*?[{".utf8.contains($0) }
    }

    /// Returns whether the pattern matches a path.
    package func matches(_ path: String) -> Bool {
        let others = Self.parts(of: path)
        return others.count == parts.count && matchesStart(of: others)
    }

    /// Returns whether the pattern matches a path, or a path above it.
    package func covers(_ path: String) -> Bool {
        let others = Self.parts(of: path)
        return others.count >= parts.count && matchesStart(of: others)
    }

    private func matchesStart(of others: [[UInt8]]) -> Bool {
        zip(parts, others).allSatisfy { Self.matches($0.0[...], $0.1[...]) }
    }

    private static func parts(of path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    /// Returns whether a part matches a text.
    ///
    /// Only the last star is tried again, so the time is at most proportional to the product of the
    /// lengths.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        if let choice = Alternatives(pattern) {
            return choice.all.contains { matches($0[...], text) }
        }
        var (pattern, text) = (pattern, text)
        var retry: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        while true {
            if pattern.first == UInt8(ascii: "*") {
                pattern = pattern.dropFirst()
                retry = (pattern, text)
            } else if let letter = text.first, let rest = afterOne(pattern, letter) {
                (pattern, text) = (rest, text.dropFirst())
            } else if text.isEmpty, pattern.isEmpty {
                return true
            } else {
                guard let again = retry, !again.text.isEmpty else { return false }
                (pattern, text) = (again.pattern, again.text.dropFirst())
                retry = (pattern, text)
            }
        }
    }

    /// Returns the rest of a pattern after one character; `nil` if the pattern does not begin with
    /// a match of that character.
    private static func afterOne(_ pattern: ArraySlice<UInt8>, _ letter: UInt8) -> ArraySlice<
        UInt8
    >? {
        switch pattern.first {
        case nil: return nil
        case UInt8(ascii: "?"): return pattern.dropFirst()
        case UInt8(ascii: "["):
            guard let end = pattern.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let set = pattern[pattern.startIndex + 1..<end]
            return has(set, letter) ? pattern[(end + 1)...] : nil
        default: return pattern.first == letter ? pattern.dropFirst() : nil
        }
    }

    private static func has(_ set: ArraySlice<UInt8>, _ letter: UInt8) -> Bool {
        let isInverted = set.first == UInt8(ascii: "!")
        var rest = isInverted ? set.dropFirst() : set
        var isFound = false
        while let first = rest.popFirst() {
            var last = first
            if rest.count >= 2, rest.first == UInt8(ascii: "-") {
                last = rest[rest.startIndex + 1]
                rest = rest.dropFirst(2)
            }
            if first <= last, (first...last).contains(letter) { isFound = true }
        }
        return isFound != isInverted
    }
}

/// The alternatives of a pattern with `{one,other}`.
private struct Alternatives {
    package let all: [[UInt8]]

    /// The maximum number of alternatives of a pattern.
    private static let most = 64

    /// Expands the braces of a pattern; `nil` without braces, with several pairs, or with too many
    /// alternatives.
    package init?(_ pattern: ArraySlice<UInt8>) {
        guard let start = pattern.firstIndex(of: UInt8(ascii: "{")),
            let end = pattern[start...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let choices = pattern[(start + 1)..<end]
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let (head, tail) = (pattern[..<start], pattern[(end + 1)...])
        // The alternatives of several braces would multiply, so each part may have only one pair.
        guard choices.count <= Self.most, !tail.contains(UInt8(ascii: "{")) else { return nil }
        all = choices.map { Array(head + $0 + tail) }
    }
}
