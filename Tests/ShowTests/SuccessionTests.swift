import Show
import Synchronization
import TestSignals
import Testing

@Suite("A show in the place of another")
struct SuccessionTests {
    private static let ports = """
        "inputs": { "mic": {}, "keys": { "kind": "midi" } }, "outputs": { "out": { "limiter": false } }
        """
    private let song = "\(ports), \"nodes\": [ { \"id\": \"lev\", \"type\": \"gain\" } ]"
    private let ones = [Float](repeating: 0.5, count: 9_600)

    @Test("what belongs to the night goes over, and so does whoever listens")
    func night() throws {
        let (former, stage) = (try Stage(song), try Stage(song))
        let heard = Notices()
        former.show.listen(for: ObjectIdentifier(heard)) { heard.add($0) }
        for (address, value) in [
            ("tempo", Value.number(93)), ("gain", .number(-120)), ("tuner", .text("mic")),
            ("learn", .text("lev.gain")),
        ] { #expect(former.ask(address, value) == .done) }
        heard.forget()

        stage.show.succeed(former.show)
        #expect(stage.value("tempo") == .number(93))
        #expect(stage.value("gain") == .number(-120))
        #expect(stage.value("tuner") == .text("mic"))
        // What is moved now would be bound in another file.
        #expect(stage.value("learn") == .text(""))
        #expect(heard.all.contains(.changed(.init("learn", .text("")))))
        former.show.tell(.structure)
        #expect(!heard.all.contains(.structure))
        stage.show.tell(.structure)
        #expect(heard.all.contains(.structure))
        #expect(stage.play(ones)[0].allSatisfy { $0 == 0 })
    }

    @Test("one that is mute is so from its first sample on")
    func mute() throws {
        let (former, stage) = (try Stage(song), try Stage(song))
        #expect(former.ask("mute", .toggle(true)) == .done)
        stage.show.succeed(former.show)
        #expect(stage.play(ones)[0].allSatisfy { $0 == 0 })
        #expect(stage.ask("mute", .toggle(false)) == .done)
        #expect(stage.play(ones)[0].last == 0.5)
    }
}

/// What a show has told.
private final class Notices: Sendable {
    private let notices = Mutex<[Notice]>([])

    var all: [Notice] { notices.withLock { $0 } }

    func add(_ notice: Notice) { notices.withLock { $0.append(notice) } }
    func forget() { notices.withLock { $0 = [] } }
}
