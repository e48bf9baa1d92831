internal import Dispatch
internal import NIOCore
internal import NIOPosix
internal import Platform
public import SessionCore
internal import Synchronization

/// The server of the page in the browser, of the requests over HTTP, and of the WebSockets, on a
/// separate thread.
///
/// The thread has the usual priority, below that of all audio threads. Waiting data, times, rates
/// and numbers of connections are limited.
public final class PageServer: Sendable {
    /// The longest wait for the thread at the end, in seconds.
    private static let endSeconds: Int32 = 3
    /// The time in which the server informs connected pages of the end, in milliseconds.
    private static let farewellMilliseconds: Int64 = 200

    /// The address of the server, with its port.
    public let address: ListenAddress
    private let inbox: SessionInbox
    private let thread: OwnThread
    private let ending: Ending

    /// Ends the server, on its own thread.
    private typealias Ending = @Sendable () -> Void

    /// The result of the start.
    private enum Start: Sendable {
        case running(ListenAddress, Ending)
        case failed(String)
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - requested: The address; port 0 means any free port.
    ///   - control: The session. Its events must be passed to `receive`.
    ///   - version: The version of the program.
    ///   - drawing: Draws a song for `/api/drawing`.
    ///   - palette: Makes the JSON text of `/api/palette` or of one type; `nil` if there is no such
    ///     type. It may block, and is called on any thread.
    ///   - notify: Receives the refused requests, at most twice per second, on the server's thread.
    /// - Throws: `PageServerError` if the port is taken.
    public convenience init(
        at requested: ListenAddress, control: any SessionControl, version: String,
        drawing: @escaping DrawnSong.Maker,
        palette: @escaping @Sendable (PaletteRequest) -> String?,
        notify: @escaping @Sendable (ServerNotice) -> Void
    ) throws(PageServerError) {
        try self.init(
            at: requested, control: control, version: version, limits: ServerLimits(),
            drawing: drawing, palette: palette, notify: notify)
    }

    /// Starts a server with other limits than the usual ones.
    ///
    /// - Throws: `PageServerError` if the port is taken.
    package init(
        at requested: ListenAddress, control: any SessionControl, version: String,
        limits: ServerLimits, drawing: @escaping DrawnSong.Maker,
        palette: @escaping @Sendable (PaletteRequest) -> String? = { _ in nil },
        notify: @escaping @Sendable (ServerNotice) -> Void = { _ in }
    ) throws(PageServerError) {
        let inbox = SessionInbox()
        self.inbox = inbox
        let started = StartResult()
        let thread = OwnThread(name: "http") {
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
                Self.listen(to: requested, loop, limits, started) { check in
                    PageHub(
                        control, inbox: inbox, loop: loop, check: check, limits: limits,
                        version: version, drawing: drawing, palette: palette, notify: notify)
                } begin: { hub in
                    inbox.begin(
                        wake: { loop.execute { hub.value.receive() } },
                        wakeForMeters: { loop.execute { hub.value.receiveMeasurements() } })
                }
            }
        }
        guard let thread else {
            throw PageServerError(requested, reason: "no thread could be started")
        }
        switch started.wait() {
        case .running(let address, let ending):
            (self.address, self.ending, self.thread) = (address, ending, thread)
        case .failed(let reason):
            thread.join()
            throw PageServerError(requested, reason: reason)
        }
    }

    deinit {
        inbox.end()
        ending()
        _ = thread.join(withinSeconds: Self.endSeconds)
    }

    /// Passes an event of the session on; returns at once.
    public func receive(_ event: SessionEvent) { inbox.put(event) }

    /// The URL of the page.
    public var url: String { "http://\(address)/" }

    // MARK: Start

    /// Opens the port, and accepts connections from then on.
    private static func listen(
        to requested: ListenAddress, _ loop: any EventLoop, _ limits: ServerLimits,
        _ started: StartResult, hub makeHub: @escaping @Sendable (SiteCheck) -> PageHub,
        begin: @escaping @Sendable (NIOLoopBound<PageHub>) -> Void
    ) {
        let fail: @Sendable (any Error) -> Void = { error in
            started.set(.failed("\(error)"))
            loop.shutdownGracefully(queue: .global()) { _ in }
        }
        let socketAddress: SocketAddress
        do {
            socketAddress = try SocketAddress(
                ipAddress: requested.host, port: Int(requested.port))
        } catch { return fail(error) }
        let setup = LateSetup(eventLoop: loop)
        ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: limits.waitingBytes / 2, high: limits.waitingBytes)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try setup.begin(channel) }
            }
            .bind(to: socketAddress)
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    let port = UInt16(clamping: channel.localAddress?.port ?? 0)
                    let address = ListenAddress(host: requested.host, port: port)
                    let hub = NIOLoopBound(makeHub(SiteCheck(address)), eventLoop: loop)
                    setup.set(ConnectionSetup(hub))
                    begin(hub)
                    started.set(.running(address) { end(loop, channel, hub) })
                case .failure(let error): fail(error)
                }
            }
    }

    /// Ends the connections, and the thread soon after.
    private static func end(
        _ loop: any EventLoop, _ channel: any Channel, _ hub: NIOLoopBound<PageHub>
    ) {
        loop.execute {
            channel.close(promise: nil)
            hub.value.receive()
            hub.value.end()
            let wait = hub.value.connectionCount == 0 ? 0 : farewellMilliseconds
            loop.scheduleTask(in: .milliseconds(wait)) {
                loop.shutdownGracefully(queue: .global()) { _ in }
            }
        }
    }

    /// Passes the result of the start from the server's thread to the one that starts it.
    private final class StartResult: Sendable {
        private let result = Mutex<Start?>(nil)
        private let semaphore = Semaphore()

        func set(_ value: Start) {
            result.withLock { $0 = value }
            semaphore.signal()
        }

        func wait() -> Start {
            semaphore.wait()
            return result.withLock { $0 } ?? .failed("the server did not start")
        }
    }

    /// The setup of connections, which needs the port.
    private final class LateSetup: Sendable {
        private let setup: NIOLoopBoundBox<ConnectionSetup?>

        init(eventLoop: any EventLoop) { setup = NIOLoopBoundBox(nil, eventLoop: eventLoop) }

        func set(_ value: ConnectionSetup) { setup.value = value }

        func begin(_ channel: any Channel) throws { try setup.value?.begin(channel) }
    }
}

/// The reason why the server cannot start.
public struct PageServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The requested address.
    public let address: ListenAddress
    /// The system's reason as text.
    public let reason: String

    init(_ address: ListenAddress, reason: String) {
        self.address = address
        self.reason = reason
    }

    /// A sentence without its full stop.
    public var description: String { "cannot listen to TCP \(address): \(reason)" }
}
