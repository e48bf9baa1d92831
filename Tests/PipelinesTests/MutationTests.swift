internal import Pipelines
internal import Testing

/// Random damage to valid and broken files; a fixed seed makes every run the same.
@Suite("Mutations")
struct MutationTests {
    private static let seeds =
        TestFiles.names(in: "Valid", extension: "json").map { "Valid/" + $0 }
        + TestFiles.names(in: "Broken", extension: "json").map { "Broken/" + $0 }

    @Test("a damaged file is valid, or has errors inside its text", arguments: seeds)
    func damage(name: String) throws {
        let original = try TestFiles.bytes(name)
        // Large files take time without adding other kinds of damage.
        let count = original.count > 20_000 ? 5 : 60
        var generator = Generator(state: UInt64(name.utf8.count) &* 2_654_435_761)
        for _ in 0..<count {
            var bytes = original
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                Mutation.random(using: &generator).apply(to: &bytes, using: &generator)
            }
            try check(bytes)
        }
    }

    private func check(_ bytes: [UInt8]) throws {
        do throws(InvalidPipeline) {
            _ = try PipelineFile(
                decoding: bytes, file: "damaged.json", catalogue: FakeCatalogue.catalogue)
        } catch {
            #expect(!error.diagnostics.isEmpty)
            let columns = Self.columns(of: bytes)
            for reported in error.diagnostics where reported.file == "damaged.json" {
                let isInside = columns.indices.contains(reported.line - 1)
                #expect(isInside && (1...columns[reported.line - 1]).contains(reported.column))
                #expect(!reported.message.isEmpty)
            }
        }
    }

    /// Returns, for each line, its number of scalars plus one: the last column that an error may
    /// have.
    private static func columns(of bytes: [UInt8]) -> [Int] {
        var columns = [1]
        for (index, byte) in bytes.enumerated() {
            let isReturn = byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
            if byte == 0x0A || isReturn {
                columns.append(1)
            } else if byte & 0xC0 != 0x80 {
                columns[columns.count - 1] += 1
            }
        }
        return columns
    }
}

/// One kind of damage.
private enum Mutation: CaseIterable {
    case flip, remove, insert, double, swap, splice

    private static let fragments = [
        "{", "}", "[", "]", ",", ":", "\"", "\\u", "\\ud800", "null", "true", "-", "1e999", "\u{0}",
        "\"from\"", "\"lv2\"", "//", "é", "0.5", "\"a\": ", "\n",
    ].map { Array($0.utf8) }

    static func random(using generator: inout Generator) -> Mutation {
        allCases.randomElement(using: &generator) ?? .flip
    }

    func apply(to bytes: inout [UInt8], using generator: inout Generator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &generator)
        let other = Int.random(in: bytes.indices, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 1...20, using: &generator))
        switch self {
        case .flip: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case .remove: bytes.removeSubrange(place..<end)
        case .insert:
            let fragment = Self.fragments.randomElement(using: &generator) ?? []
            bytes.insert(contentsOf: fragment, at: place)
        case .double: bytes.insert(contentsOf: bytes[place..<end], at: other)
        case .swap: bytes.swapAt(place, other)
        case .splice: bytes.removeSubrange(min(place, other)..<max(place, other))
        }
    }
}

/// SplitMix64: the same sequence for the same seed.
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
