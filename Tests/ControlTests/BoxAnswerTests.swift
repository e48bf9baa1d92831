import Control
import Dispatch
import Glibc
import SessionCore
import Synchronization
import Testing

@Suite("requests for boxes over OSC")
struct BoxAnswerTests {
    /// A session that writes a box until a test ends it.
    private final class BoxControl: SessionControl {
        private let receiver = Mutex<(@Sendable (Answer) -> Void)?>(nil)

        func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
            switch request {
            case .perform(.keep):
                receiver.withLock { $0 = answer }
                answer(.pending)
            case .dump: answer(.values([]))
            default: answer(.done)
            }
        }

        func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {}

        /// Waits until a box is requested, and answers the request.
        func finish(_ answer: Answer) {
            while receiver.withLock({ $0 == nil }) { usleep(1000) }
            receiver.withLock { $0 }?(answer)
        }
    }

    private static let path = "/boxes/one.stompbox"
    private let control = BoxControl()
    private let server: OSCServer
    private let caller: OSCCaller

    init() throws {
        server = try OSCServer(at: .loopback(port: 0), control: control)
        caller = try OSCCaller(to: server.endpoint)
    }

    private func next() -> OSCMessage? { caller.next(withinSeconds: 20)?.first }

    @Test("the server reports that a box is being written, repeats that, and reports its path")
    func messages() throws {
        let keeping = OSCMessage("/keeping", .text("/keep"))
        // The mark is not delayed, so programs that wait for it do not wait for the box.
        #expect(caller.ask([.init("/keep")], timeoutSeconds: 20) == [keeping])
        #expect(next() == keeping)
        control.finish(.kept(path: Self.path))
        var last = next()
        if last == keeping { last = next() }
        #expect(last == OSCMessage("/kept", .text("/keep"), .text(Self.path)))
    }

    @Test("a remote session waits for the box, and says meanwhile how long it has waited")
    func waiting() throws {
        let remote = try RemoteSession(at: server.endpoint, timeoutSeconds: 1)
        DispatchQueue.global().asyncAfter(deadline: .now() + 2.5) { [control] in
            control.finish(.kept(path: Self.path))
        }
        var delays: [Double] = []
        let entries = try remote.values(of: "keep") { delays.append($0) }
        #expect(entries == [.init("kept", .text(Self.path))])
        #expect(delays.count >= 2 && delays == delays.sorted(), "\(delays)")
        #expect((delays.last ?? 0) > 0.5)
    }

    @Test("a remote session throws the reason why there is no box")
    func failing() throws {
        let remote = try RemoteSession(at: server.endpoint, timeoutSeconds: 1)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { [control] in
            control.finish(.refused("the disk is full", suggestion: nil))
        }
        #expect(throws: CallError.failed("the disk is full")) { try remote.values(of: "keep") }
    }
}
