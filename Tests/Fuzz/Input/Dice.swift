/// Random numbers that repeat for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns an integer from 0 up to, but not including, `count`, which is above 0.
    mutating func below(_ count: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % count }

    /// Returns `true` once in `count` calls on average.
    mutating func onceIn(_ count: Int) -> Bool { below(count) == 0 }

    /// Returns one item of a non-empty list.
    mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
}
