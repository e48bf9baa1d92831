internal import Glibc
internal import Show
internal import Threads

/// The server's thread: datagrams in, requests to the show, answers and notices out.
final class OSCLoop {
    /// The most datagrams that are read before anything else is done.
    private static let mostAtOnce = 64
    /// The number of the request for all addresses that the server makes for itself; none has it otherwise.
    private static let surveyNumber = 0

    let desk: any Desk
    let inbox: OSCInbox
    var table = AddressTable()
    var line = RequestLine()
    var subscribers = Subscribers()
    var complaints = Complaints()
    var outbox = Outbox()
    private var door: Door
    private let socket: DatagramSocket
    private var buffer = [UInt8](repeating: 0, count: OSCPacket.maximumBytes)

    init(_ socket: DatagramSocket, token: String?, desk: any Desk, inbox: OSCInbox) {
        door = Door(token: token)
        self.socket = socket
        self.desk = desk
        self.inbox = inbox
    }

    /// Works until the inbox says that it is over.
    func run() {
        survey()
        while true {
            wait()
            receive()
            let contents = inbox.take()
            if contents.isOver { return }
            let now = MonotonicTime.nowSeconds
            for (number, answer) in contents.answers { take(answer, to: number) }
            for key in contents.order { contents.notices[key].map(take) }
            askShow(nowSeconds: now)
            tell(nowSeconds: now)
        }
    }

    /// Sleeps until something comes, or something that waits may be due.
    private func wait() {
        var waits = [socket.descriptor, inbox.bell.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let isBusy = !outbox.isEmpty || subscribers.haveWaiting
        let isQuiet = subscribers.isEmpty && complaints.isEmpty && line.isEmpty
        _ = poll(&waits, nfds_t(waits.count), isBusy ? 5 : isQuiet ? -1 : 250)
    }

    private func receive() {
        for _ in 0..<Self.mostAtOnce {
            guard let (count, sender) = socket.receive(into: &buffer) else { return }
            guard count <= buffer.count, let messages = OSCPacket.messages(in: buffer[..<count])
            else {
                complaints.add(.damaged, sender)
                continue
            }
            for message in messages { letIn(message, from: sender) }
        }
    }

    private func letIn(_ message: OSCMessage, from sender: Endpoint) {
        let now = MonotonicTime.nowSeconds
        if door.admits(message, from: sender, nowSeconds: now) {
            take(message, from: sender)
        } else if !door.hear(message, from: sender, nowSeconds: now) {
            complaints.add(.stranger, sender)
        }
    }

    private func take(_ notice: Notice) {
        subscribers.put(notice)
        if notice == .structure { survey() }
    }

    /// Asks the show for all its addresses.
    private func survey() { ask(.dump, number: Self.surveyNumber) }

    private func askShow(nowSeconds: Double) {
        while let (number, asked) = line.next(nowSeconds: nowSeconds) {
            switch asked.wish {
            case .show(let request): ask(request, number: number)
            case .sync(let sign): reply(OSCMessage("/synced", .integer(sign)), to: asked.sender)
            }
        }
        for asked in line.giveUp(nowSeconds: nowSeconds) {
            reply(.error(asked.path, "there is no answer"), to: asked.sender)
        }
    }

    private func ask(_ request: Request, number: Int) {
        desk.ask(request) { [inbox] answer in inbox.put(answer, to: number) }
    }

    private func take(_ answer: Answer, to number: Int) {
        if number == Self.surveyNumber {
            if case .values(let entries) = answer { table = AddressTable(entries) }
        } else if let asked = line.finish(number) {
            answerSender(of: asked, answer)
        }
    }

    private func tell(nowSeconds: Double) {
        subscribers.expire(nowSeconds: nowSeconds)
        inbox.listen(!subscribers.isEmpty)
        for (endpoint, message) in complaints.due(nowSeconds: nowSeconds) {
            reply(message, to: endpoint)
        }
        for (endpoint, messages) in subscribers.due(nowSeconds: nowSeconds) {
            outbox.put(messages, to: endpoint)
        }
        outbox.send(through: socket)
    }

    /// Sends one message, after all that waits.
    func reply(_ message: OSCMessage, to endpoint: Endpoint) { outbox.put([message], to: endpoint) }
}
