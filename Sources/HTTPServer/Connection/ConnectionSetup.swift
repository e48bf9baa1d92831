internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Builds the handlers of new connections.
struct ConnectionSetup {
    /// The largest number of fragments of a message.
    private static let mostFragments = 64
    /// The largest number of fields of a header.
    private static let mostFields = 64
    /// The response to a connection for which there is no room.
    private static let refusal =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    private let hub: NIOLoopBound<PageHub>
    private let certificate: ServerCertificate?

    /// Creates a setup.
    ///
    /// - Parameters:
    ///   - hub: The hub of the connections.
    ///   - certificate: The certificate for TLS; `nil` for HTTP without TLS.
    init(_ hub: NIOLoopBound<PageHub>, _ certificate: ServerCertificate?) {
        self.hub = hub
        self.certificate = certificate
    }

    /// Adds the handlers of a new connection.
    func begin(_ channel: any Channel) throws {
        let hub = self.hub.value
        let peer = Peer(channel)
        let connection = HTTPConnection(of: hub, from: peer)
        guard hub.add(connection, from: peer) else { return refuse(channel) }
        let notice = FirstByteNotice { [weak connection] in connection?.receiveBytes() }
        let bound = NIOLoopBound((connection, notice), eventLoop: channel.eventLoop)
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: hub.limits.messageBytes, automaticErrorHandling: false,
            shouldUpgrade: { [hub = self.hub] channel, head in
                channel.eventLoop.makeSucceededFuture(
                    Self.admits(head, hub.value, from: peer) ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { [hub = self.hub] channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let (connection, notice) = bound.value
                    let visitor = hub.value.access.visitor(head, from: peer)
                    try Self.upgrade(channel, hub.value, connection, notice, visitor)
                }
            })
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = hub.limits.headerBytes
        limits.maxHeaderListSize = hub.limits.headerBytes
        limits.maxHeaderFieldCount = Self.mostFields
        let pipeline = channel.pipeline.syncOperations
        if let certificate { try pipeline.addHandler(TLSGate(certificate.context)) }
        try pipeline.addHandler(notice)
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: ([upgrader], { _ in }), withErrorHandling: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(connection)
    }

    /// Refuses a connection for which there is no room.
    private func refuse(_ channel: any Channel) {
        hub.value.refuse(.tooMany)
        channel.writeAndFlush(ByteBuffer(string: Self.refusal)).assumeIsolated().whenComplete {
            _ in channel.close(promise: nil)
        }
    }

    /// Returns whether a request may become a WebSocket; if not, it is answered as a request.
    private static func admits(
        _ head: HTTPRequestHead, _ hub: PageHub, from peer: Peer
    ) -> Bool {
        guard Route(head.uri) == .live, head.method == .GET,
            HTTPConnection.refusal(head, of: hub, from: peer) == nil
        else { return false }
        return hub.pageCount < hub.limits.pages
    }

    private static func upgrade(
        _ channel: any Channel, _ hub: PageHub, _ connection: HTTPConnection,
        _ notice: FirstByteNotice, _ visitor: Visitor
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let page = LivePage(of: hub, for: visitor)
        try pipeline.addHandler(FrameCheck())
        try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: mostFragments,
                maxAccumulatedFrameSize: hub.limits.messageBytes))
        try pipeline.addHandler(page)
        hub.add(page, insteadOf: connection)
        _ = pipeline.removeHandler(connection)
        _ = pipeline.removeHandler(notice)
    }
}
