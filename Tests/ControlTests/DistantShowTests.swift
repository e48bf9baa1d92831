import Control
import Dispatch
import Show
import Testing

@Suite("a show in another process")
struct DistantShowTests {
    @Test("it is asked and moved as if it were here")
    func values() throws {
        let (show, distant) = try shows()
        #expect(try distant.dump() == FakeDesk.usual)
        #expect(try distant.values(of: "verb.mix") == [.init("verb.mix", .number(0.25))])
        #expect(
            try distant.set("verb.mix", to: .number(0.1)) == [.init("verb.mix", .number(0.1))])
        #expect(show.desk.value("verb.mix") == .number(0.1))
        #expect(try distant.values(of: "blend.*.gain").count == 2)
        #expect(try distant.values(of: "tap").isEmpty)
        #expect(try distant.set("panic", to: .number(1)).isEmpty)
        #expect(show.desk.history.suffix(2) == [.set("tap", nil), .set("panic", nil)])
    }

    @Test("what it refuses is an error with its reason")
    func refused() throws {
        let (show, distant) = try shows()
        let reason = "there is no address verb.mxi (did you mean verb.mix?)"
        #expect(throws: CallFault.refused(reason)) {
            try distant.set("verb.mxi", to: .number(1))
        }
        #expect(show.desk.history.isEmpty)
    }

    @Test("where nobody is, that is said")
    func nobody() throws {
        let distant = try DistantShow(at: .loopback(port: 9), patienceSeconds: 20)
        #expect(throws: CallFault.silence) { try distant.dump() }
    }

    @Test("its changes are told while it plays")
    func watch() throws {
        let (show, distant) = try shows()
        let server = show.server
        var told: [Answer.Entry] = []
        // Until the subscription is there, nobody hears.
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { server.hear(.changed(.init("verb.mix", .number(0.3)))) }
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
