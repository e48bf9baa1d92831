internal import NIOCore
internal import NIOWebSocket
internal import Pipelines
internal import SessionCore
internal import SessionTexts

/// A page that is connected by a WebSocket.
///
/// It keeps the changes that its client could not receive yet: the newest value of each address,
/// the parts, and a limited number of events and answers. Only the server's thread uses it.
final class LivePage: ChannelInboundHandler, TimedConnection {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    let visitor: Visitor
    private let hub: PageHub
    private let limits: ServerLimits
    private var context: ChannelHandlerContext?
    private var isClosed = false
    private var waiting = StateChanges()
    private var needsSnapshot = false
    private var needsAccess = false
    private var droppedCount = 0
    private var answers: [[JSONValue.Member]] = []
    private var meters = MeterFrame()
    private var nodeMeters = NodeMeterFrame()
    private var metersPerSecond = 0
    /// The time at which the next frame of meters is due.
    private var metersDueSeconds = -Double.infinity
    private var rate: RateLimit
    private var lifeSeconds: Double
    private var pingSeconds: Double
    private var fullSeconds: Double?

    init(of hub: PageHub, for visitor: Visitor) {
        self.hub = hub
        self.visitor = visitor
        limits = hub.limits
        let now = hub.nowSeconds
        rate = RateLimit(perSecond: limits.pageRequestsPerSecond, nowSeconds: now)
        (lifeSeconds, pingSeconds) = (now, now)
    }

    /// Whether the page wants meters.
    var watchesMeters: Bool { metersPerSecond > 0 }
    /// Whether the client wants meters of nodes too.
    var watchesNodes: Bool { wantsNodes && watchesMeters }
    private var wantsNodes = false
    /// The node whose spectrum the client watches; `nil` for none.
    var watchedSpectrum: String? { watchesMeters ? wantedSpectrum : nil }
    private var wantedSpectrum: String?

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { forget() }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    private func forget() {
        context = nil
        isClosed = true
        hub.remove(self)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        fullSeconds = context.channel.isWritable ? nil : hub.nowSeconds
        if context.channel.isWritable { hub.scheduleFlush() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is FrameCheck.Violation: close(.violation, because: .malformed)
        case NIOWebSocketError.invalidFrameLength,
            NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketFrameAggregator.Error.tooManyFragments,
            NIOWebSocketFrameAggregator.Error.nonFinalFragmentSizeIsTooSmall:
            close(.tooLong, because: .tooLong)
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error:
            close(.violation, because: .malformed)
        default: context.close(promise: nil)
        }
    }

