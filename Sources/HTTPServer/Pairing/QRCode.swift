/// A QR code of ISO/IEC 18004: bytes with the error correction level M, in the versions 1 through 6.
///
/// The code can be read if up to 15 % of it are not visible.
package struct QRCode: Sendable, Equatable {
    /// The number of dark or light squares on each side.
    package let size: Int
    /// The squares row by row; `true` is dark.
    private var squares: [Bool]
    /// The squares whose colours do not depend on the text.
    private var isFixed: [Bool]

    /// The longest text, in bytes.
    package static let maximumBytes = 106

    /// The capacity of a version, in bytes.
    private struct Version {
        let number: Int
        let blocks: Int
        /// The bytes of each block that contain the text.
        let dataBytes: Int
        /// The bytes of each block that correct errors.
        let correctionBytes: Int

        /// The longest text: mode and length take 12 bits.
        var textBytes: Int { blocks * dataBytes - 2 }
    }

    /// The versions with their blocks for the level M.
    private static let versions = [
        Version(number: 1, blocks: 1, dataBytes: 16, correctionBytes: 10),
        Version(number: 2, blocks: 1, dataBytes: 28, correctionBytes: 16),
        Version(number: 3, blocks: 1, dataBytes: 44, correctionBytes: 26),
        Version(number: 4, blocks: 2, dataBytes: 32, correctionBytes: 18),
        Version(number: 5, blocks: 2, dataBytes: 43, correctionBytes: 24),
        Version(number: 6, blocks: 4, dataBytes: 27, correctionBytes: 16),
    ]

    /// Creates the code of a text with the mask that the standard prefers; `nil` if the text is too
    /// long.
    package init?(_ text: String) {
        let codes = (0..<8).compactMap { QRCode(text, mask: $0) }
        guard let best = codes.min(by: { $0.penalty < $1.penalty }) else { return nil }
        self = best
    }

    /// Creates the code of a text with one of the eight masks, 0 through 7; `nil` if the text is too
    /// long.
    package init?(_ text: String, mask: Int) {
        let bytes = Array(text.utf8)
        guard (0..<8).contains(mask),
            let version = Self.versions.first(where: { $0.textBytes >= bytes.count })
        else { return nil }
        size = 17 + 4 * version.number
        squares = Array(repeating: false, count: size * size)
        isFixed = squares
        drawPatterns(version.number)
        drawFormat(mask)
        draw(Self.codewords(bytes, version))
        apply(mask)
    }

    /// Returns whether a square is dark; those outside of the code are light.
    package subscript(row: Int, column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return squares[row * size + column]
    }

    /// The code as lines of half blocks, with a light edge of two squares; dark squares are empty,
    /// as the background of most terminals is dark.
    package var lines: [String] {
        let edge = 2
        return stride(from: -edge, to: size + edge, by: 2).map { row in
            String(
                (-edge..<size + edge).map { column -> Character in
                    let isLowerOutside = row + 1 >= size + edge
                    switch (self[row, column], isLowerOutside || self[row + 1, column]) {
                    case (false, false): return "█"
                    case (false, true): return "▀"
                    case (true, false): return "▄"
                    case (true, true): return " "
                    }
                })
        }
    }

    // MARK: Patterns

    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        squares[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    /// Draws the squares by which a reader finds the code.
    private mutating func drawPatterns(_ version: Int) {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            for down in -4...4 {
                for right in -4...4 {
                    let ring = max(abs(down), abs(right))
                    fix(row + down, column + right, ring != 2 && ring != 4)
                }
            }
        }
        guard version > 1 else { return }
        for down in -2...2 {
            for right in -2...2 {
                fix(size - 7 + down, size - 7 + right, max(abs(down), abs(right)) != 1)
            }
        }
    }

    /// Draws the level and the mask, twice.
    private mutating func drawFormat(_ mask: Int) {
        // The level M has the bits 00. The remainder is that of a division by 10100110111.
        var rest = mask << 10
        for bit in stride(from: 14, through: 10, by: -1) where rest >> bit & 1 == 1 {
            rest ^= 0b101_0011_0111 << (bit - 10)
        }
        let format = (mask << 10 | rest) ^ 0b101_0100_0001_0010
        let places: [(Int, Int)] =
            (0...5).map { ($0, 8) } + [(7, 8), (8, 8), (8, 7)]
            + (0...5).reversed().map { (8, $0) }
        for (bit, place) in places.enumerated() {
            let isDark = format >> bit & 1 == 1
            fix(place.0, place.1, isDark)
            if bit < 8 { fix(8, size - 1 - bit, isDark) } else { fix(size - 15 + bit, 8, isDark) }
        }
        fix(size - 8, 8, true)
    }

    // MARK: Text

    /// Returns the bytes of the code: those of the text and those that correct errors, with the
    /// blocks interleaved.
    private static func codewords(_ text: [UInt8], _ version: Version) -> [UInt8] {
        let count = version.blocks * version.dataBytes
        // The mode "bytes", the length in eight bits, the text, and the end in four bits.
        let length = UInt8(text.count)  // checked: at most 106
        var nibbles: [UInt8] = [4, length >> 4, length & 15]
        for byte in text { nibbles += [byte >> 4, byte & 15] }
        nibbles.append(0)
        var data = stride(from: 0, to: nibbles.count, by: 2).map {
            nibbles[$0] << 4 | nibbles[$0 + 1]
        }
        while data.count < count { data.append((data.count - text.count) % 2 == 0 ? 0xEC : 0x11) }
        let blocks = (0..<version.blocks).map { block in
            Array(data[(block * version.dataBytes)..<((block + 1) * version.dataBytes)])
        }
        let corrections = blocks.map { correction(of: $0, count: version.correctionBytes) }
        return interleaved(blocks) + interleaved(corrections)
    }

    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        blocks[0].indices.flatMap { index in blocks.map { $0[index] } }
    }

    /// Returns the remainder of a division of polynomials over the field of 256 elements.
    private static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        // The divisor is the product of (x - 2^i), without its highest coefficient.
        var divisor = [UInt8](repeating: 0, count: count)
        divisor[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                divisor[index] = product(divisor[index], root)
                if index + 1 < count { divisor[index] ^= divisor[index + 1] }
            }
            root = product(root, 2)
        }
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= product(divisor[index], factor) }
        }
        return rest
    }

    /// Returns the product of two elements of the field with the polynomial 100011101.
    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var sum = 0
        for bit in (0..<8).reversed() {
            sum = sum << 1 ^ (sum >> 7) * 0x11D
            sum ^= Int(right >> bit & 1) * Int(left)
        }
        return UInt8(sum & 255)
    }

    /// Draws bytes in columns of two squares, from the lower right corner upwards and downwards.
    private mutating func draw(_ bytes: [UInt8]) {
        var bit = 0
        for right in stride(from: size - 1, through: 1, by: -2) {
            // The column of the timing pattern is left out.
            let column = right <= 6 ? right - 1 : right
            let isUpward = (size - 1 - right) / 2 % 2 == 0
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for place in [column, column - 1] where !isFixed[row * size + place] {
                    if bit < bytes.count * 8 {
                        squares[row * size + place] = bytes[bit / 8] >> (7 - bit % 8) & 1 == 1
                    }
                    bit += 1
                }
            }
        }
    }

    private mutating func apply(_ mask: Int) {
        for row in 0..<size {
            for column in 0..<size where !isFixed[row * size + column] {
                if Self.inverts(mask, row, column) { squares[row * size + column].toggle() }
            }
        }
    }

    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }

    // MARK: Mask

    /// The penalty of the standard: the lower it is, the easier the code can be read.
    private var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
        let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
        let lines = rows + columns
        return lines.reduce(0) { $0 + Self.runPenalty($1) + Self.finderPenalty($1) } + blockPenalty
            + balancePenalty
    }

    /// The penalty of five or more equal squares in a line.
    private static func runPenalty(_ line: [Bool]) -> Int {
        var (sum, length) = (0, 0)
        for index in line.indices {
            length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
            if length == 5 { sum += 3 } else if length > 5 { sum += 1 }
        }
        return sum
    }

    /// The penalty of squares in a line that look like a corner of the code.
    private static func finderPenalty(_ line: [Bool]) -> Int {
        let core = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        guard line.count >= 11 else { return 0 }
        return (0...(line.count - 11)).reduce(0) { sum, start in
            let part = Array(line[start..<start + 11])
            return sum + (part == core + light || part == light + core ? 40 : 0)
        }
    }

    /// The penalty of equal squares in blocks of two by two.
    private var blockPenalty: Int {
        var sum = 0
        for row in 1..<size {
            for column in 1..<size
            where self[row, column] == self[row - 1, column]
                && self[row, column] == self[row, column - 1]
                && self[row, column] == self[row - 1, column - 1]
            {
                sum += 3
            }
        }
        return sum
    }

    /// The penalty of a share of dark squares that differs from a half.
    private var balancePenalty: Int {
        let dark = squares.count { $0 }
        return abs(dark * 20 - squares.count * 10) / squares.count * 10
    }
}
