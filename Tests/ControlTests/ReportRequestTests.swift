import Control
import SessionCore
import Testing

@Suite("requests for what nodes report")
struct ReportRequestTests {
    private let session: ServedSession
    private let remote: RemoteSession

    init() throws {
        let control = FakeControl(
            reports: [
                .init("verb.peak", .number(-6.5), unit: "dB"),
                .init("tape.file", .text("/takes/a b.wav")), .init("tape.state", nil),
            ])
        session = try ServedSession(control)
        remote = try RemoteSession(at: session.server.endpoint, timeoutSeconds: 20)
    }

    @Test("all are returned with their units, except those without a value")
    func list() throws {
        #expect(
            try remote.reports() == [
                .init("verb.peak", .number(-6.5), unit: "dB"),
                .init("tape.file", .text("/takes/a b.wav")),
            ])
        // A dump contains only values that can be set, as a program may send it back.
        #expect(try remote.dump() == FakeControl.usual)
    }

    @Test("one is read as a value, and wildcards find it only for reading")
    func reading() throws {
        #expect(try remote.values(of: "verb.peak") == [.init("verb.peak", .number(-6.5))])
        #expect(try remote.values(of: "verb.p*") == [.init("verb.peak", .number(-6.5))])
        #expect(throws: CallError.refused("no address of a node matches")) {
            try remote.set("verb.p*", to: .number(1))
        }
    }
}
