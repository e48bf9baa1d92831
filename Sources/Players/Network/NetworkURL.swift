/// An address on the network that sound may come from: http or https, with a host, and nothing else.
public struct NetworkURL: Sendable, Equatable, CustomStringConvertible {
    /// The address as it is asked for.
    public let text: String
    /// Whether it is https.
    let isEncrypted: Bool
    /// The address for people to read: without a user's name, a password or what follows a question mark.
    public let description: String

    /// An address longer than that is none that anybody typed.
    private static let longestBytes = 4096

    /// Checks an address.
    ///
    /// - Parameter text: The address.
    /// - Throws: What is wrong with it.
    public init(_ text: String) throws(NetworkURLFault) {
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
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        try Self.check(place: place)
        self.text = "\(scheme):\(rest)"
        isEncrypted = scheme == "https"
        description = "\(scheme)://\(place)\(path)"
    }

    /// What no address holds as it is: it would have to be written with a percent sign.
    private static func isRefused(_ character: Unicode.Scalar) -> Bool {
        character.value <= 0x20 || (0x7f...0x9f).contains(character.value)
            || "\"<>\\^`".unicodeScalars.contains(character)
    }

    private static func parts(of rest: Substring) -> (authority: Substring, path: Substring) {
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let path = rest[end...].prefix { $0 != "?" && $0 != "#" }
        return (rest[..<end], path)
    }

    private static func check(place: Substring) throws(NetworkURLFault) {
        var host = place
        var port: Substring?
        let behindBrackets = place.lastIndex(of: "]") ?? place.startIndex
        if let colon = place[behindBrackets...].firstIndex(of: ":") {
            host = place[..<colon]
            port = place[place.index(after: colon)...]
        }
        guard !host.isEmpty, host != "[]" else { throw .noHost }
        guard let port else { return }
        guard port.allSatisfy(\.isASCII), let number = Int(port), (1...65_535).contains(number)
        else {
            throw .port(String(port))
        }
    }
}

/// Why no sound may come from an address.
public enum NetworkURLFault: Error, Equatable, CustomStringConvertible {
    /// It is longer than any.
    case tooLong(limitBytes: Int)
    /// It holds what must be written with a percent sign.
    case character(Unicode.Scalar)
    /// It does not say how it is reached.
    case noScheme
    /// It is reached by other means.
    case scheme(String)
    /// It names no host.
    case noHost
    /// Its port is none.
    case port(String)

    /// What is wrong, and what is allowed.
    public var description: String {
        switch self {
        case .tooLong(let limitBytes): "the address is longer than \(limitBytes) bytes"
        case .character(let character):
            "the address holds the character U+\(Self.hexadecimal(character)), which must be written with %"
        case .noScheme: "the address must begin with http:// or https://"
        case .scheme(let scheme):
            "\"\(scheme.prefix(32))\" is no way to reach a stream; an address begins with http:// or https://"
        case .noHost: "the address names no host, as in http://HOST/PATH"
        case .port(let port): "\"\(port.prefix(32))\" is no port; 1 to 65535 are"
        }
    }

    private static func hexadecimal(_ character: Unicode.Scalar) -> String {
        let digits = String(character.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
