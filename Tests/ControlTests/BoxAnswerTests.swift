import Control
import SessionCore
import Testing

@Suite("requests for boxes over OSC")
struct BoxAnswerTests {
    private static let path = "/boxes/one.stompbox"
    private let session: PendingSession

    init() throws { session = try PendingSession { Self.reply(to: $0) } }

    private static func reply(to request: SessionRequest) -> Answer {
        switch request {
        case .perform(.keep): .pending
        case .dump: .values([])
        default: .done
        }
    }

    @Test("the server reports that a box is being written, repeats that, and reports its path")
    func messages() throws {
        let keeping = OSCMessage("/keeping", .text("/keep"))
        // The mark is not delayed, so programs that wait for it do not wait for the box.
        #expect(session.ask(.init("/keep")) == [keeping])
        #expect(session.next() == keeping)
        session.finish(.kept(path: Self.path))
        var last = session.next()
        if last == keeping { last = session.next() }
        #expect(last == OSCMessage("/kept", .text("/keep"), .text(Self.path)))
    }

    @Test("a remote session waits for the box, and says meanwhile how long it has waited")
    func waiting() throws {
        let remote = try RemoteSession(at: session.server.endpoint, timeoutSeconds: 1)
        session.finish(.kept(path: Self.path), afterSeconds: 2.5)
        var delays: [Double] = []
        let entries = try remote.values(of: "keep") { delays.append($0) }
        #expect(entries == [.init("kept", .text(Self.path))])
        #expect(delays.count >= 2 && delays == delays.sorted(), "\(delays)")
        #expect((delays.last ?? 0) > 0.5)
    }

    @Test("a remote session throws the reason why there is no box")
    func failing() throws {
        let remote = try RemoteSession(at: session.server.endpoint, timeoutSeconds: 1)
        session.finish(.refused("the disk is full", suggestion: nil), afterSeconds: 0.5)
        #expect(throws: CallError.failed("the disk is full")) { try remote.values(of: "keep") }
    }
}
