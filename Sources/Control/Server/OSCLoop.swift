internal import Glibc
internal import SessionCore
internal import Platform

/// The work of the server's thread: it receives datagrams, sends requests to the session, and sends
/// answers and events to other programs.
final class OSCLoop {
    /// The maximum number of datagrams to read before other work is done.
    private static let maximumAtOnce = 256
    /// The maximum number of consecutive datagrams from senders without access in which tokens and
    /// answers to challenges are read.
    private static let maximumAccessDatagramsAtOnce = 8
    /// The pause after `maximumAtOnce` datagrams from senders without access in a row, in
    /// microseconds.
    private static let strangerPauseMicroseconds: UInt32 = 1000
    private let inbox: OSCInbox
    private let warn: @Sendable (OSCWarning) -> Void
    private let socket: DatagramSocket
    private var requests: OSCRequests
    private var subscribers = Subscribers()
    private var errorLog = ErrorLog()
    private var outbox = Outbox()
    private var access: AccessControl
    private var strangers = StrangerLog()
    private var buffer = [UInt8](repeating: 0, count: OSCPacket.maximumBytes)
    /// Whether the current datagram has already requested all values.
    private var hasDumped = false

    init(
        _ socket: DatagramSocket, access: AccessControl, control: any SessionControl,
        inbox: OSCInbox,
        warn: @escaping @Sendable (OSCWarning) -> Void
    ) {
        self.access = access
        self.socket = socket
        self.inbox = inbox
        requests = OSCRequests(to: control) { inbox.put($0, to: $1) }
        self.warn = warn
    }

    /// Runs until the inbox ends the server.
    func run() {
        requests.requestAddresses()
        while true {
            wait()
            receive()
            let contents = inbox.popAll()
            if contents.isOver { return }
            follow(contents)
            let now = MonotonicTime.nowSeconds
            sendRequests(nowSeconds: now)
            sendReplies(nowSeconds: now)
        }
    }

