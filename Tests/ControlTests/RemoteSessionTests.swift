import Control
import Dispatch
import SessionCore
import Testing

@Suite("a session in another process")
struct RemoteSessionTests {
    @Test("values are read and set as in a local session")
    func values() throws {
        let (session, remote) = try sessions()
        #expect(try remote.dump() == FakeControl.usual)
        #expect(try remote.values(of: "verb.mix") == [.init("verb.mix", .number(0.25))])
        #expect(
            try remote.set("verb.mix", to: .number(0.1)) == [.init("verb.mix", .number(0.1))])
        #expect(session.control.value("verb.mix") == .number(0.1))
        #expect(try remote.values(of: "blend.*.gain").count == 2)
        #expect(try remote.values(of: "tap").isEmpty)
        #expect(try remote.set("panic", to: .number(1)).isEmpty)
        #expect(session.control.history.suffix(2) == [.perform(.tap), .perform(.panic)])
    }

    @Test("a refused request is an error with its reason")
    func refused() throws {
        let (session, remote) = try sessions()
        let reason = "there is no address verb.mxi (did you mean verb.mix?)"
        #expect(throws: CallError.refused(reason)) {
            try remote.set("verb.mxi", to: .number(1))
        }
        #expect(session.control.history.isEmpty)
    }

    @Test("the error says that no session answers")
    func nobody() throws {
        let remote = try RemoteSession(at: .loopback(port: 9), timeoutSeconds: 20)
        #expect(throws: CallError.silence) { try remote.dump() }
    }

    @Test("its changes are received while it plays")
    func watch() throws {
        let (session, remote) = try sessions()
        let server = session.server
        var reported: [AddressValue] = []
        // No client receives changes before the subscription is active.
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { server.receive(.valueChanged(.init("verb.mix", .number(0.3)))) }
        timer.schedule(deadline: .now(), repeating: 0.01)
        timer.resume()
        defer { timer.cancel() }
        try remote.watch(["verb"]) { entry in
            reported.append(entry)
            return reported.count < 2
        }
        #expect(reported == Array(repeating: .init("verb.mix", .number(0.3)), count: 2))
    }

    private func sessions() throws -> (ServedSession, RemoteSession) {
        let session = try ServedSession()
        return (session, try RemoteSession(at: session.server.endpoint, timeoutSeconds: 20))
    }
}
