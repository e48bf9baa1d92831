import Dispatch
import SessionCore
import Synchronization
import Testing

import Control

@Suite("an OSC server on the network")
struct StrangerTests {
    /// A server for which 127.0.0.1 is this machine, and the rest of 127.0.0.0/8 the network.
    private final class Networked: Sendable {
        let control: FakeControl
        let server: OSCServer
        let warnings: Warnings

        init(token: String = "k7qm-3xwd-9fhz-2tbn", _ entries: [AddressValue] = FakeControl.usual)
            throws
        {
            let (control, warnings) = (FakeControl(entries), Warnings())
            (self.control, self.warnings) = (control, warnings)
            let access = AccessControl(token: OSCToken(token)) { $0.address == 0x7f00_0001 }
            server = try OSCServer(at: .loopback(port: 0), access, control: control) {
                warnings.add($0)
            }
        }
    }

    private final class Warnings: Sendable {
        private let list = Mutex<[OSCWarning]>([])

        var all: [OSCWarning] { list.withLock { $0 } }

        func add(_ warning: OSCWarning) { list.withLock { $0.append(warning) } }
    }

    private func endpoint(_ host: Int) throws -> Endpoint {
        try #require(Endpoint(host: "127.0.0.\(host)", port: 0))
    }

    /// A network socket that counts the bytes it sends and receives.
    private final class Counted {
        let socket: DatagramSocket
        private let server: Endpoint
        private var buffer = [UInt8](repeating: 0, count: 65_536)
        private(set) var sentBytes = 0
        private(set) var receivedBytes = 0

        init(_ own: Endpoint, _ server: Endpoint) throws {
            socket = try DatagramSocket(own)
            self.server = server
        }

        func send(_ messages: [OSCMessage]) {
            for packet in OSCPacket.packets(of: messages) {
                sentBytes += packet.count
                socket.send(packet, to: server)
            }
        }

        func send(bytes: [UInt8]) {
            sentBytes += bytes.count
            socket.send(bytes, to: server)
        }

        /// Returns all messages up to one with the given path, for at most 20 s, and then until the
        /// server is silent.
        func receive(until path: String? = nil) -> [OSCMessage] {
            var all: [OSCMessage] = []
            while socket.waitForData(
                seconds: all.contains { $0.path == path } || path == nil ? 0.5 : 20)
            {
                guard let (count, _) = socket.receive(into: &buffer) else { break }
                receivedBytes += count
                all += OSCPacket.messages(in: buffer[..<count]) ?? []
            }
            return all
        }
    }

    @Test("a client that sends the token and answers the challenge has full access")
    func proven() throws {
        let entries = (0..<2000).map { AddressValue("node.parameter-\($0)", .number(Double($0))) }
        let session = try Networked(entries)
        let caller = try OSCCaller(
            to: session.server.endpoint, token: "k7qm-3xwd-9fhz-2tbn", from: endpoint(2))
        let answers = try #require(caller.ask([.init("/dump")], timeoutSeconds: 20))
        #expect(answers.last == .init("/dump/end", .integer(2000)))
        #expect(answers.dropLast().compactMap(\.entry) == entries)
        let subscribed = caller.ask([.init("/subscribe")], timeoutSeconds: 20)
        #expect(subscribed?.first?.path == "/subscribed")
    }

    @Test("a client that only sends the token sets and reads single values, and gets no dump")
    func plainClient() throws {
        let session = try Networked()
        let client = try Counted(endpoint(2), session.server.endpoint)
        client.send([.init("/token", .text("k7qm-3xwd-9fhz-2tbn"))])
        client.send([.init("/verb/mix", .float(0.5))])
        client.send([.init("/verb/mix")])
        let answers = client.receive(until: "/verb/mix")
        #expect(answers.first?.path == "/challenge")
        #expect(answers.dropFirst() == [.init("/verb/mix", .float(0.5))])
        client.send([.init("/dump"), .init("/subscribe")])
        let refused = client.receive(until: "/error")
        #expect(refused.contains(.error("/dump", "answer /challenge first")))
        #expect(!refused.contains { $0.path == "/dump/end" || $0.path == "/subscribed" })
        #expect(client.receivedBytes < 3 * client.sentBytes)
    }

