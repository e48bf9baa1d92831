/// Writes OSC packets byte by byte, so that they can also be malformed.
enum OSCWriter {
    /// One argument of a message.
    enum Argument {
        case integer(Int32)
        case long(Int64)
        case float(Float)
        case double(Double)
        case text(String)
        /// A type without a value, such as `T`, or with wrong bytes.
        case raw(UInt8, [UInt8])

        fileprivate var type: UInt8 {
            switch self {
            case .integer: UInt8(ascii: "i")
            case .long: UInt8(ascii: "h")
            case .float: UInt8(ascii: "f")
            case .double: UInt8(ascii: "d")
            case .text: UInt8(ascii: "s")
            case .raw(let type, _): type
            }
        }

        fileprivate var bytes: [UInt8] {
            switch self {
            case .integer(let value): OSCWriter.bytes(UInt32(bitPattern: value))
            case .long(let value): OSCWriter.bytes(UInt64(bitPattern: value))
            case .float(let value): OSCWriter.bytes(value.bitPattern)
            case .double(let value): OSCWriter.bytes(value.bitPattern)
            case .text(let text): OSCWriter.padded(Array(text.utf8))
            case .raw(_, let bytes): bytes
            }
        }
    }

    static func message(_ path: String, _ arguments: [Argument]) -> [UInt8] {
        padded(Array(path.utf8)) + padded([UInt8(ascii: ",")] + arguments.map(\.type))
            + arguments.flatMap(\.bytes)
    }

    static func bundle(_ packets: [[UInt8]]) -> [UInt8] {
        Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
            + packets.flatMap { bytes(UInt32($0.count)) + $0 }
    }

    /// Returns a text with its padding of zeros.
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }

    fileprivate static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
