internal import Glibc
internal import Processing

/// Looks up the addresses of hosts.
enum HostLookup {
    /// Returns the addresses of a host that the gateway may connect to.
    ///
    /// A name is looked up once, and the connection goes to the address that was checked. A later
    /// change of the name's address therefore cannot bypass the check.
    ///
    /// - Throws: `privateHost` if none of the addresses is allowed, or why the lookup failed.
    static func addresses(
        of origin: Origin, reach: HostPermissions
    ) throws(StreamError) -> [SocketAddress] {
        let found = try resolved(origin)
        guard !reach.allowsPrivateHosts, !reach.exemptPorts.contains(origin.port) else {
            return found
        }
        let allowed = found.filter { $0.host?.isPublic == true }
        if allowed.isEmpty {
            let host = StreamTitle.cleaned(origin.hostText, limit: 100)
            let address = found.first?.host.map { $0.description } ?? ""
            throw .privateHost(address == origin.host ? host : "\(host) (\(address))")
        }
        return allowed
    }

    private static func resolved(_ origin: Origin) throws(StreamError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let name = Latin1.bytes(origin.host).map { CChar(bitPattern: $0) } + [0]
        let status = getaddrinfo(name, String(origin.port), &hints, &list)
        guard status == 0 else {
            throw .unreached("the host cannot be found: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.prefix(8)
            .compactMap { entry in
                guard let entry, let address = entry.pointee.ai_addr else { return nil }
                return SocketAddress(address, entry.pointee.ai_addrlen)
            }
    }
}

/// An address and a port in the form of the system.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// Copies an address; returns `nil` if it is too long.
    init?(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
        guard Int(length) <= MemoryLayout<sockaddr_storage>.size else { return nil }
        self.length = length
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The IP address of the host.
    var host: HostAddress? {
        withUnsafeBytes(of: storage) { bytes in
            switch family {
            case AF_INET: HostAddress(bytes: Array(bytes[4..<8]))
            case AF_INET6: HostAddress(bytes: Array(bytes[8..<24]))
            default: nil
            }
        }
    }

    /// Connects a socket to the address.
    ///
    /// - Returns: 0, or the error number of the system.
    func connect(_ socket: Int32) -> Int32 {
        let status = withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, length)
            }
        }
        return status == 0 ? 0 : errno
    }
}
