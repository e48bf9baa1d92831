internal import Glibc

/// Identifies the other end of a local connection.
enum GatewayPeer {
    /// Returns whether a process of the same user made a connection.
    ///
    /// Every user of the machine can reach a local port. The system's table of connections
    /// (`/proc/net/tcp`) lists the owner of each connection.
    static func isOwn(_ socket: Int32, listeningPort: UInt16) -> Bool {
        guard let port = remotePort(of: socket), let table = fopen("/proc/net/tcp", "re") else {
            return false
        }
        defer { fclose(table) }
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), table) != nil {
            let fields = String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
            )
            .split { $0 == " " || $0 == "\n" }
            guard fields.count > 7, Self.port(fields[1]) == port,
                Self.port(fields[2]) == listeningPort
            else { continue }
            return UInt32(fields[7]) == geteuid()
        }
        return false
    }

    private static func port(_ field: Substring) -> UInt16? {
        field.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }

    private static func remotePort(of socket: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(socket, $0, &length)
            }
        }
        return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}
