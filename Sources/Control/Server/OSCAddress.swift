package import Show

/// The addresses of a show as paths: `verb.mix` is `/verb/mix`, `scene` is `/scene`.
package enum OSCAddress {
    /// What OSC keeps for itself inside a path.
    private static let reserved = Array(" #*,/?[]{}%".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// What is only done: with no argument it is not asked for, but done.
    private static let deeds: Set = [
        "tap", "panic", "next-scene", "previous-scene", "next-song", "previous-song",
    ]

    /// The path of an address; letters that a path cannot have stand as `%20`.
    package static func path(of address: String) -> String {
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

    /// The path of an address as a person types it, who may mean several by wildcards.
    package static func path(typed address: String) -> String {
        guard OSCPattern.hasWildcards(address) else { return path(of: address) }
        return "/" + address.split(separator: ".").joined(separator: "/")
    }

    /// The address of a path.
    package static func address(of path: String) -> String {
        var rest = path.utf8.dropFirst()[...]
        var address: [UInt8] = []
        while let letter = rest.popFirst() {
            if letter == UInt8(ascii: "%"), let code = UInt8(hexadecimal: rest.prefix(2)) {
                address.append(code)
                rest = rest.dropFirst(2)
            } else {
                address.append(letter == UInt8(ascii: "/") ? UInt8(ascii: ".") : letter)
            }
        }
        return String(decoding: address, as: UTF8.self)
    }

    /// Whether an address is something to do rather than to have a value.
    package static func isDeed(_ address: String) -> Bool { deeds.contains(address) }

    /// Whether an address is a node's.
    package static func isOfNode(_ address: String) -> Bool { address.contains(".") }
}

extension UInt8 {
    /// The byte that two hexadecimal digits mean.
    fileprivate init?(hexadecimal digits: Substring.UTF8View) {
        guard digits.count == 2, !digits.contains(UInt8(ascii: "+")) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension OSCMessage {
    /// A value as it is told.
    package init(_ entry: Answer.Entry) {
        self.init(OSCAddress.path(of: entry.address), Argument(entry.value))
    }

    /// The value that it tells; nil where it tells something else.
    package var entry: Answer.Entry? {
        guard arguments.count == 1, let value = arguments[0].toldValue else { return nil }
        return Answer.Entry(OSCAddress.address(of: path), value)
    }

    /// Why a request came to nothing.
    package static func error(_ path: String, _ message: String) -> OSCMessage {
        OSCMessage("/error", .text(path), .text(message))
    }
}

extension OSCMessage.Argument {
    /// A show's value; numbers go as 32 bits, which every sender and receiver knows.
    package init(_ value: Value) {
        switch value {
        case .number(let number): self = .float(Float(number))
        case .toggle(let isOn): self = .toggle(isOn)
        case .text(let text): self = .text(text)
        }
    }

    /// The value that it is, with the digits that a person would write: 0.1 rather than 0.10000000149.
    package var toldValue: Value? {
        if case .float(let number) = self { return .number(Double(number.description) ?? 0) }
        return value
    }

    /// The value that it is; nil where it is none.
    package var value: Value? {
        switch self {
        case .toggle(let isOn): .toggle(isOn)
        case .text(let text): .text(text)
        default: number.map { .number($0) }
        }
    }
}