    // MARK: Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        let frame = Self.unwrapInboundIn(data)
        lifeSeconds = hub.nowSeconds
        guard rate.admits(nowSeconds: lifeSeconds) else { return refuseFlood() }
        switch frame.opcode {
        case .text: receive(Array(frame.unmaskedData.readableBytesView))
        case .binary: close(.binary, because: .malformed)
        case .ping: if context.channel.isWritable { send(.pong, frame.unmaskedData) }
        case .pong: break
        case .connectionClose: answerClose(frame.unmaskedData)
        default: close(.violation, because: .malformed)
        }
    }

    /// Answers a close frame with the same code.
    private func answerClose(_ data: ByteBuffer) {
        var data = data
        guard data.readableBytes != 0 else { return close(code: .normalClosure) }
        guard let code = data.readWebSocketErrorCode(), Self.mayBeSent(code) else {
            return close(.violation, because: .malformed)
        }
        guard String(validating: data.readableBytesView, as: UTF8.self) != nil else {
            return close(.malformed, because: .malformed)
        }
        close(code: code)
    }

    /// Returns whether RFC 6455 allows a close frame to contain a code.
    private static func mayBeSent(_ code: WebSocketErrorCode) -> Bool {
        switch UInt16(webSocketErrorCode: code) {
        case 1000...1003, 1007...1011, 3000...4999: true
        default: false
        }
    }

    private func close(
        _ reason: CloseReason, because refusal: ServerNotice.Refusal? = nil
    ) {
        close(code: reason.code, because: refusal)
    }

    private func close(
        code: WebSocketErrorCode, because refusal: ServerNotice.Refusal? = nil
    ) {
        guard !isClosed, let context else { return }
        isClosed = true
        if let refusal { hub.refuse(refusal) }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { _ in
            channel.close(promise: nil)
        }
        // A client that receives no data does not get the frame; the time check ends its
        // connection.
    }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard !isClosed, let context else { return }
        let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    // MARK: Time

    func checkTime(nowSeconds: Double) {
        guard let context else { return }
        if let id = visitor.deviceID, !isClosed { hub.access.note(id) }
        if isClosed || isSilent(nowSeconds) || isFull(nowSeconds) {
            if !isClosed { hub.refuse(.tooSlow) }
            isClosed = true
            context.close(promise: nil)
        } else if nowSeconds - pingSeconds >= limits.pingSeconds, context.channel.isWritable {
            pingSeconds = nowSeconds
            send(.ping, ByteBuffer())
        }
    }

    private func isSilent(_ nowSeconds: Double) -> Bool {
        nowSeconds - lifeSeconds > limits.silentSeconds
    }

    private func isFull(_ nowSeconds: Double) -> Bool {
        fullSeconds.map { nowSeconds - $0 > limits.writeSeconds } ?? false
    }

    func end() { close(.programEnds) }

    func revoke() { close(.revoked) }

    // MARK: Requests

    private func receive(_ text: [UInt8]) {
        guard String(validating: text, as: UTF8.self) != nil,
            let request = PageRequest(parsing: text)
        else { return close(.malformed, because: .malformed) }
        let now = lifeSeconds
        if let reason = hub.refusal(of: Deed(request.task), by: visitor) {
            hub.refuse(.forbidden)
            return answer(request.id, AnswerJSON.refusal(reason, nil))
        }
        switch request.task {
        case .ping: answer(request.id, AnswerJSON.members(of: .done))
        case .snapshot:
            needsSnapshot = true
            answer(request.id, AnswerJSON.members(of: .done))
        case .watch(let meters, let nodes, let spectrum):
            metersPerSecond = meters
            wantsNodes = nodes
            wantedSpectrum = spectrum
            hub.followPages()
            answer(request.id, AnswerJSON.members(of: .done))
        case .ask(let asked): ask(asked, request.id)
        case .set(let asked, let address, let revision):
            guard !hub.state.isStale(address, seen: revision, nowSeconds: now) else {
                return answerStale(request.id, address)
            }
            ask(asked, request.id)
        case .stage(let asked, let revision):
            guard !hub.state.isStageStale(seen: revision, nowSeconds: now) else {
                return answerStale(request.id)
            }
            ask(asked, request.id)
        case .invalid(let reason): answer(request.id, AnswerJSON.refusal(reason, nil))
        }
    }

    private func refuseFlood() { close(.flood, because: .tooMany) }

    private func answerStale(_ id: Int, _ address: String? = nil) {
        var members: [JSONValue.Member] = [
            .init("answer", .string(PageAnswerName.stale.rawValue)),
            .init("message", "the session has changed since the page showed it"),
        ]
        if let address {
            members.append(.init("value", hub.state.value(address)?.json ?? .null))
        }
        answer(id, members)
    }

    private func ask(_ request: SessionRequest, _ id: Int) {
        let isAdmitted = hub.requests.send(
            request, for: ObjectIdentifier(self), nowSeconds: lifeSeconds
        ) { [weak self] answer in
            self?.answer(id, AnswerJSON.members(of: answer))
        }
        guard !isAdmitted else { return }
        hub.refuse(.tooMany)
        answer(id, AnswerJSON.refusal("too many requests wait for the session", nil))
    }

    private func answer(_ id: Int, _ members: [JSONValue.Member]) {
        // The answers to a client that does not receive them must not accumulate.
        guard answers.count < 2 * limits.pendingPerConnection else { return refuseFlood() }
        answers.append([PageMessageName.answer.member, .init("id", .integer(id))] + members)
        hub.scheduleFlush()
    }

    // MARK: Changes

    /// Sends a snapshot next.
    func requestSnapshot() { needsSnapshot = true }

    /// Sends the part `access` soon.
    func requestAccess() { needsAccess = true }

    /// Adds changes to those that wait.
    func add(_ changes: StateChanges) {
        if changes.needsSnapshot { needsSnapshot = true }
        waiting.events += changes.events
        droppedCount += changes.droppedCount
        let surplus = waiting.events.count - limits.waitingEvents
        if surplus > 0 {
            waiting.events.removeFirst(surplus)
            droppedCount += surplus
        }
        guard !needsSnapshot else { return }
        waiting.values.formUnion(changes.values)
        waiting.reports.formUnion(changes.reports)
        waiting.parts.formUnion(changes.parts)
    }

    /// Sends the waiting messages, if the client receives data.
    func flush(_ texts: inout ChangeTexts, _ state: LiveState) {
        guard !isClosed, let context, context.channel.isWritable else { return }
        defer { context.flush() }
        if needsSnapshot {
            // The answers must wait, too: they follow the changes that their requests made.
            guard state.isCurrent else { return }
            needsSnapshot = false
            needsAccess = false
            waiting = StateChanges()
            droppedCount = 0
            write(texts.snapshotMessage(access: hub.accessText(of: visitor)))
        } else {
            if needsAccess { write(texts.message(access: hub.accessText(of: visitor))) }
            needsAccess = false
            writeChanges(&texts)
        }
        writeAnswers(revision: state.revision)
    }

    private func writeChanges(_ texts: inout ChangeTexts) {
        if !waiting.values.isEmpty || !waiting.reports.isEmpty {
            write(texts.message(values: waiting.values, reports: waiting.reports))
        }
        for part in StatePart.allCases where waiting.parts.contains(part) {
            write(texts.message(part))
        }
        for event in waiting.events {
            write(texts.message(event, droppedCount: droppedCount))
            droppedCount = 0
        }
        waiting = StateChanges()
    }

    private func writeAnswers(revision: Int) {
        for members in answers {
            let all = members + [.init("revision", .integer(revision))]
            write(ByteBuffer(string: JSONValue.object(all).text))
        }
        answers.removeAll(keepingCapacity: true)
    }

    private func write(_ message: ByteBuffer, _ opcode: WebSocketOpcode = .text) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, data: message)
        context?.write(wrapOutboundOut(frame), promise: nil)
    }

    // MARK: Meters

    /// Adds measurements, and writes them if they are due and the client receives data; `flush`
    /// sends them.
    ///
    /// - Parameters:
    ///   - measurements: The measurements.
    ///   - state: The state, which contains the order of the channels.
    ///   - nowSeconds: The time in seconds.
    func write(
        _ measurements: SessionInbox.Measurements, _ state: LiveState, nowSeconds: Double
    ) {
        guard watchesMeters, !isClosed, let context else { return }
        meters.add(measurements, ports: state.meterPorts)
        if watchesNodes { nodeMeters.add(measurements, channels: state.nodeChannels) }
        if let wantedSpectrum, let levels = measurements.spectra[wantedSpectrum],
            context.channel.isWritable
        {
            write(SpectrumFrame.message(levels), .binary)
        }
        // Measurements have a period of their own, so a frame may be a little early; the due times
        // keep the requested rate on average.
        let period = 1 / Double(metersPerSecond)
        let isDue = nowSeconds >= metersDueSeconds - 0.25 * period
        guard isDue, meters.isNew, context.channel.isWritable else { return }
        metersDueSeconds = max(metersDueSeconds + period, nowSeconds)
        write(meters.pop(), .binary)
        if watchesNodes, nodeMeters.isNew { write(nodeMeters.pop(), .binary) }
    }
}
