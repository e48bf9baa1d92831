import Control
import Dispatch
import Show
import Testing

@Suite("a session in another process")
struct DistantShowTests {
    @Test("values are read and set as in a local session")
    func values() throws {
        let (show, distant) = try shows()
        #expect(try distant.dump() == FakeControl.usual)
        #expect(try distant.values(of: "verb.mix") == [.init("verb.mix", .number(0.25))])
        #expect(
            try distant.set("verb.mix", to: .number(0.1)) == [.init("verb.mix", .number(0.1))])
        #expect(show.control.value("verb.mix") == .number(0.1))
        #expect(try distant.values(of: "blend.*.gain").count == 2)
        #expect(try distant.values(of: "tap").isEmpty)
        #expect(try distant.set("panic", to: .number(1)).isEmpty)
        #expect(show.control.history.suffix(2) == [.perform(.tap), .perform(.panic)])
    }

    @Test("a refused request is an error with its reason")
    func refused() throws {
        let (show, distant) = try shows()
        let reason = "there is no address verb.mxi (did you mean verb.mix?)"
        #expect(throws: CallFault.refused(reason)) {
            try distant.set("verb.mxi", to: .number(1))
        }
        #expect(show.control.history.isEmpty)
    }

    @Test("the error says that no session answers")
    func nobody() throws {
        let distant = try DistantShow(at: .loopback(port: 9), patienceSeconds: 20)
        #expect(throws: CallFault.silence) { try distant.dump() }
    }

    @Test("its changes are received while it plays")
    func watch() throws {
        let (show, distant) = try shows()
        let server = show.server
        var told: [AddressValue] = []
        // No client receives changes before the subscription is active.
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { server.receive(.valueChanged(.init("verb.mix", .number(0.3)))) }
        timer.schedule(deadline: .now(), repeating: 0.01)
        timer.resume()
        defer { timer.cancel() }
        try distant.watch(["verb"]) { entry in
            told.append(entry)
            return told.count < 2
        }
        #expect(told == Array(repeating: .init("verb.mix", .number(0.3)), count: 2))
    }

    private func shows() throws -> (ServedShow, DistantShow) {
        let show = try ServedShow()
        return (show, try DistantShow(at: show.server.endpoint, patienceSeconds: 20))
    }
}
