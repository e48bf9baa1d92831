import Control
import Dispatch
import Glibc
import SessionCore
import Synchronization
import Testing

@Suite("requests for songs over OSC")
struct SongAnswerTests {
    /// A session whose songs are prepared until a test ends the preparation.
    private final class SongControl: SessionControl {
        private let receivers = Mutex<[@Sendable (Answer) -> Void]>([])

        func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
            switch request {
            case .set("song", .text(let name)): prepare(name, answer)
            case .perform(.nextSong): prepare("Next", answer)
            case .get("song"): answer(.values([.init("song", .text("Opener"))]))
            case .dump: answer(.values([]))
            default: answer(.done)
            }
        }

        func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {}

        private func prepare(_ name: String, _ answer: @escaping @Sendable (Answer) -> Void) {
            if name == "Ready" { return answer(.playing(song: name)) }
            receivers.withLock { $0.append(answer) }
            answer(.preparing(song: name))
        }

        /// Waits until a request waits, and answers all that wait.
        func finish(_ answer: Answer) {
            while receivers.withLock({ $0.isEmpty }) { usleep(1000) }
            let waiting = receivers.withLock { receivers in
                defer { receivers = [] }
                return receivers
            }
            for receiver in waiting { receiver(answer) }
        }
    }

    private let control = SongControl()
    private let server: OSCServer
    private let caller: OSCCaller

    init() throws {
        server = try OSCServer(at: .loopback(port: 0), control: control)
        caller = try OSCCaller(to: server.endpoint)
    }

    private func next() -> OSCMessage? { caller.next(withinSeconds: 20)?.first }

    @Test("the server reports that a song is prepared, repeats that, and reports that it plays")
    func messages() throws {
        let preparing = OSCMessage("/preparing", .text("/song"), .text("Party"))
        // The mark is not delayed, so programs that wait for it do not wait for the song.
        let first = caller.ask([.init("/song", .text("Party"))], timeoutSeconds: 20)
        #expect(first == [preparing])
        #expect(
            caller.ask([.init("/song")], timeoutSeconds: 20)?.contains(
                .init("/song", .text("Opener"))) == true)
        #expect(next() == preparing)
        control.finish(.playing(song: "Party"))
        var last = next()
        if last == preparing { last = next() }
        #expect(last == OSCMessage("/playing", .text("/song"), .text("Party")))
        // Nothing more is sent.
        #expect(caller.next(withinSeconds: 1.5) == [])
    }

    @Test("a song that is ready, or cannot be prepared, is answered once")
    func single() throws {
        let ready = caller.ask([.init("/song", .text("Ready"))], timeoutSeconds: 20)
        #expect(ready == [.init("/playing", .text("/song"), .text("Ready"))])
        let pressed = caller.ask(
            [.init("/next-song", .float(1)), .init("/next-song", .float(0))], timeoutSeconds: 20)
        #expect(pressed == [.init("/preparing", .text("/next-song"), .text("Next"))])
        control.finish(.refused("piano: it is broken", suggestion: nil))
        #expect(next() == .error("/next-song", "piano: it is broken"))
    }

    @Test("the server's own messages are no requests, so two servers do not answer each other")
    func servers() throws {
        let answers = caller.ask(
            [
                .init("/playing", .text("/song"), .text("Ready")),
                .init("/preparing", .text("/song"), .text("Ready")),
            ], timeoutSeconds: 20)
        #expect(answers == [])
    }

    @Test("a remote session waits longer for a song than for another answer")
    func waiting() throws {
        let remote = try RemoteSession(at: server.endpoint, timeoutSeconds: 1)
        for (song, request) in [("Party", "song"), ("Next", "next-song")] {
            DispatchQueue.global().asyncAfter(deadline: .now() + 2.5) { [control] in
                control.finish(.playing(song: song))
            }
            let entries =
                request == "song"
                ? try remote.set(request, to: .text(song)) : try remote.values(of: request)
            #expect(entries == [.init("song", .text(song))])
        }
        #expect(try remote.set("song", to: .text("Ready")) == [.init("song", .text("Ready"))])
    }

    @Test("a remote session throws the reason why a song does not play")
    func failing() throws {
        let remote = try RemoteSession(at: server.endpoint, timeoutSeconds: 1)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { [control] in
            control.finish(.refused("piano: it is broken", suggestion: nil))
        }
        #expect(throws: CallError.failed("piano: it is broken")) {
            try remote.set("song", to: .text("Party"))
        }
    }
}
