/// The user name and the password of an address, which are sent only to its own server.
struct Credentials: Sendable {
    /// The server that the credentials are for.
    let origin: Origin
    /// The value of the request header `Authorization` (RFC 7617).
    let header: String

    /// Removes the user name and the password from an address; returns `nil` if it has none.
    ///
    /// - Parameter address: An http address in the form for ffmpeg; loses its credentials.
    init?(takenFrom address: inout String) {
        let scheme = "http://"
        guard address.hasPrefix(scheme) else { return nil }
        let rest = address.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"),
            let origin = Origin(authority[authority.index(after: at)...], defaultPort: 80)
        else { return nil }
        self.origin = origin
        header = "Basic " + Self.base64(Self.withoutPercents(authority[..<at]))
        address = scheme + rest[rest.index(after: at)...]
    }

    /// Returns the bytes of a text, with percent escapes such as `%41` decoded.
    private static func withoutPercents(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Latin1.bytes(String(text))[...]
        while let byte = rest.popFirst() {
            let digits = Latin1.text(rest.prefix(2))
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = (0..<3).reduce(UInt32(0)) { value, offset in
                value << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0)
            }
            for digit in 0..<4 {
                let index = Int(value >> UInt32(18 - 6 * digit) & 63)
                text.append(digit <= group.count ? letters[index] : "=")
            }
        }
        return text
    }
}
