internal import Glibc
internal import Platform

/// A connection to a server, encrypted or not.
final class HostConnection {
    private let socket: Int32
    private let sockets: GatewaySockets
    private var session: TLSSession?

    /// The time limit for connecting and for each send, in seconds.
    private static let connectSeconds = 10
    /// The time limit for a receive, in seconds; the stream itself gives up much earlier.
    private static let silenceSeconds = 120

    private init(_ socket: Int32, _ sockets: GatewaySockets) {
        self.socket = socket
        self.sockets = sockets
    }

    deinit {
        session = nil
        sockets.close(socket)
    }

    /// Connects to a host; blocks the calling thread.
    ///
    /// - Throws: The reason why there is no connection.
    static func to(
        _ origin: Origin, isEncrypted: Bool, reach: HostPermissions, sockets: GatewaySockets
    ) throws(StreamError) -> HostConnection {
        let addresses = try addresses(of: origin, reach, sockets)
        let connection = try connected(addresses, sockets)
        guard isEncrypted else { return connection }
        let session = TLSSession(
            connection.socket, host: origin.host, trustFile: reach.trustFile)
        guard let session else {
            throw .unreached("the encrypted connection failed: out of memory")
        }
        try session.begin()
        connection.session = session
        return connection
    }

    private static func addresses(
        of origin: Origin, _ reach: HostPermissions, _ sockets: GatewaySockets
    ) throws(StreamError) -> [SocketAddress] {
        sockets.countLookup(1)
        defer { sockets.countLookup(-1) }
        return try HostLookup.addresses(of: origin, reach: reach)
    }

    private static func connected(
        _ addresses: [SocketAddress], _ sockets: GatewaySockets
    ) throws(StreamError) -> HostConnection {
        var reason = ECONNREFUSED
        for address in addresses {
            let socket = Glibc.socket(
                address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard socket >= 0 else { reason = errno; continue }
            guard sockets.add(socket) else { throw .unreached("the stream was closed") }
            let connection = HostConnection(socket, sockets)
            set(SO_SNDTIMEO, seconds: connectSeconds, of: socket)
            set(SO_RCVTIMEO, seconds: silenceSeconds, of: socket)
            reason = address.connect(socket)
            if reason == 0 { return connection }
        }
        // The system reports EINPROGRESS if connecting takes longer than the time limit.
        let code = reason == EINPROGRESS ? ETIMEDOUT : reason
        throw .unreached("the connection failed: \(SystemError(code).message)")
    }

    private static func set(_ option: Int32, seconds: Int, of socket: Int32) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends bytes.
    ///
    /// - Returns: Whether all bytes were sent.
    func send(_ bytes: [UInt8]) -> Bool {
        guard let session else { return SocketBytes.send(bytes[...], to: socket) }
        return session.send(bytes)
    }

    /// Waits until there are bytes to receive.
    ///
    /// - Parameter client: The connection that receives the bytes.
    /// - Returns: `false` if the client has closed the connection or sends another request.
    func waitForData(unlessGone client: Int32) -> Bool {
        if session?.hasBytes == true { return true }
        var files = [
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        ]
        poll(&files, 2, Int32(Self.silenceSeconds * 1000))
        return files[0].revents != 0 && files[1].revents == 0
    }

    /// Waits for bytes; returns none at the end.
    func receive(atMost count: Int) -> [UInt8] {
        guard let session else { return SocketBytes.receive(from: socket, atMost: count) }
        return session.receive(atMost: count)
    }
}

/// Sends and receives bytes on a blocking socket.
enum SocketBytes {
    /// Sends bytes.
    ///
    /// - Returns: Whether all bytes were sent.
    static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for bytes; returns none at the end.
    static func receive(from socket: Int32, atMost capacity: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            var count = -1
            repeat {
                count = recv(socket, buffer.baseAddress, capacity, 0)
            } while count < 0 && errno == EINTR
            filled = max(0, count)
        }
    }
}
