internal import Glibc
internal import Synchronization
internal import Platform

/// The gateway between a child process `ffmpeg` and the network: all its requests pass through it.
///
/// The gateway listens on a local port for this one child. It does not connect to hosts outside the
/// reach, checks certificates, and limits the number of requests. ffmpeg does not receive the real
/// address: it first requests `startHost`, and the gateway redirects it from there.
final class StreamGateway: Sendable {
    /// A host that does not exist (RFC 2606).
    static let startHost = "start.invalid"
    /// The largest number of open connections; nested playlists keep theirs open.
    private static let maximumConnections = 24

    // The gateway waits up to half a second for requests to end.
    private static let (endingSteps, stepMicroseconds) = (250, UInt32(2000))

    /// The port that the gateway listens on.
    let port: UInt16
    /// The address that ffmpeg is asked to fetch.
    let firstAddress: String

    private let listener: Int32
    private let bell = Bell()
    private let sockets = GatewaySockets()
    private let thread = Mutex<OwnThread?>(nil)

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - url: The address of the stream.
    ///   - reach: The hosts that may be contacted.
    ///   - budget: The limit on requests.
    /// - Throws: The reason why the gateway cannot listen.
    init(_ url: NetworkURL, reach: HostPermissions, budget: RequestBudget) throws(StreamError) {
        let origins = EncryptedOrigins()
        let address = Latin1.text(url.text.utf8)
        var start = origins.disguise(address[...]) ?? address
        let credentials = Credentials(takenFrom: &start)
        firstAddress = "http://\(Self.startHost)/stream\(url.fileExtension)"
        (listener, port) = try Self.listen()
        let thread = OwnThread(name: "stream gate", stack: .small) {
            [start, listener, port, bell, sockets] in
            while !sockets.isClosed {
                let isFull = sockets.requestCount >= Self.maximumConnections
                let wait = isFull ? 60 : budget.waitSeconds
                guard Self.waitForConnection(listener, bell, waitSeconds: wait) else { continue }
                let client = ListeningSocket.accept(listener)
                if client < 0, errno != EAGAIN {
                    // The system lacks a resource, and another attempt would fail immediately.
                    usleep(50_000)
                }
                guard client >= 0, sockets.add(client) else { continue }
                guard GatewayPeer.isOwn(client, listeningPort: port) else {
                    sockets.close(client)
                    continue
                }
                budget.spend()
                let connection = GatewayConnection(
                    client: client, start: start, credentials: credentials, reach: reach,
                    origins: origins, sockets: sockets)
                Self.answer(connection, bell)
            }
        }
        guard let thread else {
            close(listener)
            throw .other("cannot start a thread for the stream")
        }
        self.thread.withLock { $0 = thread }
    }

    deinit { end() }

    /// Ends all connections, and waits briefly for their threads.
    func end() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        sockets.end()
        bell.ring()
        thread.join()
        close(listener)
        // The request threads are awake now, and must not run while the program exits.
        var stepsLeft = Self.endingSteps
        while sockets.isBusy, stepsLeft > 0 {
            usleep(Self.stepMicroseconds)
            stepsLeft -= 1
        }
    }

    /// The reason why the last failed request failed; `nil` if every request was answered.
    var error: StreamError? { sockets.error }

    /// Answers a request on its own thread.
    private static func answer(_ connection: GatewayConnection, _ bell: Bell) {
        let sockets = connection.sockets
        sockets.count(1)
        let isStarted = OwnThread.start(name: "stream request") {
            connection.serve()
            sockets.close(connection.client)
            sockets.count(-1)
            bell.ring()
        }
        guard !isStarted else { return }
        sockets.close(connection.client)
        sockets.count(-1)
    }

    private static func listen() throws(StreamError) -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && Glibc.listen(socket, 64) == 0
                    ? getsockname(socket, pointer, &length) : -1
            }
        }
        guard socket >= 0, status == 0 else {
            let reason = SystemError.last.message
            if socket >= 0 { close(socket) }
            throw .other("cannot open a local port for the stream: \(reason)")
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a connection to accept; returns `false` if the caller should check again.
    private static func waitForConnection(_ listener: Int32, _ bell: Bell, waitSeconds: Double)
        -> Bool
    {
        var files = [
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waitSeconds > 0 ? -1 : listener, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = waitSeconds > 0 ? Int32(min(60, waitSeconds) * 1000) + 1 : -1
        poll(&files, 2, bell.timeout(milliseconds))
        if files[0].revents != 0 { bell.silence() }
        return files[1].revents != 0
    }
}
