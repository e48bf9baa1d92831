/// A key of the computer's keyboard that a terminal can read.
public struct ComputerKey: Sendable, Hashable, Codable {
    /// A number that no other key has, from 0 through 127: the ASCII code of a character.
    public let number: Int

    /// The numbers of the keys that are no visible characters.
    ///
    /// Keys without an ASCII code have numbers of control characters that no key sends.
    private static let named: [(name: String, number: Int)] =
        [
            ("up", 1), ("down", 2), ("left", 3), ("right", 4), ("page-up", 5), ("page-down", 6),
            ("home", 7), ("end", 8), ("tab", 9), ("insert", 10), ("delete", 11), ("enter", 13),
        ] + (1...12).map { ("f\($0)", 13 + $0) } + [
            ("escape", 27), ("space", 32), ("backspace", 127),
        ]

    /// The names of the keys that are no visible characters.
    static var names: [String] { named.map(\.name) }

    /// Creates the key with a number; `nil` if no key has it.
    public init?(number: Int) {
        guard (33...126).contains(number) || Self.named.contains(where: { $0.number == number })
        else { return nil }
        self.number = number
    }

    /// Creates the key with a name: a visible ASCII character, or a word such as `space`; `nil` if
    /// there is no such key.
    public init?(_ name: String) {
        if let known = Self.named.first(where: { $0.name == name }) {
            number = known.number
        } else if name.utf8.count == 1, let code = name.utf8.first, (33...126).contains(code) {
            number = Int(code)
        } else {
            return nil
        }
    }

    /// The name in files.
    public var name: String {
        Self.named.first { $0.number == number }?.name
            ?? String(decoding: [UInt8(clamping: number)], as: UTF8.self)
    }
}

extension Pipeline {
    /// The computer keys that have bindings, in the order of the file, without duplicates.
    public var boundKeys: [ComputerKey] {
        var keys: [ComputerKey] = []
        for case .key(let key) in bindings.map(\.trigger) where !keys.contains(key) {
            keys.append(key)
        }
        return keys
    }
}
