/// The address of a network sound: http or https, with a host.
public struct NetworkURL: Sendable, Equatable, CustomStringConvertible {
    /// The address that is requested.
    public let text: String
    /// Whether the scheme is https.
    let isEncrypted: Bool
    /// The address for display: without a user name, a password, or a query.
    public let description: String

    /// The longest accepted address, in bytes; it is longer than any typed address.
    private static let longestBytes = 4096

    /// Checks an address.
    ///
    /// - Parameter text: The address.
    /// - Throws: The reason why the address is not accepted.
    public init(_ text: String) throws(NetworkURLError) {
        guard text.utf8.count <= Self.longestBytes else {
            throw .tooLong(limitBytes: Self.longestBytes)
        }
        if let character = text.unicodeScalars.first(where: Self.isRefused) {
            throw .character(character)
        }
        guard let colon = text.firstIndex(of: ":") else { throw .noScheme }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { throw .noHost }
        let (authority, path) = Self.parts(of: rest.dropFirst(2))
        let hostAndPort =
            authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        try Self.check(hostAndPort: hostAndPort)
        self.text = "\(scheme):\(rest)"
        isEncrypted = scheme == "https"
        description = "\(scheme)://\(hostAndPort)\(path)"
    }

    /// The extension of the file in the path, with its dot; empty if the file has no extension.
    ///
    /// ffmpeg recognises some kinds of sound by it.
    var fileExtension: String {
        let file = description.split(separator: "/").dropFirst(2).last ?? ""
        guard let dot = file.lastIndex(of: ".") else { return "" }
        let letters = file[file.index(after: dot)...]
        let isPlain = letters.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isPlain && (1...8).contains(letters.count) ? ".\(letters)" : ""
    }

    /// Returns whether a character is not allowed in an address unless it is percent-encoded.
    private static func isRefused(_ character: Unicode.Scalar) -> Bool {
        character.value <= 0x20 || (0x7f...0x9f).contains(character.value)
            || "\"<>\\^`".unicodeScalars.contains(character)
    }

    private static func parts(of rest: Substring) -> (authority: Substring, path: Substring) {
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let path = rest[end...].prefix { $0 != "?" && $0 != "#" }
        return (rest[..<end], path)
    }

    private static func check(hostAndPort: Substring) throws(NetworkURLError) {
        var host = hostAndPort
        var port: Substring?
        let behindBrackets = hostAndPort.lastIndex(of: "]") ?? hostAndPort.startIndex
        if let colon = hostAndPort[behindBrackets...].firstIndex(of: ":") {
            host = hostAndPort[..<colon]
            port = hostAndPort[hostAndPort.index(after: colon)...]
        }
        guard !host.isEmpty, host != "[]" else { throw .noHost }
        guard let port else { return }
        guard port.allSatisfy(\.isASCII), let number = Int(port), (1...65_535).contains(number)
        else {
            throw .port(String(port))
        }
    }
}

/// The reason why an address is not accepted.
public enum NetworkURLError: Error, Equatable, CustomStringConvertible {
    /// The address is too long.
    case tooLong(limitBytes: Int)
    /// The address contains a character that must be percent-encoded.
    case character(Unicode.Scalar)
    /// The address has no scheme.
    case noScheme
    /// The scheme is not http or https.
    case scheme(String)
    /// The address has no host.
    case noHost
    /// The port is not a number from 1 through 65535.
    case port(String)

    /// The error and the allowed values.
    public var description: String {
        switch self {
        case .tooLong(let limitBytes): "the address is longer than \(limitBytes) bytes"
        case .character(let character):
            "the address contains the character U+\(Self.hexadecimal(character)), which must be percent-encoded"
        case .noScheme: "the address must begin with http:// or https://"
        case .scheme(let scheme):
            "\"\(scheme.prefix(32))\" is not a supported scheme; an address begins with http:// or https://"
        case .noHost: "the address has no host; write it as http://HOST/PATH"
        case .port(let port): "\"\(port.prefix(32))\" is not a port; allowed are 1 to 65535"
        }
    }

    private static func hexadecimal(_ character: Unicode.Scalar) -> String {
        let digits = String(character.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
