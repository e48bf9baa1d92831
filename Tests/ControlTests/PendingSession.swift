import Control
import Dispatch
import Glibc
import SessionCore
import Synchronization

/// A session whose answers to some requests wait until a test sends them, with a server and a
/// client of the server.
struct PendingSession {
    let server: OSCServer
    let caller: OSCCaller
    private let control: PendingControl

    /// Starts the server.
    ///
    /// - Parameter reply: Returns the first answer to a request. If it is `preparing` or `pending`,
    ///   `finish` sends the last one.
    /// - Throws: An error if a socket cannot be opened.
    init(_ reply: @escaping @Sendable (SessionRequest) -> Answer) throws {
        control = PendingControl(reply)
        server = try OSCServer(at: .loopback(port: 0), control: control)
        caller = try OSCCaller(to: server.endpoint)
    }

    /// Returns the server's answers to messages; `nil` without an answer.
    func ask(_ messages: OSCMessage...) -> [OSCMessage]? {
        caller.ask(messages, timeoutSeconds: 20)
    }

    /// Returns the first of the server's next messages.
    func next() -> OSCMessage? { caller.next(withinSeconds: 20)?.first }

    /// Waits until a request waits, and answers all that wait.
    func finish(_ answer: Answer) { control.finish(answer) }

    /// Answers all requests that wait after a time, on another thread.
    func finish(_ answer: Answer, afterSeconds seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [control] in
            control.finish(answer)
        }
    }
}

/// The control of the session, which keeps the receivers of the later answers.
private final class PendingControl: SessionControl {
    private let reply: @Sendable (SessionRequest) -> Answer
    private let receivers = Mutex<[@Sendable (Answer) -> Void]>([])

    init(_ reply: @escaping @Sendable (SessionRequest) -> Answer) { self.reply = reply }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        let first = reply(request)
        switch first {
        case .preparing, .pending: receivers.withLock { $0.append(answer) }
        default: break
        }
        answer(first)
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {}

    func finish(_ answer: Answer) {
        while receivers.withLock({ $0.isEmpty }) { usleep(1000) }
        let waiting = receivers.withLock { receivers in
            defer { receivers = [] }
            return receivers
        }
        for receiver in waiting { receiver(answer) }
    }
}
