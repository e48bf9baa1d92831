internal import Dispatch
internal import Glibc
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
    /// The URLs of the page, the best one first.
    public let urls: [String]
    private let inbox: SessionInbox
    private let thread: OwnThread
    private let reach: Reach
    /// The file of the paired devices; `nil` if other machines do not reach the server.
    private let file: RemotesFile?
    private let announcement: ServiceAnnouncement?

    /// What other threads can make the server's thread do.
    private struct Reach: Sendable {
        let end: @Sendable () -> Void
        let perform: @Sendable (@escaping @Sendable (PageHub) -> Void) -> Void
    }

    /// The result of the start.
    private enum Start: Sendable {
        case running(ListenAddress, urls: [String], Reach)
        case failed(String)
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - requested: The address; port 0 means any free port.
    ///   - access: The settings for other machines.
    ///   - control: The session. Its events must be passed to `receive`.
    ///   - version: The version of the program.
    ///   - drawing: Draws a song for `/api/drawing`.
    ///   - services: What the program does with files and plugins.
    ///   - notify: Receives the refused requests, at most twice per second, on the server's thread.
    /// - Throws: `PageServerError` if the port is taken.
    public convenience init(
        at requested: ListenAddress, access: AccessOptions, control: any SessionControl,
        version: String, drawing: @escaping DrawnSong.Maker,
        services: PageServices = PageServices(),
        notify: @escaping @Sendable (ServerNotice) -> Void
    ) throws(PageServerError) {
        try self.init(
            at: requested, access: access, control: control, version: version,
            limits: ServerLimits(), drawing: drawing, services: services, notify: notify)
    }

    /// Starts a server with other limits than the usual ones.
    ///
    /// - Throws: `PageServerError` if the port is taken.
    package init(
        at requested: ListenAddress, access options: AccessOptions = AccessOptions(),
        control: any SessionControl, version: String, limits: ServerLimits,
        drawing: @escaping DrawnSong.Maker, services: PageServices = PageServices(),
        notify: @escaping @Sendable (ServerNotice) -> Void = { _ in }
    ) throws(PageServerError) {
        let isOpen = !requested.isLoopback || !options.remoteLoopback.isEmpty
        let remotes = isOpen ? try Self.remotes(options, requested) : Remotes()
        let names = isOpen ? MachineAddresses.names : []
        let inbox = SessionInbox()
        self.inbox = inbox
        file = isOpen ? options.file : nil
        let started = StartResult()
        let thread = OwnThread(name: "http") {
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { loop in
                Self.listen(
                    to: requested, options.certificate, loop, limits, started
                ) { address, urls in
                    let access = RemoteAccess(
                        address, url: urls[0], options: options,
                        store: isOpen ? options.file.map(RemoteAccess.store) : nil, loop: loop,
                        notify: notify)
                    access.follow(remotes)
                    return PageHub(
                        control, inbox: inbox, loop: loop,
                        check: SiteCheck(
                            address, names: names, isSecure: options.certificate != nil),
                        access: access,
                        limits: limits, version: version, drawing: drawing, services: services,
                        notify: notify)
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
        case .running(let address, let urls, let reach):
            (self.address, self.urls, self.reach, self.thread) = (address, urls, reach, thread)
            announcement =
                requested.isLoopback
                ? nil
                : ServiceAnnouncement(
                    "Stompline on \(names.first ?? "")", port: address.port,
                    isSecure: options.certificate != nil)
            Self.register(urls, in: file)
        case .failed(let reason):
            thread.join()
            throw PageServerError(requested, reason: reason)
        }
    }

    deinit {
        inbox.end()
        reach.end()
        _ = Self.register([], in: file)?.isDone(withinSeconds: Double(Self.endSeconds))
        _ = thread.join(withinSeconds: Self.endSeconds)
    }

    /// Passes an event of the session on; returns at once.
    public func receive(_ event: SessionEvent) { inbox.put(event) }

    /// The URL of the page.
    public var url: String { urls[0] }

    /// The path of the file of the paired devices; `nil` if other machines do not reach the server.
    public var remotesPath: String? { file?.path }

    /// Shows a new code for a pairing, unless other machines cannot reach the server.
    public func makeCode() { reach.perform { $0.access.makeCode() } }

    /// Reads the file of the paired devices again, on another thread.
    public func followRemotes() {
        guard let file else { return }
        _ = BlockingTask { [reach] in
            let result = Result { () throws(RemotesFileError) in try file.read() }
            reach.perform { $0.access.follow(result) }
        }
    }

    /// Returns the paired devices.
    ///
    /// - Throws: `PageServerError` if they cannot be stored.
    private static func remotes(
        _ options: AccessOptions, _ requested: ListenAddress
    ) throws(PageServerError) -> Remotes {
        guard let file = options.file else {
            throw PageServerError(
                requested,
                reason: "neither XDG_STATE_HOME nor HOME names a folder for the paired devices")
        }
        do throws(RemotesFileError) { return try file.read() } catch {
            throw PageServerError(requested, reason: "\(error)")
        }
    }

    /// Notes the URLs of this process in the file, or removes them, on another thread.
    @discardableResult
    private static func register(_ urls: [String], in file: RemotesFile?) -> BlockingTask? {
        file.map { file in
            BlockingTask {
                let server = Remotes.Server(process: Int(getpid()), urls: urls)
                // Without the entry, `stompline remotes --pair` does not find this server.
                _ = try? file.change { remotes in
                    remotes.register(server) { kill(pid_t(clamping: $0), 0) == 0 || errno == EPERM }
                }
            }
        }
    }

    /// Returns the URLs of the page, the best one first.
    private static func urls(of address: ListenAddress, isSecure: Bool) -> [String] {
        let start = isSecure ? "https://" : "http://"
        guard IPAddress(address.host)?.isWildcard == true else { return ["\(start)\(address)/"] }
        let isWide = address.host.contains(":")
        let addresses = MachineAddresses.all().filter { isWide || !$0.isWide }.map { "\($0)" }
        let names = MachineAddresses.names.filter { $0.hasSuffix(".local") }
        let hosts = addresses + names + ["127.0.0.1"]
        return hosts.map { "\(start)\($0):\(address.port)/" }
    }

    // MARK: Start

    /// Opens the port, and accepts connections from then on.
    private static func listen(
        to requested: ListenAddress, _ certificate: ServerCertificate?, _ loop: any EventLoop,
        _ limits: ServerLimits, _ started: StartResult,
        hub makeHub: @escaping @Sendable (ListenAddress, [String]) -> PageHub,
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
                    let urls = urls(of: address, isSecure: certificate != nil)
                    let hub = NIOLoopBound(makeHub(address, urls), eventLoop: loop)
                    setup.set(ConnectionSetup(hub, certificate))
                    begin(hub)
                    let reach = Reach(
                        end: { end(loop, channel, hub) },
                        perform: { body in loop.execute { body(hub.value) } })
                    started.set(.running(address, urls: urls, reach))
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
