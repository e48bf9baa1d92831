import Dispatch
import Show
import TestSessions
import Testing

import Control

@Suite("an OSC server")
struct OSCServerTests {
    @Test("a path without an argument is answered with its value")
    func get() throws {
        let show = try ServedShow()
        #expect(try show.answers(.init("/verb/mix")) == [.init("/verb/mix", .float(0.25))])
        #expect(try show.answers(.init("/mute")) == [.init("/mute", .toggle(false))])
        #expect(try show.answers(.init("/cut/shape")) == [.init("/cut/shape", .text("highpass"))])
        let strip = try show.answers(.init("/blend/mic:2/gain"))
        #expect(strip == [.init("/blend/mic:2/gain", .float(-6))])
    }

    @Test(
        "numbers of all kinds set a value",
        arguments: [
            (OSCMessage.Argument.integer(1), 1), (.long(2), 2), (.float(0.5), 0.5),
            (.double(0.1), 0.1),
        ])
    func set(_ argument: OSCMessage.Argument, _ number: Double) throws {
        let show = try ServedShow()
        #expect(try show.answers(.init("/verb/mix", argument)).isEmpty)
        #expect(show.desk.value("verb.mix") == .number(number))
    }

    @Test("what is on or off takes true, false, 1 and 0")
    func toggles() throws {
        let show = try ServedShow()
        for (argument, isOn) in [
            (OSCMessage.Argument.toggle(true), true), (.integer(0), false), (.float(1), true),
            (.toggle(false), false),
        ] {
            #expect(try show.answers(.init("/verb/bypass", argument)).isEmpty)
            #expect(show.desk.value("verb.bypass") == .toggle(isOn))
        }
    }

    @Test("what is done has no value; a button that is let go does nothing")
    func deeds() throws {
        let show = try ServedShow()
        let messages: [OSCMessage] = [
            .init("/tap"), .init("/tap", .float(1)), .init("/tap", .float(0)),
            .init("/panic", .toggle(true)), .init("/panic", .toggle(false)),
        ]
        #expect(try show.answers(messages).isEmpty)
        #expect(show.desk.history == [.set("tap", nil), .set("tap", nil), .set("panic", nil)])
    }

    @Test("what cannot be is told to the sender, with its path")
    func errors() throws {
        let show = try ServedShow()
        let answers = try show.answers(
            .init("/verb/mxi", .float(1)), .init("/verb/mix", .text("loud")),
            .init("/verb/mix", .float(1), .float(2)), .init("/verb/mix", .float(.nan)),
            .init("/nobody/*", .float(1)))
        #expect(
            answers.compactMap { $0.arguments.first?.text }.sorted() == [
                "/nobody/*", "/verb/mix", "/verb/mix", "/verb/mix", "/verb/mxi",
            ])
        #expect(
            answers.contains {
                $0.errorText == "there is no address verb.mxi (did you mean verb.mix?)"
            })
        #expect(show.desk.history.isEmpty)
    }

    @Test("wildcards set and ask all addresses of nodes that they match, and no others")
    func wildcards() throws {
        let show = try ServedShow()
        #expect(try show.answers(.init("/blend/*/gain", .float(-3))).isEmpty)
        let set: [Request] = [
            .set("blend.mic:2.gain", .number(-3)), .set("blend.dry.gain", .number(-3)),
        ]
        #expect(show.desk.history == set)
        let answers = try show.answers(.init("/*/bypass"), .init("/m*", .toggle(true)))
        #expect(answers.first == .error("/m*", "no node has such an address"))
        #expect(answers.last == .init("/verb/bypass", .toggle(false)))
    }

    @Test("a dump tells all addresses and their count, however many there are")
    func dump() throws {
        let entries = (0..<8000).map { Answer.Entry("node.parameter-\($0)", .number(Double($0))) }
        let show = try ServedShow(FakeDesk(entries))
        let answers = try show.answers(.init("/dump"))
        #expect(answers.last == .init("/dump/end", .integer(8000)))
        #expect(answers.dropLast().compactMap(\.entry) == entries)
    }

    @Test("when the show has other addresses, wildcards mean those")
    func structure() throws {
        let show = try ServedShow()
        _ = try show.answers(.init("/subscribe"))
        show.desk.become([.init("new.mix", .number(1))])
        show.server.hear(.structure)
        _ = try show.next { $0.path == "/structure" }
        // The survey that it begins is ahead of this one.
        _ = try show.answers(.init("/dump"))
        #expect(try show.answers(.init("/*/mix")) == [.init("/new/mix", .float(1))])
    }

    @Test("a set that nobody waits for is still the newest in the end, however many come")
    func flood() throws {
        let show = try ServedShow()
        show.desk.queue.suspend()
        for count in 1...5000 { show.caller.send([.init("/verb/mix", .integer(Int32(count)))]) }
        show.desk.queue.resume()
        #expect(isAlive(show, after: .init("/verb/mix", .integer(6000))))
        #expect(show.desk.value("verb.mix") == .number(6000))
        #expect(show.desk.history.count <= 5001)
    }

    @Test("more than the show can take is dropped, and told")
    func dropped() throws {
        let show = try ServedShow()
        show.desk.queue.suspend()
        // In datagrams that the socket has room for.
        for _ in 0..<40 { show.caller.send(Array(repeating: .init("/verb/mix"), count: 50)) }
        let told = try show.next { $0.errorText?.hasPrefix("too much at once") == true }
        show.desk.queue.resume()
        #expect(told.arguments.first == .text("/"))
        #expect(isAlive(show, after: .init("/mute")))
    }

    /// Whether a request is done after a burst, of which the system or the line has no room for all.
    private func isAlive(_ show: ServedShow, after message: OSCMessage) -> Bool {
        (0..<20).contains { _ in show.caller.ask([message], patienceSeconds: 1) != nil }
    }

    @Test("programs on liblo are answered where they sent from")
    func liblo() throws {
        let show = try ServedShow()
        let other = try FakeManager()
        other.turn(to: show.server.endpoint.port)
        other.say("/verb/mix")
        #expect(other.hear(1) == ["/verb/mix 0.25"])
        other.say("/cut/shape", "lowpass")
        other.say("/cut/shape")
        #expect(other.hear(1) == ["/cut/shape lowpass"])
        other.say("/subscribe", "/verb")
        #expect(other.hear(1) == ["/subscribed /verb 30.0 30.0"])
        _ = try show.answers(.init("/verb/mix", .float(0.5)))
        #expect(other.hear(1) == ["/verb/mix 0.5"])
    }

    @Test("random datagrams do no harm")
    func garbage() throws {
        let show = try ServedShow()
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
            caller.send(bytes, to: show.server.endpoint)
        }
        caller.send([UInt8](repeating: 0x23, count: 60_000), to: show.server.endpoint)
        #expect(try show.answers(.init("/cut/shape")) == [.init("/cut/shape", .text("highpass"))])
    }

    @Test("a datagram that is no OSC is told of")
    func damaged() throws {
        let show = try ServedShow()
        show.caller.send([OSCMessage("nonsense")])
        let told = try show.next { $0.path == "/error" }
        #expect(told.errorText?.contains("no OSC") == true)
    }

    @Test("a port that is taken is an error that names it")
    func takenPort() throws {
        let show = try ServedShow()
        let fault = #expect(throws: SocketFault.self) {
            try OSCServer(at: show.server.endpoint, desk: show.desk)
        }
        #expect(fault?.description.contains(":\(show.server.endpoint.port): ") == true)
    }
}
