import Pipelines
import SessionCore
import Testing

@Suite("A setlist of 500 songs")
struct ManySongsTests {
    private let count = 500

    private func text(_ decibels: Int) -> String {
        """
        "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
        "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(decibels) } } ],
        "tail": 0
        """
    }

    private func stage() throws -> Stage {
        let songs = try (1...count).map { try Stage.song(text(-($0 % 20)), name: "song \($0)") }
        return try Stage(songs)
    }

    /// Plays until nothing rings out and nothing is to be prepared.
    ///
    /// - Returns: The largest number of prepared songs meanwhile, with the one that plays.
    private func settle(_ stage: Stage) -> Int {
        var most = stage.session.scheduleCount
        for _ in 0..<60 {
            _ = stage.play([Float](repeating: 0.1, count: 512))
            most = max(most, stage.session.scheduleCount)
        }
        return most
    }

    @Test("keeps only the song that plays and its neighbours prepared, also through all switches")
    func neighbours() throws {
        let stage = try stage()
        #expect(settle(stage) <= 2)
        // One end of the list has one neighbour.
        #expect(stage.session.scheduleCount == 2)
        for song in [2, 3, 4, 3, 2, 250, 251, 250, 499, 500, 1] {
            _ = stage.ask("song", .number(Double(song)))
            #expect(settle(stage) <= 4, "song \(song)")
            #expect(stage.value("song") == .text("song \(song)"))
            #expect(stage.session.scheduleCount == (song == 1 || song == count ? 2 : 3))
        }
    }

    @Test("plays the next songs at once, without a pause for their preparation")
    func nextSongs() throws {
        let stage = try stage()
        _ = settle(stage)
        for song in 2...30 {
            #expect(stage.ask("next-song") == .playing(song: "song \(song)"))
            #expect(settle(stage) <= 4)
        }
    }

    @Test("keeps no more after edits of the setlist and of its songs")
    func edits() throws {
        let stage = try stage()
        _ = stage.ask("song", .number(250))
        _ = settle(stage)
        var songs = stage.session.songs
        let edits: [(inout [Song]) throws -> Void] = [
            { $0.removeFirst(100) },
            { $0.swapAt(0, 399) },
            { $0[10] = try Stage.song(text(-30), name: $0[10].name) },
            { $0[149] = try Stage.song(text(-31), name: $0[149].name) },
            { $0.removeLast(200) },
        ]
        for edit in edits {
            try edit(&songs)
            stage.session.follow(songs)
            #expect(settle(stage) <= 4)
            #expect(stage.value("song") == .text("song 250"))
            #expect(stage.session.scheduleCount == 3)
        }
        #expect(stage.ask("next-song") == .playing(song: "song 251"))
    }

    @Test("finds the states of songs with the same name after an edit")
    func twins() throws {
        let names = (0..<count).map { "song \($0 / 2)" }
        let songs = try names.map { try Stage.song(text(0), name: $0) }
        let stage = try Stage(songs)
        _ = settle(stage)
        _ = stage.ask("a.gain", .number(-7))
        _ = stage.ask("song", .number(2))
        _ = settle(stage)
        #expect(stage.value("a.gain") == .number(0))
        // The second song of a name remains the second one.
        stage.session.follow(Array(songs.dropLast()))
        _ = settle(stage)
        _ = stage.ask("previous-song")
        _ = settle(stage)
        #expect(stage.value("a.gain") == .number(-7))
    }
}
