/// The well-formed sequences of UTF-8 (table 3-7 of the Unicode Standard).
enum UTF8Sequence {
    /// Returns the length of the sequence at `position` in bytes; `nil` if it is not well formed.
    static func length(in bytes: [UInt8], at position: Int) -> Int? {
        switch bytes[position] {
        case 0x00...0x7F: 1
        case 0xC2...0xDF: continues(bytes, position, second: 0x80...0xBF, 2)
        case 0xE0: continues(bytes, position, second: 0xA0...0xBF, 3)
        case 0xED: continues(bytes, position, second: 0x80...0x9F, 3)
        case 0xE1...0xEF: continues(bytes, position, second: 0x80...0xBF, 3)
        case 0xF0: continues(bytes, position, second: 0x90...0xBF, 4)
        case 0xF1...0xF3: continues(bytes, position, second: 0x80...0xBF, 4)
        case 0xF4: continues(bytes, position, second: 0x80...0x8F, 4)
        default: nil
        }
    }

    private static func continues(
        _ bytes: [UInt8], _ position: Int, second: ClosedRange<UInt8>, _ count: Int
    ) -> Int? {
        guard position + count <= bytes.count, second.contains(bytes[position + 1]) else {
            return nil
        }
        let rest = bytes[(position + 2)..<(position + count)]
        return rest.allSatisfy { (0x80...0xBF).contains($0) } ? count : nil
    }
}
