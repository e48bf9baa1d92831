import Show

import Control

/// A show with a server, and a caller of it.
struct ServedShow {
    let desk: FakeDesk
    let server: OSCServer
    let caller: OSCCaller

    init(_ desk: FakeDesk = FakeDesk()) throws {
        self.desk = desk
        let server = try OSCServer(at: .loopback(port: 0), desk: desk)
        self.server = server
        desk.listen { [weak server] in server?.hear($0) }
        caller = try OSCCaller(to: server.endpoint)
        // The server knows all addresses only when its first survey is answered.
        _ = try answers(OSCMessage("/dump"))
    }

    /// What the server says to messages.
    func answers(_ messages: OSCMessage...) throws -> [OSCMessage] {
        try answers(messages)
    }

    /// What the server says to messages.
    func answers(_ messages: [OSCMessage]) throws -> [OSCMessage] {
        guard let answers = caller.ask(messages, patienceSeconds: 20) else { throw Silence() }
        return answers
    }

    /// The next messages that satisfy a condition; what comes before is dropped.
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
    /// The message of an error, where it is one.
    var errorText: String? { path == "/error" ? arguments.last?.text : nil }
}
