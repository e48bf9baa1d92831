internal import Glibc
internal import Synchronization
internal import Platform

/// This program as a client of New Session Manager.
///
/// Call `join`, create the JACK client with the returned name, call `answer` for the order to open
/// once the session plays, and call `follow` for further orders. SIGTERM ends the program as usual.
public final class SessionClient: Sendable {
    private let socket: DatagramSocket
    private let manager: Endpoint
    private let dialogue = Mutex(SessionDialogue())
    private let bell = Bell()
    private let thread = Mutex<OwnThread?>(nil)
    private let isOver = Atomic(false)

    /// Creates a client of the manager at an address.
    ///
    /// - Throws: `SocketError` if the system has no port left.
    public init(of manager: Endpoint) throws(SocketError) {
        self.manager = manager
        // The socket is not connected, because the manager may answer from another address of its
        // machine.
        let own = manager.isLoopback ? Endpoint.loopback(port: 0) : Endpoint(address: 0, port: 0)
        socket = try DatagramSocket(own)
    }

    deinit {
        isOver.store(true, ordering: .relaxed)
        bell.ring()
        thread.withLock { $0?.join() }
    }

    /// The name of the manager; `nil` until it has answered.
    public var managerName: String? { dialogue.withLock(\.managerName) }

    /// Announces the program, and waits for the part of the session that it must play.
    ///
    /// Must be called before the program creates its JACK client.
    ///
    /// - Parameters:
    ///   - executable: The program's file name, with which the manager starts it again; not a path.
    ///   - timeoutSeconds: The longest wait for the manager, in seconds.
    /// - Returns: The part to play, and the client's name.
    /// - Throws: `SessionRefusal`.
    public func join(executable: String, timeoutSeconds: Double = 10) throws(SessionRefusal)
        -> SessionPart
    {
        send([SessionDialogue.announcement(executable: executable, process: getpid())])
        while true {
            guard let outcomes = next(timeoutSeconds: timeoutSeconds) else { throw .silence }
            for outcome in outcomes {
                switch outcome {
                case .refused(let refusal): throw refusal
                case .order(.open(let part)): return part
                case .order(.save): answer(.save, error: "no session is open yet")
                case .none, .welcome, .reply: break
                }
            }
        }
    }

    /// Reports that an order was carried out, or the error: a sentence without its full stop.
    public func answer(_ order: ManagerRequest, error: String? = nil) {
        send(dialogue.withLock { $0.answer(to: order, error: error) })
    }

    /// Reports whether values have changed since they were saved.
    public func report(isDirty: Bool) { send(dialogue.withLock { $0.dirtiness(isDirty) }) }

    /// Calls a function for each further order, on a separate thread; each order must be answered
    /// with `answer`.
    ///
    /// - Throws: `SessionRefusal` if the system has no thread left.
    public func follow(_ order: @escaping @Sendable (ManagerRequest) -> Void) throws(SessionRefusal)
    {
        // The thread ends before this object, which joins it.
        unowned(unsafe) let client = self
        let started = OwnThread(name: "session") { client.listen(order) }
        guard let started else { throw .refused("no thread could be started") }
        thread.withLock { $0 = started }
    }

    private func listen(_ order: (ManagerRequest) -> Void) {
        while !isOver.load(ordering: .relaxed) {
            var waits = [socket.descriptor, bell.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            _ = poll(&waits, nfds_t(waits.count), bell.timeout(-1))
            for case .order(let wanted) in next(timeoutSeconds: 0) ?? [] { order(wanted) }
        }
    }

    /// Returns the outcomes of the manager's next datagram; `nil` after a timeout.
    private func next(timeoutSeconds: Double) -> [SessionDialogue.Outcome]? {
        let end = MonotonicTime.nowSeconds + timeoutSeconds
        repeat {
            guard socket.waitForData(seconds: end - MonotonicTime.nowSeconds) else { return nil }
            var buffer = [UInt8](repeating: 0, count: OSCPacket.maximumBytes)
            guard let (count, sender) = socket.receive(into: &buffer), isManager(sender) else {
                continue
            }
            let messages = OSCPacket.messages(in: buffer[..<min(count, buffer.count)]) ?? []
            return messages.map(receive)
        } while MonotonicTime.nowSeconds < end
        return nil
    }

    private func receive(_ message: OSCMessage) -> SessionDialogue.Outcome {
        let outcome = dialogue.withLock { $0.receive(message) }
        if case .reply(let reply) = outcome { send([reply]) }
        return outcome
    }

    private func isManager(_ sender: Endpoint) -> Bool {
        sender.port == manager.port
            && (sender.address == manager.address || sender.isLoopback && manager.isLoopback)
    }

    private func send(_ messages: [OSCMessage]) {
        for message in messages { socket.send(message.bytes, to: manager) }
    }
}
