import SessionCore

import Control

/// A session with a server, and a client of the server.
struct ServedSession {
    let control: FakeControl
    let server: OSCServer
    let caller: OSCCaller

    init(_ control: FakeControl = FakeControl()) throws {
        self.control = control
        let server = try OSCServer(at: .loopback(port: 0), control: control)
        self.server = server
        control.watch { [weak server] in server?.receive($0) }
        caller = try OSCCaller(to: server.endpoint)
        // The server knows all addresses only after the answer to its first survey.
        _ = try answers(OSCMessage("/dump"))
    }

    /// Returns the server's answers to messages.
    func answers(_ messages: OSCMessage...) throws -> [OSCMessage] {
        try answers(messages)
    }

    /// Returns the server's answers to messages.
    func answers(_ messages: [OSCMessage]) throws -> [OSCMessage] {
        guard let answers = caller.ask(messages, timeoutSeconds: 20) else { throw Silence() }
        return answers
    }

    /// Returns the next message that meets a condition; drops those before it.
    func next(_ condition: (OSCMessage) -> Bool) throws -> OSCMessage {
        for _ in 0..<1000 {
            guard let messages = caller.next(withinSeconds: 20), !messages.isEmpty else { break }
            if let found = messages.first(where: condition) { return found }
        }
        throw Silence()
    }

    struct Silence: Error {}
}

extension OSCMessage {
    /// The text of an error message; `nil` for other messages.
    var errorText: String? { path == "/error" ? arguments.last?.text : nil }
}