    @Test(
        "answers to an unproven address stay below three times its requests",
        arguments: [true, false])
    func amplification(saysToken: Bool) throws {
        let entries = (0..<500).map { AddressValue("node.parameter-\($0)", .number(Double($0))) }
        let session = try Networked(entries)
        let client = try Counted(endpoint(2), session.server.endpoint)
        if saysToken { client.send([.init("/token", .text("k7qm-3xwd-9fhz-2tbn"))]) }
        let requests = ["/dump", "/*/*", "/subscribe", "/meters", "/x", "/node/parameter-1"]
        for path in requests { client.send([.init(path)]) }
        client.send(Array(repeating: .init("/dump"), count: 70))
        client.send(Array(repeating: .init("/*/*"), count: 60))
        _ = client.receive(until: "/error")
        #expect(client.receivedBytes < 3 * client.sentBytes)
        #expect(client.receivedBytes > 0)
        // The server still answers clients on this machine.
        let local = try OSCCaller(to: session.server.endpoint)
        #expect(local.ask([.init("/node/parameter-1")], timeoutSeconds: 20)?.count == 1)
    }

    @Test("a bundle of a thousand dumps gets one dump, on this machine too")
    func bundleOfDumps() throws {
        let entries = (0..<1000).map { AddressValue("node.parameter-\($0)", .number(Double($0))) }
        let session = try Networked(entries)
        let client = try Counted(.loopback(port: 0), session.server.endpoint)
        var bundle = OSCPacket.packets(of: [.init("/x"), .init("/x")])[0].prefix(16)
        let message: [UInt8] = [0, 0, 0, 12] + OSCMessage("/dump").bytes
        while bundle.count + message.count <= 8192 { bundle += message }
        client.send(bytes: Array(bundle))
        let answers = client.receive(until: "/dump/end")
        #expect(answers.filter { $0.path == "/dump/end" }.count == 1)
        #expect(answers.count == 1001)
    }

    @Test("ten thousand guesses find no token, and a remote is admitted meanwhile")
    func guesses() throws {
        let session = try Networked(token: "7391")
        let guesser = try Counted(endpoint(2), session.server.endpoint)
        for number in 0..<10_000 {
            let word = String("\(10_000 + number)".dropFirst())
            guesser.send([.init("/token", .text(word)), .init("/panic")])
        }
        let caller = try OSCCaller(to: session.server.endpoint, token: "7391", from: endpoint(3))
        let isAdmitted = (0..<20).contains { _ in
            caller.ask([.init("/mute")], timeoutSeconds: 1)?.first
                == .init("/mute", .toggle(false))
        }
        #expect(isAdmitted)
        #expect(session.control.history.isEmpty)
        #expect(!guesser.receive().contains { $0.path == "/synced" })
        #expect(guesser.receivedBytes < 3 * guesser.sentBytes)
        let warning = try #require(session.warnings.all.first)
        #expect(session.warnings.all.count == 1)
        #expect(warning.datagrams > 0)
        #expect(warning.description.contains("127.0.0.2:"))
    }

    @Test("an admitted remote is served while unknown clients flood the server")
    func flood() throws {
        let session = try Networked()
        let caller = try OSCCaller(
            to: session.server.endpoint, token: "k7qm-3xwd-9fhz-2tbn", from: endpoint(3))
        #expect(caller.ask([.init("/mute")], timeoutSeconds: 20)?.count == 1)
        let flooder = Flooder(try DatagramSocket(endpoint(2)), session.server.endpoint)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { flooder.run() }
        var answered = 0
        // The system's buffer may drop some requests.
        for _ in 0..<200 where answered < 20 {
            if caller.ask([.init("/mute")], timeoutSeconds: 1)?.count == 1 { answered += 1 }
        }
        flooder.end()
        group.wait()
        #expect(answered == 20)
        #expect(session.control.history.isEmpty)
    }

    /// A sender of bundles that are costly to decode.
    private final class Flooder: Sendable {
        private let socket: DatagramSocket
        private let server: Endpoint
        private let isOver = Atomic(false)

        init(_ socket: DatagramSocket, _ server: Endpoint) {
            self.socket = socket
            self.server = server
        }

        func run() {
            let packet = OSCPacket.packets(of: Array(repeating: .init("/panic"), count: 60))[0]
            while !isOver.load(ordering: .relaxed) { socket.send(packet, to: server) }
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }

    @Test("a client without the token, or with another one, receives the reason for the refusal")
    func refused() throws {
        let session = try Networked()
        let without = try OSCCaller(to: session.server.endpoint, from: endpoint(2))
        without.send([.init("/verb/mix"), .init("/sync", .integer(1))])
        #expect(without.next(withinSeconds: 20) == [.error("/", "send /token first")])
        let wrong = try OSCCaller(to: session.server.endpoint, token: "open", from: endpoint(3))
        #expect(
            wrong.ask([.init("/verb/mix")], timeoutSeconds: 20)
                == [.error("/token", "wrong token")])
        #expect(session.control.history.isEmpty)
    }
}
