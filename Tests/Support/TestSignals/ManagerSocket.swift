internal import Glibc

/// The socket of a service manager such as systemd, to which a program sends messages.
public final class ManagerSocket {
    private let descriptor: Int32

    /// Creates the socket.
    ///
    /// - Parameter path: The path, at most 107 bytes; a zero and a name for a socket without a file.
    public init(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
            }
        }
        guard result == 0 else { fatalError("no socket can be made at \(path)") }
    }

    deinit { close(descriptor) }

    /// Returns the next message; `nil` if there is none.
    public func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
