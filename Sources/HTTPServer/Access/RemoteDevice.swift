/// A remote that is paired.
public struct RemoteDevice: Sendable {
    /// A text that differs for each remote, of eight hexadecimal digits.
    public let id: String
    /// The name that the remote has chosen.
    public var name: String
    /// The rights.
    public var permit: Permit
    /// The hash of its key.
    package let keyHash: AccessHash
    /// The time of the pairing, in seconds since 1970.
    public let pairedSeconds: Int
    /// The time of its last request, in seconds since 1970.
    public var seenSeconds: Int

    /// The longest name, in characters.
    package static let longestName = 40

    /// Creates a remote.
    package init(
        id: String, name: String, permit: Permit, keyHash: AccessHash, pairedSeconds: Int,
        seenSeconds: Int
    ) {
        self.id = id
        self.name = name
        self.permit = permit
        self.keyHash = keyHash
        self.pairedSeconds = pairedSeconds
        self.seenSeconds = seenSeconds
    }

    /// Returns a name without the characters that could change a terminal, and of the allowed
    /// length; "device" without any character.
    package static func cleanName(_ name: String) -> String {
        let kept = name.unicodeScalars.map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
                .unassigned:
                " "
            default: Character(scalar)
            }
        }
        let words = String(kept).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? "device" : String(words.prefix(longestName))
    }

    /// Returns a new random text for `id`.
    package static func randomID() -> String {
        HexText.text((0..<4).map { _ in UInt8.random(in: .min ... .max) })
    }
}
