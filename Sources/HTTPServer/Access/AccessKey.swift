internal import CGnuTLS

/// The key of one remote: 256 random bits.
///
/// Only the remote stores it; the program stores its hash.
package struct AccessKey: Sendable, Equatable {
    private static let byteCount = 32

    /// The key as 64 hexadecimal digits.
    package let text: String

    /// Creates a key from the system's random source.
    package static func random() -> AccessKey {
        var random = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in random.next() }
        return AccessKey(
            bytes: words.flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
            })
    }

    private init(bytes: [UInt8]) { text = HexText.text(bytes) }

    /// Creates a key from its text; `nil` if the text is not that of a key.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.byteCount * 2, text.utf8.allSatisfy(HexText.isDigit) else {
            return nil
        }
        self.text = String(text)
    }

    /// The hash of the key.
    package var hash: AccessHash { AccessHash(of: text) }
}

/// The SHA-256 hash of a key or a code.
package struct AccessHash: Sendable {
    private static let byteCount = 32

    private let bytes: [UInt8]

    /// Calculates the hash of a text.
    package init(of text: String) {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        let input = Array(text.utf8)
        // It fails only for an unknown algorithm.
        let status = gnutls_hash_fast(GNUTLS_DIG_SHA256, input, input.count, &bytes)
        precondition(status == 0, "GnuTLS has no SHA-256")
        self.bytes = bytes
    }

    /// Creates a hash from 64 hexadecimal digits; `nil` for another text.
    package init?(hexadecimal text: String) {
        guard let bytes = HexText.bytes(text), bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The hash as 64 hexadecimal digits.
    package var text: String { HexText.text(bytes) }

    /// Returns whether both hashes are equal; the time does not depend on the position of the first
    /// difference.
    package func equals(_ other: AccessHash) -> Bool {
        gnutls_memcmp(bytes, other.bytes, Self.byteCount) == 0
    }
}

/// Bytes as lower-case hexadecimal digits.
enum HexText {
    /// Returns the digits of bytes.
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// Returns whether a byte is a lower-case hexadecimal digit.
    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Returns the bytes of digits; `nil` if the text is not hexadecimal.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0, digits.allSatisfy(isDigit) else { return nil }
        let values = digits.map { $0 <= UInt8(ascii: "9") ? $0 & 15 : ($0 & 15) + 9 }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
