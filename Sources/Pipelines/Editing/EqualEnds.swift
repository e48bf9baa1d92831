/// The bytes at the beginning and at the end that two texts have in common.
struct EqualEnds {
    /// The number of equal bytes at the beginning.
    let first: Int
    /// The number of equal bytes at the end, without those at the beginning.
    let last: Int

    /// Compares two texts.
    init(of old: [UInt8], _ new: [UInt8]) {
        (first, last) = old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                let common = Swift.min(old.count, new.count)
                var start = 0
                while start < common, old[start] == new[start] { start += 1 }
                var rest = 0
                while rest < common - start,
                    old[old.count - 1 - rest] == new[new.count - 1 - rest]
                {
                    rest += 1
                }
                return (start, rest)
            }
        }
    }
}
