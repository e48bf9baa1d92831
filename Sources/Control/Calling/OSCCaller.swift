/// The end of a program that asks a server over OSC and listens to it.
package final class OSCCaller {
    private let socket: DatagramSocket
    private let server: Endpoint
    /// What is said before everything else.
    private let greeting: [OSCMessage]
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// A port of our own, for talking with one server.
    ///
    /// - Parameters:
    ///   - server: Where it listens.
    ///   - token: The word that it wants to hear from other machines.
    /// - Throws: `SocketFault` where the system has no port left.
    package init(to server: Endpoint, token: String? = nil) throws(SocketFault) {
        greeting = token.map { [OSCMessage("/token", .text($0))] } ?? []
        let own = server.isLoopback ? Endpoint.loopback(port: 0) : Endpoint(address: 0, port: 0)
        socket = try DatagramSocket(own)
        self.server = server
        socket.listenOnly(to: server)
    }

    /// Sends messages in one datagram where they fit.
    package func send(_ messages: [OSCMessage]) {
        for packet in OSCPacket.packets(of: greeting + messages) { socket.send(packet, to: server) }
    }

    /// What comes next; empty where nothing came within a time, nil where it is known that nobody is there.
    package func next(withinSeconds seconds: Double) -> [OSCMessage]? {
        guard socket.waits(seconds: seconds) else { return [] }
        guard let (count, _) = socket.receive(into: &buffer) else { return nil }
        return OSCPacket.messages(in: buffer[..<min(count, buffer.count)]) ?? []
    }

    /// Sends messages, and collects all that the server says to them.
    ///
    /// - Returns: nil where it has said nothing for the time that is given.
    package func ask(_ messages: [OSCMessage], patienceSeconds: Double) -> [OSCMessage]? {
        let sign = Int32.random(in: 0...Int32.max)
        send(messages + [OSCMessage("/sync", .integer(sign))])
        var answers: [OSCMessage] = []
        while true {
            guard let more = next(withinSeconds: patienceSeconds), !more.isEmpty else { return nil }
            for message in more {
                if message == OSCMessage("/synced", .integer(sign)) { return answers }
                answers.append(message)
            }
        }
    }
}
