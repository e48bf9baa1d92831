internal import Show

/// The addresses of a show as paths: `verb.mix` is `/verb/mix`, `scene` is `/scene`.
enum OSCAddress {
    /// What OSC keeps for itself inside a path.
    private static let reserved = Array(" #*,/?[]{}%".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// What is only done: with no argument it is not asked for, but done.
    private static let deeds: Set = [
        "tap", "panic", "next-scene", "previous-scene", "next-song", "previous-song",
    ]

    /// The path of an address; letters that a path cannot have stand as `%20`.
    static func path(of address: String) -> String {
        var path = [UInt8(ascii: "/")]
        for letter in address.utf8 {
            if letter == UInt8(ascii: ".") {
                path.append(UInt8(ascii: "/"))
            } else if reserved.contains(letter) {
                path += [
                    UInt8(ascii: "%"), digits[Int(letter >> 4)], digits[Int(letter & 15)],
                ]
            } else {
                path.append(letter)
            }
        }
        return String(decoding: path, as: UTF8.self)
    }

    /// The address of a path, where the show's own table does not know it.
    static func address(of path: String) -> String {
        path.split(separator: "/").joined(separator: ".")
    }

    /// Whether an address is something to do rather than to have a value.
    static func isDeed(_ address: String) -> Bool { deeds.contains(address) }

    /// Whether an address is a node's.
    static func isOfNode(_ address: String) -> Bool { address.contains(".") }
}

extension OSCMessage {
    /// A value as it is told.
    init(_ entry: Answer.Entry) {
        self.init(OSCAddress.path(of: entry.address), Argument(entry.value))
    }

    /// Why a request came to nothing.
    static func error(_ path: String, _ message: String) -> OSCMessage {
        OSCMessage("/error", .text(path), .text(message))
    }
}

extension OSCMessage.Argument {
    /// A show's value; numbers go as 32 bits, which every sender and receiver knows.
    init(_ value: Value) {
        switch value {
        case .number(let number): self = .float(Float(number))
        case .toggle(let isOn): self = .toggle(isOn)
        case .text(let text): self = .text(text)
        }
    }

    /// The value that it is; nil where it is none.
    var value: Value? {
        switch self {
        case .toggle(let isOn): .toggle(isOn)
        case .text(let text): .text(text)
        default: number.map { .number($0) }
        }
    }
}
