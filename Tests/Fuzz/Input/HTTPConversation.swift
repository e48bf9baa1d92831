@testable internal import HTTPServer
internal import NIOCore
internal import NIOEmbedded
internal import Pipelines
internal import SessionCore
internal import Synchronization

/// A connection to the page's server, with a session whose engine renders, on one thread.
final class HTTPConversation {
    private static let address = ListenAddress(host: "127.0.0.1", port: 8080)
    /// The request that turns the connection into a WebSocket.
    private static let upgrade = Array(
        """
        GET /api/live HTTP/1.1\r
        Host: 127.0.0.1:8080\r
        Connection: Upgrade\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        \r

        """.utf8)

    private let loop = EmbeddedEventLoop()
    private let channel: EmbeddedChannel
    private let inbox = SessionInbox()
    private let stage: Stage
    private let control: StageControl
    private let hub: PageHub
    /// The bytes from the server that are not checked yet.
    private var received: [UInt8] = []
    private var lastRevision = 0
    private let file = RemotesBox()

    /// The content of the file of remotes, in memory.
    private final class RemotesBox: Sendable {
        let remotes = Mutex(Remotes())

        func change(_ body: (inout Remotes) -> Void) -> Remotes {
            remotes.withLock { remotes in
                body(&remotes)
                return remotes
            }
        }
    }

    /// The code with which a stranger can pair.
    static let code = "123456"

    /// Creates a connection.
    ///
    /// - Parameter isStranger: Whether the client is on another machine and has no key.
    init(isStranger: Bool = false) {
        do { stage = try Stage(OSCConversation.collection.songs) } catch {
            fatalError("the session does not start: \(error)")
        }
        control = StageControl(stage.session)
        var limits = ServerLimits()
        // The same input then always has the same effect.
        (limits.pageRequestsPerSecond, limits.plainRequestsPerSecond) = (1e9, 1e9)
        limits.changesPerSecond = 1e9
        var options = AccessOptions(permit: Permit(role: .look))
        if isStranger { options.remoteLoopback = ["127.0.0.2"] }
        let file = file
        let offer = PairingOffer(
            id: "0", permit: Permit(role: .look), endSeconds: .max,
            hash: AccessHash(of: "0:\(Self.code)"))
        let offered = file.change { $0.add(offer) }
        let access = RemoteAccess(
            Self.address, url: "http://127.0.0.1:8080/", options: options,
            store: { change, done in done(.success(file.change(change))) }, loop: loop,
            notify: { _ in })
        access.follow(offered)
        hub = PageHub(
            control, inbox: inbox, loop: loop, check: SiteCheck(Self.address), access: access,
            limits: limits, version: "0", drawing: { _ in "<svg/>" },
            services: PageServices(), notify: { _ in })
        channel = EmbeddedChannel(loop: loop)
        do {
            channel.localAddress = try SocketAddress(ipAddress: "127.0.0.1", port: 8080)
            channel.remoteAddress = try SocketAddress(
                ipAddress: isStranger ? "127.0.0.2" : "127.0.0.1", port: 1)
            try ConnectionSetup(NIOLoopBound(hub, eventLoop: loop), nil).begin(channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        } catch { fatalError("the connection does not start: \(error)") }
        control.watch { [inbox] event in inbox.put(event) }
    }

    deinit { control.watch(nil) }

    /// Sends bytes, and lets the server, the session and the engine process their effects.
    func send(_ bytes: [UInt8]) {
        guard channel.isActive else { return }
        // The error is that of a handler, which has closed the connection.
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        for _ in 0..<2 {
            stage.play(blocks: 1)
            loop.advanceTime(by: .milliseconds(1))
            hub.receive()
        }
        hub.receiveMeasurements()
        loop.advanceTime(by: .milliseconds(50))
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) {
            received += buffer.readableBytesView
        }
    }

    /// Turns the connection into a WebSocket.
    func becomePage() {
        send(Self.upgrade)
        let end = Array("\r\n\r\n".utf8)
        let head = received.indices.first { received[$0...].starts(with: end) }
        require(received.starts(with: Array("HTTP/1.1 101".utf8)), "the upgrade is refused")
        received.removeFirst((head ?? 0) + end.count)
        checkFrames()
        require(lastRevision > 0, "the page receives no snapshot")
    }

    /// Sends a text message of a page.
    func send(message: [UInt8]) {
        let length: [UInt8] =
            message.count < 126
            ? [0x80 | UInt8(message.count)]
            : [0xFE, UInt8(message.count >> 8 & 0xFF), UInt8(message.count & 0xFF)]
        send([0x81] + length + [0, 0, 0, 0] + message)
        checkFrames()
    }

    /// Ends the connection, and checks the state of the session.
    func end() {
        if channel.isActive { _ = try? channel.close().wait() }
        loop.advanceTime(by: .seconds(2))
        _ = try? channel.finish(acceptAlreadyClosed: true)
        require(hub.connectionCount == 0, "the server keeps a closed connection")
        stage.play(blocks: 2)
        stage.checkValues()
    }

    /// Checks that only the right code has paired a device, and that nobody else has read a value.
    func checkPairing(_ sent: [UInt8]) {
        let text = String(decoding: sent, as: UTF8.self)
        let isPaired = file.remotes.withLock { !$0.devices.isEmpty }
        require(!isPaired || text.contains("pair"), "a device is paired without a request")
        let answers = String(decoding: received, as: UTF8.self)
        require(isPaired || !answers.contains("\"revision\""), "a stranger reads the session")
    }

    /// Checks that everything received over HTTP begins with a response.
    func checkResponses() {
        require(
            received.isEmpty || received.starts(with: Array("HTTP/1.1 ".utf8)),
            "the server sends no response: \(String(decoding: received.prefix(60), as: UTF8.self))")
    }

    /// Checks that each frame is complete, and that texts are JSON with revisions that never
    /// decrease.
    private func checkFrames() {
        while !received.isEmpty {
            let short = Int(received[1])
            let wide = short < 126 ? 0 : short == 126 ? 2 : 8
            let size = wide == 0 ? short : received[2..<2 + wide].reduce(0) { $0 << 8 | Int($1) }
            let payload = Array(received[(2 + wide)..<(2 + wide + size)])
            if received[0] == 0x81 { checkText(payload) }
            received.removeFirst(2 + wide + size)
        }
    }

    private func checkText(_ text: [UInt8]) {
        let root = JSONText.element(text)
        let shown = String(decoding: text.prefix(200), as: UTF8.self)
        require(root?["type"]?.string != nil, "a message of the server is not valid: \(shown)")
        guard let revision = root?["revision"]?.wholeNumber else { return }
        require(revision >= lastRevision, "the revision decreases: \(shown)")
        lastRevision = revision
    }
}
