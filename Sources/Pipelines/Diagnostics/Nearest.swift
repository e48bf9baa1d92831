/// Finds the name that the user probably meant.
package enum Nearest {
    /// The length in bytes above which names are not compared.
    private static let longestBytes = 160

    /// Returns the candidate with the fewest typing errors; `nil` if all have too many.
    ///
    /// A typing error is a wrong, missing or surplus letter, or two swapped letters. The limit
    /// depends on the length of the name. Upper and lower case are equal. A candidate that begins
    /// with `name`, or with which `name` begins, also counts as similar.
    package static func name(to name: String, in candidates: some Sequence<String>) -> String? {
        let wanted = folded(name)
        guard !wanted.isEmpty, wanted.count <= longestBytes else { return nil }
        var best: String?
        var minimumEdits = min(max(1, wanted.count / 3), 4) + 1
        var beginning: String?
        for candidate in candidates where candidate.utf8.count <= longestBytes {
            let other = folded(candidate)
            guard !other.isEmpty else { continue }
            if beginning == nil, begin(wanted, other) { beginning = candidate }
            guard abs(other.count - wanted.count) < minimumEdits, other.count > minimumEdits / 2
            else {
                continue
            }
            let edits = distance(wanted, other)
            if edits < minimumEdits { (best, minimumEdits) = (candidate, edits) }
        }
        return best ?? beginning
    }

    private static func begin(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        min(one.count, other.count) >= 3 && (one.starts(with: other) || other.starts(with: one))
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Returns the restricted Damerau-Levenshtein distance.
    ///
    /// It counts insertions, deletions, substitutions and swaps of neighbours.
    static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforePrevious = Array(0...other.count)
        var previous = beforePrevious
        var current = beforePrevious
        for i in one.indices {
            current[0] = i + 1
            for j in other.indices {
                var least = previous[j] + (one[i] == other[j] ? 0 : 1)
                least = min(least, min(previous[j + 1], current[j]) + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, beforePrevious[j - 1] + 1)
                }
                current[j + 1] = least
            }
            swap(&beforePrevious, &previous)
            swap(&previous, &current)
        }
        return previous[other.count]
    }
}
