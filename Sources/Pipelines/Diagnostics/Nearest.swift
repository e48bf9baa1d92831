/// Finds the name that was probably meant.
package enum Nearest {
    /// Names longer than this are not compared.
    private static let longestBytes = 160

    /// The candidate with the fewest slips (a letter wrong, missing, too many, or two swapped), if they are few for the name's length.
    ///
    /// Upper and lower case count as the same letter. A candidate that begins with `name`, or that `name` begins with, also counts as near.
    package static func name(to name: String, in candidates: some Sequence<String>) -> String? {
        let wanted = folded(name)
        guard !wanted.isEmpty, wanted.count <= longestBytes else { return nil }
        var best: String?
        var leastSlips = min(max(1, wanted.count / 3), 4) + 1
        var beginning: String?
        for candidate in candidates where candidate.utf8.count <= longestBytes {
            let other = folded(candidate)
            guard !other.isEmpty else { continue }
            if beginning == nil, begin(wanted, other) { beginning = candidate }
            guard abs(other.count - wanted.count) < leastSlips, other.count > leastSlips / 2 else {
                continue
            }
            let slips = distance(wanted, other)
            if slips < leastSlips { (best, leastSlips) = (candidate, slips) }
        }
        return best ?? beginning
    }

    private static func begin(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        min(one.count, other.count) >= 3 && (one.starts(with: other) || other.starts(with: one))
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// The restricted Damerau-Levenshtein distance: insertions, deletions, substitutions, swaps of neighbours.
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
