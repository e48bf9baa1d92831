internal import Platform

/// A client of an OSC server.
package final class OSCCaller {
    private let socket: DatagramSocket
    private let server: Endpoint
    /// The messages to send before all others.
    private let greeting: [OSCMessage]
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    private var isIntroduced = false

    /// Opens a port for one server.
    ///
    /// - Parameters:
    ///   - server: The address of the server.
    ///   - token: The token that the server expects from other machines.
    ///   - own: The local address; `nil` for any free port from which the server can be reached.
    /// - Throws: `SocketError` if the system has no port left.
    package init(to server: Endpoint, token: String? = nil, from own: Endpoint? = nil)
        throws(SocketError)
    {
        greeting = token.map { [OSCMessage("/token", .text($0))] } ?? []
        let usual = server.isLoopback ? Endpoint.loopback(port: 0) : Endpoint(address: 0, port: 0)
        socket = try DatagramSocket(own ?? usual)
        self.server = server
        socket.listenOnly(to: server)
    }

    /// Sends messages, in one datagram if they fit.
    package func send(_ messages: [OSCMessage]) {
        for packet in OSCPacket.packets(of: greeting + messages) { socket.send(packet, to: server) }
    }

    /// Returns the next messages; empty after a timeout, `nil` if the system reports that no server
    /// listens.
    ///
    /// Challenges are answered and not returned.
    package func next(withinSeconds seconds: Double) -> [OSCMessage]? {
        let end = MonotonicTime.nowSeconds + seconds
        while true {
            guard let messages = receive(withinSeconds: end - MonotonicTime.nowSeconds) else {
                return nil
            }
            for message in messages where message.isChallenge { send([message]) }
            let others = messages.filter { !$0.isChallenge }
            if !others.isEmpty || messages.isEmpty { return others }
        }
    }

    private func receive(withinSeconds seconds: Double) -> [OSCMessage]? {
        guard socket.waitForData(seconds: seconds) else { return [] }
        guard let (count, _) = socket.receive(into: &buffer) else { return nil }
        return OSCPacket.messages(in: buffer[..<min(count, buffer.count)]) ?? []
    }

    /// Sends messages, and collects the answers.
    ///
    /// - Returns: The answers; `nil` if the server was silent for the given time.
    package func ask(_ messages: [OSCMessage], timeoutSeconds: Double) -> [OSCMessage]? {
        switch introduce(timeoutSeconds: timeoutSeconds) {
        case .done: break
        case .silence: return nil
        case .refused(let error): return [error]
        }
        let sign = Int32.random(in: 0...Int32.max)
        send(messages + [OSCMessage("/sync", .integer(sign))])
        var answers: [OSCMessage] = []
        while true {
            guard let more = next(withinSeconds: timeoutSeconds), !more.isEmpty else { return nil }
            for message in more {
                if message == OSCMessage("/synced", .integer(sign)) { return answers }
                // No other answer follows.
                if message == .tokenWanted || message == .tokenRefused { return [message] }
                answers.append(message)
            }
        }
    }

    // MARK: The token

    private enum Introduction {
        case done, silence
        case refused(OSCMessage)
    }

    /// Sends the token and answers the challenge before the first request, because a server sends
    /// only small answers until then.
    private func introduce(timeoutSeconds: Double) -> Introduction {
        guard !greeting.isEmpty, !isIntroduced else { return .done }
        var sign = Int32.random(in: 0...Int32.max)
        send([OSCMessage("/sync", .integer(sign))])
        // A refusal may arrive a second later.
        let end = MonotonicTime.nowSeconds + timeoutSeconds + 1
        while let messages = receive(withinSeconds: end - MonotonicTime.nowSeconds),
            !messages.isEmpty
        {
            for message in messages {
                if message.isChallenge {
                    sign = Int32.random(in: 0...Int32.max)
                    let answer = [message] + greeting + [OSCMessage("/sync", .integer(sign))]
                    for packet in OSCPacket.packets(of: answer) { socket.send(packet, to: server) }
                } else if message == OSCMessage("/synced", .integer(sign)) {
                    isIntroduced = true
                    return .done
                } else if message.path == "/error" {
                    return .refused(message)
                }
            }
        }
        return .silence
    }
}

extension OSCMessage {
    /// Whether it must be sent back, to prove the address of its receiver.
    fileprivate var isChallenge: Bool {
        guard path == "/challenge", arguments.count == 1, case .long = arguments[0] else {
            return false
        }
        return true
    }
}
