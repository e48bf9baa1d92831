internal import Glibc
internal import Platform

/// A UDP socket that never blocks.
///
/// liblo's servers are not used, because they always listen on all network interfaces.
package final class DatagramSocket: Sendable {
    package let descriptor: Int32
    /// The address of the socket.
    package let endpoint: Endpoint

    /// Opens a socket; port 0 means any free port.
    ///
    /// - Throws: `SocketError` if the port is taken, or the address is not one of this machine.
    package init(_ requested: Endpoint) throws(SocketError) {
        let kind =
            Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw SocketError(requested, errno) }
        var address = requested.socketAddress
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = Self.withGenericAddress(&address) { pointer in
            bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
        }
        guard status == 0 else {
            let reason = errno
            close(descriptor)
            throw SocketError(requested, reason)
        }
        self.descriptor = descriptor
        endpoint = Endpoint(address)
    }

    deinit { close(descriptor) }

    /// Restricts the socket to datagrams from one endpoint, and to errors if no program listens
    /// there.
    package func listenOnly(to endpoint: Endpoint) {
        var address = endpoint.socketAddress
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // An error is reported when the first datagram is sent.
        _ = Self.withGenericAddress(&address) { connect(descriptor, $0, size) }
    }

    /// Receives the next datagram; `nil` if none has arrived.
    ///
    /// - Parameter buffer: Receives the datagram, or its start if it is longer.
    /// - Returns: The whole length of the datagram, and its sender.
    package func receive(into buffer: inout [UInt8]) -> (bytes: Int, sender: Endpoint)? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let room = buffer.count
        let count = buffer.withUnsafeMutableBytes { bytes in
            Self.withGenericAddress(&address) {
                recvfrom(
                    descriptor, bytes.baseAddress, room, Int32(MSG_TRUNC), $0, &size)
            }
        }
        return count < 0 ? nil : (count, Endpoint(address))
    }

    /// Sends a datagram.
    ///
    /// - Returns: Whether the next one may be sent at once; `false` if there is no room now.
    @discardableResult
    package func send(_ bytes: [UInt8], to endpoint: Endpoint) -> Bool {
        var address = endpoint.socketAddress
        let count = Self.withGenericAddress(&address) {
            sendto(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0,
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        return count >= 0 || (errno != EAGAIN && errno != ENOBUFS)
    }

    /// Returns whether a datagram, or the error of a sent one, arrives within a time.
    package func waitForData(seconds: Double) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, Int32(max(0, seconds) * 1000)) > 0
    }

    private static func withGenericAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}

/// The reason why a port cannot be opened.
public struct SocketError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The requested address and port.
    public let endpoint: Endpoint
    /// The system's reason as text.
    public let reason: String

    package init(_ endpoint: Endpoint, _ code: Int32) {
        self.init(endpoint, reason: SystemError(code).message)
    }

    package init(_ endpoint: Endpoint, reason: String) {
        self.endpoint = endpoint
        self.reason = reason
    }

    /// A sentence without its full stop.
    public var description: String { "cannot listen to UDP \(endpoint): \(reason)" }
}
