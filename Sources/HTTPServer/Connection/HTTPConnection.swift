internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// A connection that sends requests over HTTP.
///
/// Only the server's thread uses it.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler, TimedConnection {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The longest target of a request, in bytes.
    private static let mostTargetBytes = 8 << 10

    /// The event for which the connection waits.
    private enum Phase {
        /// The first byte of a request.
        case idle
        /// The end of the header.
        case header
        /// The end of the body.
        case body
        /// The end of a file, which goes to the disk.
        case upload
        /// The answer of the session.
        case answer
        /// The client, which must receive the response.
        case client
        /// Nothing: the connection ends.
        case end
    }

    private let hub: PageHub
    private let peer: Peer
    private(set) var visitor = Visitor.stranger
    private let limits: ServerLimits
    private var context: ChannelHandlerContext?
    private var phase = Phase.idle
    private var phaseSeconds: Double
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var rate: RateLimit
    private var incoming: IncomingFile?
    /// The number of the current request, so that late answers to others are recognised.
    private var number = 0

    init(of hub: PageHub, from peer: Peer) {
        self.hub = hub
        self.peer = peer
        limits = hub.limits
        phaseSeconds = hub.nowSeconds
        rate = RateLimit(
            perSecond: limits.plainRequestsPerSecond, nowSeconds: phaseSeconds)
    }

    private func enter(_ newPhase: Phase) {
        phase = newPhase
        phaseSeconds = hub.nowSeconds
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { forget() }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    private func forget() {
        context = nil
        number += 1
        endUpload()
        hub.remove(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            return context.close(promise: nil)
        }
        switch phase {
        case .idle, .header, .body, .upload:
            let isLong = error == .headerOverflow
            refuse(
                isLong ? .tooLong : .malformed,
                isLong
                    ? .refusal(.requestHeaderFieldsTooLarge, "the header is too long")
                    : .refusal(.badRequest, "the request is not HTTP"))
        case .answer, .client, .end: context.close(promise: nil)
        }
    }

    // MARK: Time

    /// Notes that bytes have arrived.
    func receiveBytes() { if case .idle = phase { enter(.header) } }

    func checkTime(nowSeconds: Double) {
        let limit: Double
        switch phase {
        case .idle: limit = limits.idleSeconds
        case .header: limit = limits.headerSeconds
        case .body: limit = limits.bodySeconds
        case .upload:
            let sent = Double(incoming?.byteCount ?? 0)
            limit = limits.bodySeconds + sent / limits.uploadBytesPerSecond
        case .answer: limit = limits.longAnswerSeconds + limits.answerSeconds
        case .client, .end: limit = limits.writeSeconds
        }
        guard nowSeconds - phaseSeconds > limit else { return }
        switch phase {
        case .header:
            hub.refuse(.tooLong)
            context?.close(promise: nil)
        case .body, .upload:
            refuse(.tooLong, .refusal(.requestTimeout, "the body came too slowly"))
        case .client:
            hub.refuse(.tooSlow)
            context?.close(promise: nil)
        case .idle, .answer, .end: context?.close(promise: nil)
        }
    }

    func end() { context?.close(promise: nil) }

    func revoke() { context?.close(promise: nil) }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = phase { return }
        switch Self.unwrapInboundIn(data) {
        case .head(let head): begin(head)
        case .body(let bytes): add(bytes)
        case .end:
            if case .body = phase { carryOut() }
            if case .upload = phase { completeUpload() }
        }
    }

    private func begin(_ newHead: HTTPRequestHead) {
        head = newHead
        body = []
        number += 1
        enter(.body)
        hub.countRequest()
        visitor = hub.access.visitor(newHead, from: peer)
        if let (refusal, response) = Self.refusal(newHead, of: hub, from: peer) {
            return refuse(refusal, response)
        }
        guard rate.admits(nowSeconds: phaseSeconds) else {
            return refuse(.tooMany, .refusal(.tooManyRequests, "too many requests"))
        }
        let route = Route(newHead.uri)
        if case .libraryFile(let file, let path) = route, newHead.method == .PUT {
            // Before the first byte of the file; other requests are checked with their body.
            if let reason = hub.refusal(of: Deed(route, "PUT"), by: visitor) {
                return refuse(.forbidden, .refusal(.forbidden, reason))
            }
            return beginUpload(file, path, newHead)
        }
        admitBody(newHead)
    }

    /// Asks a client for the body if it waits for that.
    private func admitBody(_ newHead: HTTPRequestHead) {
        if newHead.headers[canonicalForm: "Expect"].contains(where: {
            $0.lowercased() == "100-continue"
        }) {
            let head = HTTPResponseHead(version: newHead.version, status: .continue)
            context?.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
    }

    /// Returns the reason for which a request is refused before it is carried out; `nil` if it is
    /// allowed.
    static func refusal(
        _ head: HTTPRequestHead, of hub: PageHub, from peer: Peer
    ) -> (ServerNotice.Refusal, Response)? {
        guard head.uri.utf8.count <= mostTargetBytes else {
            return (.tooLong, .refusal(.uriTooLong, "the path is too long"))
        }
        let fields = SiteCheck.Fields(
            host: head.headers["Host"], origin: head.headers["Origin"],
            fetchSite: head.headers["Sec-Fetch-Site"], fetchMode: head.headers["Sec-Fetch-Mode"],
            fetchDestination: head.headers["Sec-Fetch-Dest"])
        let route = Route(head.uri)
        let connected = hub.access.isOpen ? peer.connected.map { "\($0)" } : nil
        switch hub.check.verdict(
            fields, mayNavigate: route.mayBeLinked, connected: connected)
        {
        case .admitted: return strangerRefusal(head, route, of: hub, from: peer)
        case .malformed:
            return (.malformed, .refusal(.badRequest, "Host and Origin must not be repeated"))
        case .foreignHost:
            return (.foreignHost, .refusal(.misdirectedRequest, "Host names another server"))
        case .foreignSite:
            return (
                .foreignSite, .refusal(.forbidden, "pages of other sites have no access")
            )
        }
    }

    /// Returns the reason for which a request of another machine without a key is refused.
    private static func strangerRefusal(
        _ head: HTTPRequestHead, _ route: Route, of hub: PageHub, from peer: Peer
    ) -> (ServerNotice.Refusal, Response)? {
        switch Deed(route, head.method.rawValue) {
        case .open, .pair: return nil
        case .look, .own, .set, .act, .key, .connect, .edit: break
        }
        guard hub.access.visitor(head, from: peer) == .stranger else { return nil }
        var response = Response.refusal(
            .unauthorized, "this device is not paired", suggestion: "POST /api/pair")
        response.headers.add(name: "WWW-Authenticate", value: "Bearer")
        return (.noKey, response)
    }

    private func add(_ bytes: ByteBuffer) {
        if case .upload = phase { return addToUpload(bytes) }
        guard case .body = phase else { return }
        guard body.count + bytes.readableBytes <= limits.bodyBytes else {
            return refuse(.tooLong, .refusal(.payloadTooLarge, "the body is too long"))
        }
        body += bytes.readableBytesView
    }

    private func carryOut() {
        guard let head else { return }
        enter(.answer)
        let current = number
        let body = body
        self.body = []
        let handler = RequestHandler(
            hub, for: ObjectIdentifier(self), of: visitor, from: peer)
        handler.handle(Route(head.uri), head, body) { [weak self] response in
            guard let self, self.number == current else { return }
            self.send(response, isLast: !head.isKeepAlive)
        }
    }

    private func refuse(_ refusal: ServerNotice.Refusal, _ response: Response) {
        hub.refuse(refusal)
        send(response, isLast: true)
    }

    // MARK: Uploads

    /// Begins to receive a file; the client waits until the files that play are known.
    private func beginUpload(_ file: String, _ path: String, _ newHead: HTTPRequestHead) {
        let hasRoom = hub.beginUpload()
        enter(.upload)
        incoming = IncomingFile(isCounted: hasRoom)
        guard hasRoom else {
            hub.refuse(.tooMany)
            return reject(
                .refusal(.serviceUnavailable, "too many files are being sent; try again"), newHead)
        }
        setReading(false)
        let current = number
        hub.whenCurrent { [weak self] in
            guard let self, self.number == current, case .upload = self.phase else { return }
            self.openUpload(file, path, newHead)
        }
    }

    private func openUpload(_ file: String, _ path: String, _ newHead: HTTPRequestHead) {
        let current = number
        let work = hub.work
        // SAFETY: the server's thread alone uses the value.
        let bound = NIOLoopBound(WeakConnection(self), eventLoop: work.eventLoop)
        do throws(LibraryRefusal) {
            guard hub.state.isCurrent else {
                throw LibraryRefusal(.gatewayTimeout, "the session does not answer")
            }
            let request = try UploadRequest(
                file, path, newHead, among: hub.state.files, limits, check: hub.services.check)
            let upload = FileUpload(
                to: request.target, byteCount: request.byteCount,
                reserveBytes: limits.reservedDiskBytes,
                resume: { work.execute { bound.value.connection?.setReading(true, for: current) } },
                finish: { response in
                    work.execute { bound.value.connection?.finishUpload(response, for: current) }
                })
            incoming?.open(upload, limit: request.limit(limits))
            admitBody(newHead)
            setReading(true)
        } catch {
            reject(error.response, newHead)
        }
    }

    /// Answers a request for which no file is written.
    ///
    /// A browser shows the answer only if it could send the whole file, so the file is received and
    /// forgotten, unless the client waits for the answer.
    private func reject(_ response: Response, _ newHead: HTTPRequestHead) {
        let isSending = newHead.headers[canonicalForm: "Expect"].isEmpty
        guard isSending, Self.mayDiscard(newHead, limits) else {
            return refuse(.malformed, response)
        }
        incoming?.response = response
        setReading(true)
        if incoming?.isComplete == true { answerUpload(response) }
    }

    /// Returns whether the rest of a refused file may be received and forgotten.
    private static func mayDiscard(_ head: HTTPRequestHead, _ limits: ServerLimits) -> Bool {
        let count = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        return count <= limits.uploadBytes
    }

    private func addToUpload(_ bytes: ByteBuffer) {
        guard incoming?.add(bytes, most: limits.uploadBytes) ?? false else {
            return refuse(.tooLong, .refusal(.payloadTooLarge, "the file is too large"))
        }
        if incoming?.isFull == true { setReading(false) }
    }

    private func completeUpload() {
        incoming?.complete()
        guard let response = incoming?.response else { return }
        answerUpload(response)
    }

    /// Handles the result of the blocking task.
    fileprivate func finishUpload(_ response: Response, for request: Int) {
        guard number == request, case .upload = phase else { return }
        // A file that was refused early is received to its end first.
        incoming?.response = response
        setReading(true)
        if incoming?.isComplete == true { answerUpload(response) }
    }

    private func answerUpload(_ response: Response) {
        let isLast = head?.isKeepAlive != true
        endUpload()
        send(response, isLast: isLast)
    }

    private func endUpload() {
        guard let ended = incoming else { return }
        incoming = nil
        ended.end()
        if ended.isCounted { hub.endUpload() }
        setReading(true)
    }

    fileprivate func setReading(_ isOn: Bool, for request: Int) {
        if number == request { setReading(isOn) }
    }

    private func setReading(_ isOn: Bool) {
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }

    // MARK: Responses

    private func send(_ response: Response, isLast: Bool) {
        endUpload()
        guard let context else { return }
        enter(isLast ? .end : .client)
        number += 1
        var headers = response.headers
        headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.readableBytes)")
        headers.add(name: "Date", value: HTTPDate.text(time(nil)))
        headers.add(name: "X-Content-Type-Options", value: "nosniff")
        headers.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
        headers.add(name: "Referrer-Policy", value: "no-referrer")
        if isLast { headers.replaceOrAdd(name: "Connection", value: "close") }
        if response.status == .notModified { headers.remove(name: "Content-Length") }
        let responseHead = HTTPResponseHead(
            version: .http1_1, status: response.status, headers: headers)
        context.write(wrapOutboundOut(.head(responseHead)), promise: nil)
        if head?.method != .HEAD, response.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
        let current = number
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete {
            [weak self] _ in
            if isLast { return self?.context?.close(promise: nil) ?? () }
            guard let self, self.number == current, case .client = self.phase else { return }
            self.enter(.idle)
        }
    }
}

/// A connection that a blocking task must not keep alive.
private struct WeakConnection {
    private(set) weak var connection: HTTPConnection?

    init(_ connection: HTTPConnection) { self.connection = connection }
}
