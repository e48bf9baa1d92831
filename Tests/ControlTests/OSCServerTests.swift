import Dispatch
import SessionCore
import Testing
import TestSessions

import Control

@Suite("an OSC server")
struct OSCServerTests {
    @Test("a path without an argument is answered with its value")
    func get() throws {
        let session = try ServedSession()
        #expect(try session.answers(.init("/verb/mix")) == [.init("/verb/mix", .float(0.25))])
        #expect(try session.answers(.init("/mute")) == [.init("/mute", .toggle(false))])
        #expect(
            try session.answers(.init("/cut/shape")) == [.init("/cut/shape", .text("highpass"))])
        let strip = try session.answers(.init("/blend/mic:2/gain"))
        #expect(strip == [.init("/blend/mic:2/gain", .float(-6))])
    }

    @Test(
        "numbers of all kinds set a value",
        arguments: [
            (OSCMessage.Argument.integer(1), 1), (.long(2), 2), (.float(0.5), 0.5),
            (.double(0.1), 0.1),
        ])
    func set(_ argument: OSCMessage.Argument, _ number: Double) throws {
        let session = try ServedSession()
        #expect(try session.answers(.init("/verb/mix", argument)).isEmpty)
        #expect(session.control.value("verb.mix") == .number(number))
    }

    @Test("a toggle accepts true, false, 1 and 0")
    func toggles() throws {
        let session = try ServedSession()
        for (argument, isOn) in [
            (OSCMessage.Argument.toggle(true), true), (.integer(0), false), (.float(1), true),
            (.toggle(false), false),
        ] {
            #expect(try session.answers(.init("/verb/bypass", argument)).isEmpty)
            #expect(session.control.value("verb.bypass") == .toggle(isOn))
        }
    }

    @Test("an action has no value, and the release of a button has no effect")
    func deeds() throws {
        let session = try ServedSession()
        let messages: [OSCMessage] = [
            .init("/tap"), .init("/tap", .float(1)), .init("/tap", .float(0)),
            .init("/panic", .toggle(true)), .init("/panic", .toggle(false)),
        ]
        #expect(try session.answers(messages).isEmpty)
        #expect(session.control.history == [.perform(.tap), .perform(.tap), .perform(.panic)])
    }

    @Test("an impossible request is reported to the sender, with its path")
    func errors() throws {
        let session = try ServedSession()
        let answers = try session.answers(
            .init("/verb/mxi", .float(1)), .init("/verb/mix", .text("loud")),
            .init("/verb/mix", .float(1), .float(2), .float(3)),
            .init("/verb/mix", .float(.nan)),
            .init("/nobody/*", .float(1)))
        #expect(
            answers.compactMap { $0.arguments.first?.text }.sorted() == [
                "/nobody/*", "/verb/mix", "/verb/mix", "/verb/mix", "/verb/mxi",
            ])
        #expect(
            answers.contains {
                $0.errorText == "there is no address verb.mxi (did you mean verb.mix?)"
            })
        #expect(session.control.history.isEmpty)
    }

    @Test("wildcards set and read all matching addresses of nodes, and no others")
    func wildcards() throws {
        let session = try ServedSession()
        #expect(try session.answers(.init("/blend/*/gain", .float(-3))).isEmpty)
        let set: [SessionRequest] = [
            .set("blend.mic:2.gain", .number(-3)), .set("blend.dry.gain", .number(-3)),
        ]
        #expect(session.control.history == set)
        let answers = try session.answers(.init("/*/bypass"), .init("/m*", .toggle(true)))
        #expect(answers.first == .error("/m*", "no address of a node matches"))
        #expect(answers.last == .init("/verb/bypass", .toggle(false)))
    }

    @Test("a dump contains all addresses and their count, whatever their number")
    func dump() throws {
        let entries = (0..<8000).map { AddressValue("node.parameter-\($0)", .number(Double($0))) }
        let session = try ServedSession(FakeControl(entries))
        let answers = try session.answers(.init("/dump"))
        #expect(answers.last == .init("/dump/end", .integer(8000)))
        #expect(answers.dropLast().compactMap(\.entry) == entries)
    }

    @Test("after the session's addresses change, wildcards match the new ones")
    func structure() throws {
        let session = try ServedSession()
        _ = try session.answers(.init("/subscribe"))
        session.control.become([.init("new.mix", .number(1))])
        session.server.receive(.addressesChanged)
        _ = try session.next { $0.path == "/structure" }
        // This dump is answered after the server's own survey of the new addresses.
        _ = try session.answers(.init("/dump"))
        #expect(try session.answers(.init("/*/mix")) == [.init("/new/mix", .float(1))])
    }

    @Test("without replies, the newest value still wins, whatever the number of requests")
    func flood() throws {
        let session = try ServedSession()
        session.control.queue.suspend()
        for count in 1...5000 { session.caller.send([.init("/verb/mix", .integer(Int32(count)))]) }
        session.control.queue.resume()
        #expect(isAlive(session, after: .init("/verb/mix", .integer(6000))))
        #expect(session.control.value("verb.mix") == .number(6000))
        #expect(session.control.history.count <= 5001)
    }

    @Test("requests beyond the session's capacity are dropped and reported")
    func dropped() throws {
        let session = try ServedSession()
        session.control.queue.suspend()
        // Each datagram fits into the socket's buffer.
        for _ in 0..<40 { session.caller.send(Array(repeating: .init("/verb/mix"), count: 50)) }
        let reported = try session.next { $0.errorText?.hasPrefix("too many requests") == true }
        session.control.queue.resume()
        #expect(reported.arguments.first == .text("/"))
        #expect(isAlive(session, after: .init("/mute")))
    }

    /// Returns whether the server answers a request after a burst that may overflow the socket's
    /// buffer or the request queue.
    private func isAlive(_ session: ServedSession, after message: OSCMessage) -> Bool {
        (0..<20).contains { _ in session.caller.ask([message], timeoutSeconds: 1) != nil }
    }

    @Test("programs that use liblo receive answers at their sending port")
    func liblo() throws {
        let session = try ServedSession()
        let other = try FakeManager()
        other.turn(to: session.server.endpoint.port)
        other.say("/verb/mix")
        #expect(other.receive(1) == ["/verb/mix 0.25"])
        other.say("/cut/shape", "lowpass")
        other.say("/cut/shape")
        #expect(other.receive(1) == ["/cut/shape lowpass"])
        other.say("/subscribe", "/verb")
        #expect(other.receive(1) == ["/subscribed /verb 30.0 30.0"])
        _ = try session.answers(.init("/verb/mix", .float(0.5)))
        #expect(other.receive(1) == ["/verb/mix 0.5"])
    }

    @Test("random datagrams do no harm")
    func garbage() throws {
        let session = try ServedSession()
        let caller = try DatagramSocket(.loopback(port: 0))
        var numbers = SystemRandomNumberGenerator()
        let good = OSCPacket.packets(of: [
            .init("/subscribe", .text("/*"), .float(1), .float(2)), .init("/verb/mix", .float(1)),
        ])[0]
        for turn in 0..<3000 {
            var bytes = good
            if turn % 3 == 0 {
                bytes = (0..<Int.random(in: 0...600, using: &numbers)).map { _ in
                    .random(in: 0...255, using: &numbers)
                }
            }
            for _ in 0..<Int.random(in: 0...6, using: &numbers) where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &numbers)] = .random(in: 0...255)
            }
            if turn % 5 == 0 { bytes.removeLast(bytes.count / 3) }
            caller.send(bytes, to: session.server.endpoint)
        }
        caller.send([UInt8](repeating: 0x23, count: 60_000), to: session.server.endpoint)
        #expect(
            try session.answers(.init("/cut/shape")) == [.init("/cut/shape", .text("highpass"))])
    }

    @Test("a datagram that is not OSC is reported")
    func damaged() throws {
        let session = try ServedSession()
        session.caller.send([OSCMessage("nonsense")])
        let reported = try session.next { $0.path == "/error" }
        #expect(reported.errorText?.contains("not OSC") == true)
    }

    @Test("a port in use is an error that names the port")
    func takenPort() throws {
        let session = try ServedSession()
        let fault = #expect(throws: SocketError.self) {
            try OSCServer(at: session.server.endpoint, control: session.control)
        }
        #expect(fault?.description.contains(":\(session.server.endpoint.port): ") == true)
    }
}
