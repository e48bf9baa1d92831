package import SessionCore

/// Converts between the addresses of a session and OSC paths: `verb.mix` is `/verb/mix`, `scene` is
/// `/scene`.
package enum OSCAddress {
    /// The characters that OSC reserves in a path.
    private static let reserved = Array(" #*,/?[]{}%".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns the path of an address; reserved characters are escaped, such as `%20`.
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

    /// Returns the path of a typed address, which may have wildcards.
    package static func path(typed address: String) -> String {
        guard OSCPattern.hasWildcards(address) else { return path(of: address) }
        return "/" + address.split(separator: ".").joined(separator: "/")
    }

    /// Returns the address of a path.
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

    /// Returns whether an address is that of a node.
    package static func isOfNode(_ address: String) -> Bool { address.contains(".") }
}

extension UInt8 {
    /// Creates the byte of two hexadecimal digits; `nil` if they are not.
    fileprivate init?(hexadecimal digits: Substring.UTF8View) {
        guard digits.count == 2, !digits.contains(UInt8(ascii: "+")) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension OSCMessage {
    /// Creates the message that reports a value.
    package init(_ entry: AddressValue) {
        self.init(OSCAddress.path(of: entry.address), Argument(entry.value))
    }

    /// Creates the message that reports a node's report with its unit; `nil` if it has no value
    /// yet.
    package init?(_ report: NodeReport) {
        guard let value = report.value else { return nil }
        self.init(
            .report, .text(OSCAddress.path(of: report.address)), .text(report.unit),
            Argument(value))
    }

    /// The node's report that the message contains with its unit; `nil` if it is another message.
    package var nodeReport: NodeReport? {
        guard path == ServerMessage.report.rawValue, arguments.count == 3,
            let path = arguments[0].text, let unit = arguments[1].text,
            let value = arguments[2].readableValue
        else { return nil }
        return NodeReport(OSCAddress.address(of: path), value, unit: unit)
    }

    /// The value that the message reports; `nil` if it reports something else.
    package var entry: AddressValue? {
        guard arguments.count == 1, let value = arguments[0].readableValue else { return nil }
        return AddressValue(OSCAddress.address(of: path), value)
    }

    /// Creates the message that reports why a request failed.
    package static func error(_ path: String, _ message: String) -> OSCMessage {
        OSCMessage(.error, .text(path), .text(message))
    }
}

extension OSCMessage.Argument {
    /// Creates the argument of a value; numbers have 32 bits, which every OSC program supports.
    package init(_ value: Value) {
        switch value {
        case .number(let number): self = .float(Float(number))
        case .toggle(let isOn): self = .toggle(isOn)
        case .text(let text): self = .text(text)
        }
    }

    /// The value with the digits that a person would write: 0.1 instead of 0.10000000149.
    package var readableValue: Value? {
        if case .float(let number) = self { return .number(Double(number.description) ?? 0) }
        return value
    }

    /// The value; `nil` if the argument has none.
    package var value: Value? {
        switch self {
        case .toggle(let isOn): .toggle(isOn)
        case .text(let text): .text(text)
        default: number.map { .number($0) }
        }
    }
}
