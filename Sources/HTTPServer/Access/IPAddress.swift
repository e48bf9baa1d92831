internal import Glibc
internal import NIOCore

/// An IPv4 or IPv6 address.
///
/// An IPv4 address that is written as an IPv6 one is an IPv4 address.
package struct IPAddress: Hashable {
    /// 4 bytes for IPv4, 16 for IPv6.
    let bytes: [UInt8]

    /// The start of an IPv4 address that is written as an IPv6 one.
    private static let mappedStart: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Creates an address from 4 or 16 bytes.
    private init(_ bytes: [UInt8]) {
        self.bytes =
            bytes.starts(with: Self.mappedStart) ? Array(bytes.dropFirst(12)) : bytes
    }

    /// Parses an address without brackets, zone and port; `nil` if the text is not an address.
    package init?(_ text: String) {
        // 4 bytes for IPv4, 16 for IPv6.
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &buffer) == 1 {
            self.init(Array(buffer.prefix(4)))
        } else if inet_pton(AF_INET6, text, &buffer) == 1 {
            self.init(buffer)
        } else {
            return nil
        }
    }

    /// Creates the address of one end of a connection; `nil` for a connection without addresses.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(text)
    }

    /// Creates the address to which a socket is bound; `nil` if it has none.
    init?(ofSocket descriptor: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: 256)
        let isKnown = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size) == 0
                    && getnameinfo(
                        address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        guard isKnown else { return nil }
        self.init(
            String(
                decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Whether only programs on this machine can reach the address.
    var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        return bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// Whether the address means all addresses of the machine: `0.0.0.0` or `::`.
    var isWildcard: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether the address is valid only on one cable or radio network, so that a URL cannot name
    /// it.
    var isLinkLocal: Bool {
        bytes.count == 4
            ? bytes.starts(with: [169, 254]) : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether the address is one of IPv6.
    var isWide: Bool { bytes.count == 16 }

    /// The part of the address that one machine cannot choose: all of IPv4, the network of IPv6.
    var network: IPAddress {
        isWide ? IPAddress(Array(bytes.prefix(8)) + Array(repeating: 0, count: 8)) : self
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as text, with brackets around IPv6.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isWide ? AF_INET6 : AF_INET
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        let written = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: written, as: UTF8.self)
        return isWide ? "[\(name)]" : name
    }
}
