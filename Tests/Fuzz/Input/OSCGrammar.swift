internal import CLibFuzzer

/// Creates and mutates inputs that are lists of OSC packets, each preceded by its length in two
/// bytes.
struct OSCGrammar: Sendable {
    /// The paths that the code under test knows.
    let paths: [String]
    /// The texts that it knows.
    let texts: [String]

    private static let maximumPackets = 24

    /// Returns the packets of an input; the last one may be truncated.
    static func packets(_ input: [UInt8]) -> [[UInt8]] {
        var source = ByteSource(input)
        var packets: [[UInt8]] = []
        while !source.isEmpty { packets.append(source.bytes(Int(source.word(2)))) }
        return packets
    }

    /// Returns the input that consists of these packets.
    static func input(_ packets: [[UInt8]]) -> [UInt8] {
        packets.flatMap { packet in
            let packet = packet.prefix(Int(UInt16.max))
            return [UInt8(packet.count >> 8), UInt8(packet.count & 255)] + packet
        }
    }

    /// Returns an input with one change.
    func mutated(_ input: [UInt8], _ dice: Dice) -> [UInt8] {
        var dice = dice
        var packets = Self.packets(input)
        guard !packets.isEmpty else { return Self.input([packet(&dice)]) }
        let index = dice.below(packets.count)
        switch dice.below(10) {
        case 0, 1, 2: packets.insert(packet(&dice), at: index + 1)
        case 3, 4: packets[index] = packet(&dice)
        case 5: packets.remove(at: index)
        case 6: packets.append(packets[index])
        case 7, 8: packets[index] = Self.mutatedBytes(packets[index])
        default: return Self.mutatedBytes(input)
        }
        return Self.input(Array(packets.suffix(Self.maximumPackets)))
    }

    /// Returns the bytes after a mutation by libFuzzer.
    private static func mutatedBytes(_ bytes: [UInt8]) -> [UInt8] {
        let room = bytes.count + 64
        var copy = bytes + [UInt8](repeating: 0, count: room - bytes.count)
        let count = LLVMFuzzerMutate(&copy, bytes.count, room)
        return Array(copy.prefix(count))
    }

    // MARK: Packets

    private func packet(_ dice: inout Dice, depth: Int = 0) -> [UInt8] {
        guard dice.onceIn(8), depth < 6 else { return message(&dice) }
        let count = dice.below(4)
        return OSCWriter.bundle((0..<count).map { _ in packet(&dice, depth: depth + 1) })
    }

    private func message(_ dice: inout Dice) -> [UInt8] {
        let count = [0, 1, 1, 1, 1, 1, 1, 2, 3, 4][dice.below(10)]
        return OSCWriter.message(path(&dice), (0..<count).map { _ in argument(&dice) })
    }

    private func path(_ dice: inout Dice) -> String {
        let path = dice.pick(paths)
        guard dice.onceIn(6) else { return path }
        switch dice.below(6) {
        case 0: return path + "/"
        case 1: return path + "/" + dice.pick(texts)
        case 2: return path.replacing("e", with: "?")
        case 3: return "/*/" + (path.split(separator: "/").last.map(String.init) ?? "")
        case 4: return "/{" + dice.pick(texts) + "," + path.dropFirst() + "}"
        default: return "/" + dice.pick(texts)
        }
    }

    // MARK: Arguments

    private func argument(_ dice: inout Dice) -> OSCWriter.Argument {
        switch dice.below(10) {
        case 0: .integer(Int32(truncatingIfNeeded: whole(&dice)))
        case 1, 2: .long(whole(&dice))
        case 3, 4: .float(Float(number(&dice)))
        case 5: .double(number(&dice))
        case 6, 7: .text(text(&dice))
        case 8: .raw(dice.pick(Array("TFNITF".utf8)), [])
        default: .raw(dice.pick(Array("bSmctr[]xs".utf8)), [0, 0, 0, UInt8(dice.below(9))])
        }
    }

    private func whole(_ dice: inout Dice) -> Int64 {
        let edges: [Int64] = [
            .min, .min + 1, .max, .max - 1, Int64(Int32.min), Int64(Int32.max), 1 << 53,
            -(1 << 53), 0, 1, -1, 2, 3, 127, 128, 255, 256, 1 << 31, 1 << 32,
        ]
        return dice.onceIn(2) ? dice.pick(edges) : Int64(dice.below(4_000)) - 1_000
    }

    private func number(_ dice: inout Dice) -> Double {
        let edges: [Double] = [
            .nan, .signalingNaN, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, -9_223_372_036_854_775_808,
            9_223_372_036_854_775_808, 4_294_967_296, -2_147_483_648, 1e15, 1e16, 0.5, -0.5,
        ]
        if dice.onceIn(3) { return dice.pick(edges) }
        if dice.onceIn(3) { return Double(dice.below(4)) }
        return Double(Int64(truncatingIfNeeded: dice.next() >> 40)) / 1_000 - 4_000
    }

    private func text(_ dice: inout Dice) -> String {
        switch dice.below(8) {
        case 0: String(whole(&dice))
        case 1: "\(number(&dice))"
        case 2: dice.pick(texts) + ":" + String(whole(&dice))
        case 3: dice.pick(texts) + dice.pick([":", ".", "/", "*", "%", "\u{1F3B8}", "\n", " "])
        case 4:
            String(
                repeating: dice.pick(["a", "*", "[", "{,", "/", "\u{E9}"]), count: dice.below(300))
        default: dice.pick(texts)
        }
    }
}
