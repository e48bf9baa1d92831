/// Turns an input into choices, from the front; after the end every byte is 0.
struct ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Returns an integer from `byteCount` bytes, most significant first.
    mutating func word(_ byteCount: Int) -> UInt64 {
        (0..<byteCount).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
    }

    /// Returns an integer from 0 up to, but not including, `count`, which is 1 through 256.
    mutating func below(_ count: Int) -> Int { Int(byte()) % count }

    mutating func isTrue() -> Bool { byte() & 1 == 1 }

    /// Returns a number between the bounds, in 256 steps.
    mutating func number(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(byte()) / 255
    }

    /// Returns one item of a list with 1 through 256 items.
    mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

    /// Returns the next bytes, at most `count`.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns all remaining bytes.
    mutating func remaining() -> [UInt8] { bytes(rest.count) }
}
