internal import Glibc

/// An IPv4 address and a port, of the sender or the receiver of a datagram.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The address in the host's byte order.
    public let address: UInt32
    /// The port, from 1.
    public let port: UInt16

    /// Returns a port on the loopback address of this machine.
    public static func loopback(port: UInt16) -> Endpoint {
        Endpoint(address: 0x7f00_0001, port: port)
    }

    init(address: UInt32, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Creates an endpoint from a host name or an IP address; `nil` if the name is not known.
    public init?(host: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        guard let address = found.pointee.ai_addr else { return nil }
        self.init(
            address: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }, port: port)
    }

    init(_ address: sockaddr_in) {
        self.init(
            address: UInt32(bigEndian: address.sin_addr.s_addr),
            port: UInt16(bigEndian: address.sin_port))
    }

    /// Whether it is a loopback address.
    public var isLoopback: Bool { address >> 24 == 127 }

    var socketAddress: sockaddr_in {
        var result = sockaddr_in()
        result.sin_family = sa_family_t(AF_INET)
        result.sin_addr.s_addr = address.bigEndian
        result.sin_port = port.bigEndian
        return result
    }

    /// The address and port, such as "127.0.0.1:9000".
    public var description: String {
        let bytes = [24, 16, 8, 0].map { "\(address >> $0 & 255)" }
        return "\(bytes.joined(separator: ".")):\(port)"
    }
}
