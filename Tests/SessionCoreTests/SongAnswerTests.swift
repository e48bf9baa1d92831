import Engine
import Processing
import SessionCore
import Synchronization
import Testing

@Suite("A request for a song is answered when a song plays")
struct SongAnswerTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)

    private func text(delays: Int = 0) -> String {
        let nodes = (0..<delays).map {
            ", { \"id\": \"d\($0)\", \"type\": \"delay\", \"settings\": { \"maximum\": 60 } }"
        }.joined()
        return """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
            "nodes": [ { "id": "a", "type": "gain" }\(nodes) ]
            """
    }

    /// Returns a stage of five songs; the third one needs more memory than there is.
    private func stage() throws -> Stage {
        var catalogue = Stage.catalogue
        catalogue.memory = MemoryBudget { .init(freeBytes: 50_000_000, limit: "a test's limit") }
        let songs = try (1...5).map {
            try Stage.song(text(delays: $0 == 3 ? 10 : 0), name: "song \($0)")
        }
        return try Stage(songs, catalogue: catalogue)
    }

    /// The later answers to a request.
    private final class Later {
        private(set) var answers: [Answer] = []

        /// Requests a song by its number.
        func ask(_ number: Int, _ stage: Stage) -> Answer {
            ask(.set("song", .number(Double(number))), stage)
        }

        func ask(_ request: SessionRequest, _ stage: Stage) -> Answer {
            stage.session.perform(request) { self.answers.append($0) }
        }
    }

    @Test("with the song that it requested, once, when that song begins")
    func prepared() throws {
        let (stage, later) = (try stage(), Later())
        #expect(later.ask(5, stage) == .preparing(song: "song 5"))
        #expect(later.answers.isEmpty)
        #expect(stage.value("song") == .text("song 1"))
        _ = stage.play(ones)
        #expect(later.answers == [.playing(song: "song 5")])
        #expect(stage.value("song") == .text("song 5"))
    }

    @Test("at once if the song is ready or plays already")
    func ready() throws {
        let (stage, later) = (try stage(), Later())
        _ = stage.play(ones)
        #expect(later.ask(2, stage) == .playing(song: "song 2"))
        #expect(later.ask(2, stage) == .playing(song: "song 2"))
        _ = stage.play(ones)
        #expect(later.answers.isEmpty)
    }

    @Test("with another song if a later request overtakes it")
    func overtaken() throws {
        let (stage, first, second) = (try stage(), Later(), Later())
        #expect(first.ask(5, stage) == .preparing(song: "song 5"))
        #expect(second.ask(4, stage) == .preparing(song: "song 4"))
        _ = stage.play(ones)
        #expect(first.answers == [.playing(song: "song 4")])
        #expect(second.answers == [.playing(song: "song 4")])
    }

    @Test("with the current song if a later request returns to it")
    func cancelled() throws {
        let (stage, first, second) = (try stage(), Later(), Later())
        _ = first.ask(5, stage)
        #expect(second.ask(1, stage) == .playing(song: "song 1"))
        #expect(first.answers == [.playing(song: "song 1")])
        _ = stage.play(ones)
        #expect(stage.value("song") == .text("song 1"))
        #expect(first.answers.count == 1 && second.answers.isEmpty)
    }

    @Test("with the reason if the song cannot be prepared")
    func failed() throws {
        let (stage, first, second) = (try stage(), Later(), Later())
        // Overtaken, so it is not refused, although the later song does not begin.
        _ = first.ask(5, stage)
        #expect(second.ask(3, stage) == .preparing(song: "song 3"))
        _ = stage.play(ones)
        #expect(first.answers == [.playing(song: "song 1")])
        #expect(second.answers.count == 1)
        guard case .refused(let reason, suggestion: nil)? = second.answers.first else {
            Issue.record("the song was not refused")
            return
        }
        #expect(reason.hasPrefix("the pipeline needs 115 MB of memory, but only 50 MB"))
        // The next request is not affected.
        _ = second.ask(4, stage)
        _ = stage.play(ones)
        #expect(second.answers.last == .playing(song: "song 4"))
    }

    @Test("for the next and the previous song too; at the end of the list, with the last one")
    func steps() throws {
        let (stage, first, second) = (try stage(), Later(), Later())
        let (next, previous) = (
            SessionRequest.perform(.nextSong), SessionRequest.perform(.previousSong)
        )
        #expect(first.ask(previous, stage) == .playing(song: "song 1"))
        #expect(first.ask(next, stage) == .preparing(song: "song 2"))
        _ = stage.play(ones)
        #expect(first.answers == [.playing(song: "song 2")])
        #expect(second.ask(5, stage) == .preparing(song: "song 5"))
        #expect(second.ask(next, stage) == .preparing(song: "song 5"))
        _ = stage.play(ones)
        #expect(second.answers == [.playing(song: "song 5"), .playing(song: "song 5")])
        #expect(second.ask(next, stage) == .playing(song: "song 5"))
    }

    @Test("with a refusal if the songs are edited or the session is replaced before it is ready")
    func ended() throws {
        let (stage, first, second) = (try stage(), Later(), Later())
        _ = first.ask(5, stage)
        var songs = stage.session.songs
        songs[1].name = "another"
        stage.session.follow(songs)
        #expect(
            first.answers == [
                .refused(
                    "the songs were edited before it was ready; request it again", suggestion: nil)
            ])
        _ = second.ask(5, stage)
        try self.stage().session.replace(stage.session)
        #expect(second.answers == [.refused("another session plays now", suggestion: nil)])
    }

    @Test("and if very many requests wait, the oldest are refused")
    func many() throws {
        let (stage, later) = (try stage(), Later())
        for _ in 0..<70 { _ = later.ask(5, stage) }
        #expect(later.answers.count == 6)
        for answer in later.answers {
            #expect(
                answer == .refused("too many later requests wait for a song", suggestion: nil))
        }
        _ = stage.play(ones)
        #expect(later.answers.count == 70)
        #expect(later.answers.last == .playing(song: "song 5"))
    }
}
