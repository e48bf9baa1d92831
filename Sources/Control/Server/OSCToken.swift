internal import Glibc

/// The token that OSC programs on other machines must send first.
public struct OSCToken: Sendable {
    /// The token as typed.
    public let text: String
    private let bytes: [UInt8]

    /// The longest token, in bytes.
    public static let maximumBytes = 1000
    /// The minimum number of bits of a token that cannot be found by guessing for a long time.
    private static let safeBits = 64.0

    /// Creates a token from a text; `nil` if the text is not valid.
    ///
    /// - Parameter text: From 1 through `maximumBytes` bytes, without zero bytes.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.maximumBytes).contains(bytes.count), !bytes.contains(0) else { return nil }
        self.text = text
        self.bytes = bytes
    }

    /// Returns a token of 80 random bits in letters and digits that cannot be confused, such as
    /// "k7qm-3xwd-9fhz-2tbn".
    public static func random() -> OSCToken {
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
        let groups = (0..<4).map { _ in
            String((0..<4).map { _ in letters[Int.random(in: letters.indices, using: &random)] })
        }
        let text = groups.joined(separator: "-")
        return OSCToken(text: text, bytes: Array(text.utf8))
    }

    private init(text: String, bytes: [UInt8]) {
        self.text = text
        self.bytes = bytes
    }

    /// Whether the token can be guessed: even if all its letters are random, it has fewer than 64
    /// bits.
    public var isEasyToGuess: Bool {
        let kinds: [(size: Double, has: (UInt8) -> Bool)] = [
            (10, { (0x30...0x39).contains($0) }), (26, { (0x61...0x7a).contains($0) }),
            (26, { (0x41...0x5a).contains($0) }), (33, { !Self.isLetterOrDigit($0) }),
        ]
        let size = kinds.filter { kind in bytes.contains(where: kind.has) }.map(\.size).reduce(0, +)
        return Double(bytes.count) * log2(size) < Self.safeBits
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }

    /// Returns whether a guess equals the token; the time does not depend on the position of the
    /// first difference.
    package func matches(_ guess: String) -> Bool {
        let guessed = Array(guess.utf8)
        var difference: UInt8 = guessed.count == bytes.count ? 0 : 1
        for index in bytes.indices {
            difference |= bytes[index] ^ (index < guessed.count ? guessed[index] : 0)
        }
        return difference == 0
    }
}
