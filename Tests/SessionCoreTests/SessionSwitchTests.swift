import SessionCore
import Testing
import TestSignals

@Suite("A session switch")
struct SessionSwitchTests {
    private static let ports = """
        "inputs": { "mic": {}, "keys": { "kind": "midi" } }, "outputs": { "out": { "limiter": false } }
        """
    private let song = "\(ports), \"nodes\": [ { \"id\": \"lev\", \"type\": \"gain\" } ]"
    private let ones = [Float](repeating: 0.5, count: 9_600)

    @Test("passes on the master section and the watchers")
    func night() throws {
        let (former, stage) = (try Stage(song), try Stage(song))
        let heard = EventLog()
        former.session.watch(for: ObjectIdentifier(heard)) { heard.add($0) }
        for (address, value) in [
            ("tempo", Value.number(93)), ("gain", .number(-120)), ("tuner", .text("mic")),
            ("learn", .text("lev.gain")),
        ] { #expect(former.ask(address, value) == .done) }
        heard.forget()

        stage.session.replace(former.session)
        #expect(stage.value("tempo") == .number(93))
        #expect(stage.value("gain") == .number(-120))
        #expect(stage.value("tuner") == .text("mic"))
        // A control that changes now would be bound in another file.
        #expect(stage.value("learn") == .text(""))
        #expect(heard.all.contains(.valueChanged(.init("learn", .text("")))))
        former.session.publish(.addressesChanged)
        #expect(!heard.all.contains(.addressesChanged))
        stage.session.announceReplacement()
        #expect(heard.all.contains(.addressesChanged))
        #expect(stage.play(ones)[0].allSatisfy { $0 == 0 })
    }

    @Test("keeps mute from the first sample on")
    func mute() throws {
        let (former, stage) = (try Stage(song), try Stage(song))
        #expect(former.ask("mute", .toggle(true)) == .done)
        stage.session.replace(former.session)
        #expect(stage.play(ones)[0].allSatisfy { $0 == 0 })
        #expect(stage.ask("mute", .toggle(false)) == .done)
        #expect(stage.play(ones)[0].last == 0.5)
    }
}
