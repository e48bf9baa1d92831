/// A key that was pressed.
package enum Key: Equatable {
    case character(Character)
    case up, down, pageUp, pageDown
    case escape
    /// A key that the view itself does not use, by its name in files.
    case named(String)
}

extension Key {
    /// The name of the key in the bindings of files; `nil` if bindings cannot name it.
    var name: String? {
        switch self {
        case .up: "up"
        case .down: "down"
        case .pageUp: "page-up"
        case .pageDown: "page-down"
        case .escape: "escape"
        case .named(let name): name
        case .character(" "): "space"
        case .character("\t"): "tab"
        case .character("\r"), .character("\n"): "enter"
        case .character("\u{7F}"), .character("\u{8}"): "backspace"
        case .character(let character): character.isASCII ? String(character) : nil
        }
    }
}

/// Reads keys from the bytes that a terminal sends, in pieces of any length.
package struct KeyReader {
    private var pending: [UInt8] = []

    /// Creates a reader without pending bytes.
    package init() {}

    private static let escape: UInt8 = 0x1B
    /// The longest sequence of a key, in bytes; longer ones are ignored.
    private static let maximumBytes = 16

    /// Returns the keys that these bytes complete.
    package mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let first = pending.first {
            guard let length = Self.lengthBytes(pending) else { break }
            let sequence = pending.prefix(length)
            pending.removeFirst(length)
            if first == Self.escape {
                if let key = Self.key(sequence) { keys.append(key) }
            } else if let character = String(validating: sequence, as: UTF8.self)?.first {
                keys.append(.character(character))
            }
        }
        return keys
    }

    /// Returns the keys that are complete if no more bytes come: an escape without a sequence.
    package mutating func rest() -> [Key] {
        defer { pending = [] }
        return pending == [Self.escape] ? [.escape] : []
    }

    /// Returns the number of bytes of the first key; `nil` if some are missing.
    private static func lengthBytes(_ bytes: [UInt8]) -> Int? {
        guard bytes[0] == escape else {
            let length = bytes[0] < 0xC0 ? 1 : bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
            return bytes.count < length ? nil : length
        }
        guard bytes.count > 1 else { return nil }
        // SS3, then one letter; CSI, then figures, then a letter or a tilde.
        if bytes[1] == UInt8(ascii: "O") { return bytes.count < 3 ? nil : 3 }
        guard bytes[1] == UInt8(ascii: "[") else { return 1 }
        if let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) {
            return end + 1
        }
        return bytes.count < maximumBytes ? nil : bytes.count
    }

    /// The sequences of xterm and the Linux console for keys that the view itself does not use.
    private static let names = [
        "[C": "right", "OC": "right", "[D": "left", "OD": "left", "[H": "home", "OH": "home",
        "[1~": "home", "[7~": "home", "[F": "end", "OF": "end", "[4~": "end", "[8~": "end",
        "[2~": "insert", "[3~": "delete", "OP": "f1", "[11~": "f1", "OQ": "f2", "[12~": "f2",
        "OR": "f3", "[13~": "f3", "OS": "f4", "[14~": "f4", "[15~": "f5", "[17~": "f6",
        "[18~": "f7", "[19~": "f8", "[20~": "f9", "[21~": "f10", "[23~": "f11", "[24~": "f12",
    ]

    private static func key(_ sequence: ArraySlice<UInt8>) -> Key? {
        switch String(decoding: sequence.dropFirst(), as: UTF8.self) {
        case "": .escape
        case "[A", "OA": .up
        case "[B", "OB": .down
        case "[5~": .pageUp
        case "[6~": .pageDown
        case let sequence: names[sequence].map { .named($0) }
        }
    }
}