    /// Sleeps until a datagram or an answer arrives, or waiting work may be due.
    private func wait() {
        var waits = [socket.descriptor, inbox.bell.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let isBusy = !outbox.isEmpty || subscribers.haveWaiting
        let isQuiet =
            subscribers.isEmpty && errorLog.isEmpty && requests.isEmpty && strangers.isEmpty
        let milliseconds: Int32 = isBusy ? 5 : isQuiet ? -1 : 250
        _ = poll(&waits, nfds_t(waits.count), inbox.bell.timeout(milliseconds))
    }

    // MARK: Datagrams

    private func receive() {
        var (strangerCount, accessCount) = (0, 0)
        let now = MonotonicTime.nowSeconds
        for _ in 0..<Self.maximumAtOnce {
            guard let (count, sender) = socket.receive(into: &buffer) else { return }
            let isAdmitted = access.admits(sender, nowSeconds: now)
            access.receive(count, from: sender)
            if isAdmitted {
                receive(count, from: sender, nowSeconds: now)
                continue
            }
            strangerCount += 1
            if count <= buffer.count, OSCPacket.isForAccessControl(buffer[..<count]) {
                accessCount += 1
                if accessCount <= Self.maximumAccessDatagramsAtOnce {
                    receiveWithoutAccess(count, from: sender, nowSeconds: now)
                }
            } else {
                errorLog.add(.stranger, sender)
            }
            if !access.admits(sender, nowSeconds: now) { strangers.add(.datagram, from: sender) }
        }
        // Admitted senders were served above, so the pause delays no other work.
        if strangerCount == Self.maximumAtOnce { usleep(Self.strangerPauseMicroseconds) }
    }

    /// Handles the datagram in the buffer, from a sender with access.
    ///
    /// - Parameters:
    ///   - count: The bytes of the datagram.
    ///   - sender: The sender.
    ///   - nowSeconds: The time.
    ///   - heardCount: The number of messages at the start that the access control has already
    ///     handled.
    private func receive(
        _ count: Int, from sender: Endpoint, nowSeconds: Double, heardCount: Int = 0
    ) {
        guard count <= buffer.count, let messages = OSCPacket.messages(in: buffer[..<count])
        else { return errorLog.add(.damaged, sender) }
        receive(
            Array(messages.dropFirst(heardCount)), from: sender, nowSeconds: nowSeconds)
    }

    /// Handles the messages of one datagram, from a sender with access.
    func receive(_ messages: [OSCMessage], from sender: Endpoint, nowSeconds: Double) {
        hasDumped = false
        for message in messages {
            if AccessControl.isFor(message) {
                handle(message, from: sender, nowSeconds: nowSeconds)
            } else {
                receive(message, from: sender)
            }
        }
    }

    /// Handles the datagram in the buffer, from a sender without access: only messages for the
    /// access control are read until one of them grants access.
    private func receiveWithoutAccess(_ count: Int, from sender: Endpoint, nowSeconds: Double) {
        for (index, message) in OSCPacket.accessMessages(in: buffer[..<count]).enumerated() {
            guard handle(message, from: sender, nowSeconds: nowSeconds) else { return }
            if access.admits(sender, nowSeconds: nowSeconds) {
                return receive(
                    count, from: sender, nowSeconds: nowSeconds, heardCount: index + 1)
            }
        }
        errorLog.add(.stranger, sender)
    }

    /// Passes a message to the access control, and sends its challenge.
    ///
    /// - Returns: Whether the rest of the datagram may be handled.
    @discardableResult
    private func handle(_ message: OSCMessage, from sender: Endpoint, nowSeconds: Double) -> Bool {
        switch access.handle(message, from: sender, nowSeconds: nowSeconds) {
        case .admitted(let number):
            if let number { reply(OSCMessage(.challenge, .long(number)), to: sender) }
        case .proven, .nothing: break
        case .wrongToken:
            strangers.add(.wrongToken, from: sender)
            errorLog.add(.wrongToken, sender)
            return false
        case .notCompared(let number):
            strangers.add(.uncompared, from: sender)
            if let number { reply(OSCMessage(.challenge, .long(number)), to: sender) }
            return false
        }
        return true
    }

    // MARK: Messages

    /// Carries out a message, or queues its request.
    private func receive(_ message: OSCMessage, from sender: Endpoint) {
        switch ClientMessage(rawValue: message.path) {
        case .subscribe: subscribe(message.arguments, sender)
        case .meters: subscribe([.text(Subscription.meters)] + message.arguments, sender)
        case .unsubscribe: subscribers.remove(message.arguments.first?.text, of: sender)
        case .dump: dump(message, sender)
        case .sync:
            guard case .integer(let sign)? = message.arguments.first else {
                let expected = "the argument must be a whole number"
                return reply(.error(message.path, expected), to: sender)
            }
            put(.sync(sign), message.path, sender)
        // The access control has read them.
        case .token, .challenge: break
        case nil:
            // Two servers that are connected by mistake must not answer each other forever.
            guard ServerMessage(rawValue: message.path) == nil else { return }
            request(message, from: sender)
        }
    }

    /// Requests all values, or all reports: once per datagram, because the answer is much longer than the request.
    private func dump(_ message: OSCMessage, _ sender: Endpoint) {
        guard access.isProven(sender) else {
            reply(.challengeUnanswered(message.path), to: sender)
            return
        }
        guard !hasDumped else { return }
        hasDumped = true
        let wantsReports = message.arguments.first?.text == "reports"
        put(.session(wantsReports ? .reports : .dump), message.path, sender)
    }

    private func subscribe(_ arguments: [OSCMessage.Argument], _ sender: Endpoint) {
        guard access.isProven(sender) else {
            reply(.challengeUnanswered(ClientMessage.subscribe.rawValue), to: sender)
            return
        }
        let now = MonotonicTime.nowSeconds
        do {
            let subscription = try Subscription(arguments, nowSeconds: now)
            try subscribers.add(subscription, of: sender)
            // Done now and not in the next turn of the loop, because a change may arrive before it.
            inbox.listen(true)
            reply(
                OSCMessage(
                    .subscribed, .text(subscription.text),
                    .float(Float(subscription.endSeconds - now)),
                    .float(Float(subscription.rateHertz))), to: sender)
        } catch {
            reply(.error(ClientMessage.subscribe.rawValue, error.message), to: sender)
        }
    }

    /// Queues the requests of a message for the session.
    private func request(_ message: OSCMessage, from sender: Endpoint) {
        for reading in requests.read(message) {
            switch reading {
            case .error(let answer): reply(answer, to: sender)
            case .request(let request, let path):
                if case .set(let address, let value) = request {
                    let echo = OSCMessage(AddressValue(address, value))
                    subscribers.note(echo, of: sender, nowSeconds: MonotonicTime.nowSeconds)
                }
                put(.session(request), path, sender)
            }
        }
    }

    private func put(_ content: QueuedRequest.Content, _ path: String, _ sender: Endpoint) {
        guard !requests.add(QueuedRequest(sender: sender, path: path, content: content)) else {
            return
        }
        errorLog.add(.dropped, sender)
    }

    // MARK: The session

    /// Sends queued requests to the session, up to the limit of pending requests.
    func sendRequests(nowSeconds: Double) {
        for (endpoint, message) in requests.send(nowSeconds: nowSeconds) {
            reply(message, to: endpoint)
        }
        for (queued, delay) in requests.dueReminders(nowSeconds: nowSeconds) {
            reply(delay, to: queued)
        }
    }

    /// Handles answers and events of the session.
    func follow(_ contents: OSCInbox.Contents) {
        for (number, answer) in contents.answers {
            if let queued = requests.receive(answer, to: number) { reply(answer, to: queued) }
        }
        for key in contents.order {
            guard let event = contents.events[key] else { continue }
            subscribers.put(event)
            if key == .addresses { requests.requestAddresses() }
        }
    }

    /// Sends the answer to the sender of a request.
    private func reply(_ answer: Answer, to queued: QueuedRequest) {
        switch answer {
        // OSC has no request for a description.
        case .done, .description, .file, .ports: break
        case .preparing(let song): reply(.song(song), to: queued)
        case .pending: reply(.box, to: queued)
        case .playing(let song):
            // Not the form of a request, so that two servers that are connected by mistake do not
            // answer each other forever.
            reply(OSCMessage(.playing, .text(queued.path), .text(song)), to: queued.sender)
        case .edited(let edit): reply(edit, to: queued)
        case .kept(let path):
            reply(OSCMessage(.kept, .text(queued.path), .text(path)), to: queued.sender)
        case .compared(let values):
            reply(
                OSCMessage(.compared, .text(queued.path), .text(values.rawValue)),
                to: queued.sender)
        case .refused(let message, let suggestion):
            let hint = suggestion.map { " (did you mean \($0)?)" } ?? ""
            reply(.error(queued.path, message + hint), to: queued.sender)
        case .notEdited(let refusal): reply(.error(queued.path, refusal.message), to: queued.sender)
        case .values(let entries):
            let messages = entries.map { OSCMessage($0) }
            replyAll(messages, to: queued, isDump: queued.content == .session(.dump))
        case .reports(let reports):
            replyAll(reports.compactMap { OSCMessage($0) }, to: queued, isDump: true)
        }
    }

    /// Sends the messages of an answer; after those of a dump, their number.
    private func replyAll(_ messages: [OSCMessage], to queued: QueuedRequest, isDump: Bool) {
        var messages = messages
        if isDump {
            messages.append(OSCMessage(.dumpEnd, .integer(Int32(clamping: messages.count))))
        }
        if !reply(messages, to: queued.sender) {
            errorLog.add(access.isProven(queued.sender) ? .dropped : .unproven, queued.sender)
        }
    }

    /// Reports which file was edited, and how.
    private func reply(_ edit: FileEdit, to queued: QueuedRequest) {
        let kind: ServerMessage =
            switch edit.kind {
            case .saved: .saved
            case .edited: .edited
            case .undone: .undone
            case .redone: .redone
            }
        let message = OSCMessage(kind, .text(queued.path), .text(edit.path), .text(edit.text))
        replyAll([message], to: queued, isDump: false)
    }

    /// Reports that an answer takes long, so that the sender waits for it.
    private func reply(_ delay: Delay, to queued: QueuedRequest) {
        // The answer must remain within the bytes that an unproven address may receive.
        guard access.isProven(queued.sender) else { return }
        let message =
            switch delay {
            case .song(let song): OSCMessage(.preparing, .text(queued.path), .text(song))
            case .box: OSCMessage(.keeping, .text(queued.path))
            }
        reply(message, to: queued.sender)
    }

    // MARK: Replies

    private func sendReplies(nowSeconds: Double) {
        subscribers.expire(nowSeconds: nowSeconds)
        inbox.listen(!subscribers.isEmpty)
        for (endpoint, message) in errorLog.due(nowSeconds: nowSeconds) {
            reply(message, to: endpoint)
        }
        if let warning = strangers.due(nowSeconds: nowSeconds) { warn(warning) }
        for (endpoint, messages) in dueEvents(nowSeconds: nowSeconds) {
            reply(messages, to: endpoint)
        }
        outbox.send(through: socket)
    }

    /// Removes and returns the events that may be sent to listeners now.
    func dueEvents(nowSeconds: Double) -> [(endpoint: Endpoint, messages: [OSCMessage])] {
        subscribers.due(nowSeconds: nowSeconds)
    }

    /// Drops all datagrams that wait to be sent; for tests.
    func dropReplies() { outbox = Outbox() }

    /// Sends one message after all waiting ones.
    private func reply(_ message: OSCMessage, to endpoint: Endpoint) {
        reply([message], to: endpoint)
    }

    /// Sends messages after all waiting ones, if the receiver may get that number of bytes.
    ///
    /// - Returns: Whether they will be sent.
    @discardableResult
    private func reply(_ messages: [OSCMessage], to endpoint: Endpoint) -> Bool {
        let packets = OSCPacket.packets(of: messages)
        guard outbox.hasRoom(for: packets.count),
            access.allows(packets.reduce(0) { $0 + $1.count }, to: endpoint)
        else { return false }
        outbox.put(packets, to: endpoint)
        return true
    }
}
