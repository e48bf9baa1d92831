internal import Glibc

/// An IPv4 or IPv6 address.
public struct HostAddress: Sendable, Equatable, CustomStringConvertible {
    /// The 4 bytes of an IPv4 address or the 16 bytes of an IPv6 address, in network order.
    public let bytes: [UInt8]

    /// Creates an address from its bytes; `nil` if there are neither 4 nor 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Creates an address from its text, without brackets; `nil` if the text is a name.
    ///
    /// The old short forms of IPv4 (`127.1`, `0x7f000001`) are valid, because resolvers accept
    /// them.
    public init?(_ text: String) {
        var four = in_addr()
        if inet_aton(text, &four) != 0 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            return
        }
        var six = in6_addr()
        let withoutZone = String(text.prefix { $0 != "%" })
        guard inet_pton(AF_INET6, withoutZone, &six) == 1 else { return nil }
        bytes = withUnsafeBytes(of: &six) { Array($0) }
    }

    /// The usual text form of the address.
    public var description: String {
        var text = [CChar](repeating: 0, count: 64)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the address belongs to the public Internet: not to this machine, a private network
    /// or a multicast group, and not reserved.
    ///
    /// The ranges come from the IANA registries of special-purpose addresses.
    public var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialRanges.contains { $0.contains(bytes) } }
        // IPv4 addresses inside of IPv6: mapped (::ffff:0:0/96), translated (64:ff9b::/96) and 6to4
        // (2002::/16).
        let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff])
        let isTranslated = bytes.starts(
            with: [0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8))
        if isMapped || isTranslated { return Self.isPublic(Array(bytes[12...])) }
        if bytes.starts(with: [0x20, 0x02]) { return Self.isPublic(Array(bytes[2..<6])) }
        let isGlobal = bytes[0] & 0xe0 == 0x20
        let isTeredo = bytes.starts(with: [0x20, 0x01, 0, 0])
        let isForDocuments = bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8])
        return isGlobal && !isTeredo && !isForDocuments
    }

    private static func isPublic(_ bytes: [UInt8]) -> Bool {
        HostAddress(bytes: bytes)?.isPublic ?? false
    }

    /// The addresses with a common prefix.
    private struct Range {
        let first: [UInt8]
        let bits: Int

        func contains(_ bytes: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                return bytes[bit / 8] & mask == first[bit / 8] & mask
            }
        }
    }

    private static let specialRanges = [
        Range(first: [0, 0, 0, 0], bits: 8), Range(first: [10, 0, 0, 0], bits: 8),
        Range(first: [100, 64, 0, 0], bits: 10), Range(first: [127, 0, 0, 0], bits: 8),
        Range(first: [169, 254, 0, 0], bits: 16), Range(first: [172, 16, 0, 0], bits: 12),
        Range(first: [192, 0, 0, 0], bits: 24), Range(first: [192, 0, 2, 0], bits: 24),
        Range(first: [192, 168, 0, 0], bits: 16), Range(first: [198, 18, 0, 0], bits: 15),
        Range(first: [198, 51, 100, 0], bits: 24), Range(first: [203, 0, 113, 0], bits: 24),
        Range(first: [224, 0, 0, 0], bits: 3),
    ]
}

extension HostAddress {
    /// Returns the host in a URL such as `http://user@host:8000/path`; `nil` if there is no host.
    public static func host(inURL url: String) -> String? {
        guard let slashes = url.range(of: "://") else { return nil }
        let authority = url[slashes.upperBound...].prefix { !"/?#".contains($0) }
        let target = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if target.first == "[" { return String(target.dropFirst().prefix { $0 != "]" }) }
        let host = target.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }

    /// Returns whether the text names this machine or a private address.
    ///
    /// Other names may still resolve to one.
    public static func isPrivate(host: String) -> Bool {
        let name = host.lowercased().drop { $0 == "." }
        let bare = name.hasSuffix(".") ? name.dropLast() : name
        if bare == "localhost" || bare.hasSuffix(".localhost") { return true }
        return HostAddress(String(bare)).map { !$0.isPublic } ?? false
    }
}

extension String {
    /// Returns the first occurrence of another string.
    fileprivate func range(of part: String) -> Swift.Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
