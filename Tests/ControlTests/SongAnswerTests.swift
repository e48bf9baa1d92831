import Control
import SessionCore
import Testing

@Suite("requests for songs over OSC")
struct SongAnswerTests {
    private let session: PendingSession

    init() throws { session = try PendingSession { Self.reply(to: $0) } }

    private static func reply(to request: SessionRequest) -> Answer {
        switch request {
        case .set("song", .text("Ready")): .playing(song: "Ready")
        case .set("song", .text(let name)): .preparing(song: name)
        case .perform(.nextSong): .preparing(song: "Next")
        case .get("song"): .values([.init("song", .text("Opener"))])
        case .dump: .values([])
        default: .done
        }
    }

    @Test("the server reports that a song is prepared, repeats that, and reports that it plays")
    func messages() throws {
        let preparing = OSCMessage("/preparing", .text("/song"), .text("Party"))
        // The mark is not delayed, so programs that wait for it do not wait for the song.
        let first = session.ask(.init("/song", .text("Party")))
        #expect(first == [preparing])
        let answers = session.ask(.init("/song"))
        #expect(answers?.contains(.init("/song", .text("Opener"))) == true)
        #expect(session.next() == preparing)
        session.finish(.playing(song: "Party"))
        var last = session.next()
        if last == preparing { last = session.next() }
        #expect(last == OSCMessage("/playing", .text("/song"), .text("Party")))
        // Nothing more is sent.
        #expect(session.caller.next(withinSeconds: 1.5) == [])
    }

    @Test("a song that is ready, or cannot be prepared, is answered once")
    func single() throws {
        let ready = session.ask(.init("/song", .text("Ready")))
        #expect(ready == [.init("/playing", .text("/song"), .text("Ready"))])
        let pressed = session.ask(
            .init("/next-song", .float(1)), .init("/next-song", .float(0)))
        #expect(pressed == [.init("/preparing", .text("/next-song"), .text("Next"))])
        session.finish(.refused("piano: it is broken", suggestion: nil))
        #expect(session.next() == .error("/next-song", "piano: it is broken"))
    }

    @Test("the server's own messages are no requests, so two servers do not answer each other")
    func servers() throws {
        let answers = session.ask(
            .init("/playing", .text("/song"), .text("Ready")),
            .init("/preparing", .text("/song"), .text("Ready")))
        #expect(answers == [])
    }

    @Test("a remote session waits longer for a song than for another answer")
    func waiting() throws {
        let remote = try RemoteSession(at: session.server.endpoint, timeoutSeconds: 1)
        for (song, request) in [("Party", "song"), ("Next", "next-song")] {
            session.finish(.playing(song: song), afterSeconds: 2.5)
            let entries =
                request == "song"
                ? try remote.set(request, to: .text(song)) : try remote.values(of: request)
            #expect(entries == [.init("song", .text(song))])
        }
        #expect(try remote.set("song", to: .text("Ready")) == [.init("song", .text("Ready"))])
    }

    @Test("a remote session throws the reason why a song does not play")
    func failing() throws {
        let remote = try RemoteSession(at: session.server.endpoint, timeoutSeconds: 1)
        session.finish(.refused("piano: it is broken", suggestion: nil), afterSeconds: 0.5)
        #expect(throws: CallError.failed("piano: it is broken")) {
            try remote.set("song", to: .text("Party"))
        }
    }
}
