import Effects
import Pipelines
import Processing
import SessionCore
import Synchronization
import Testing
import TestSignals

@Suite("Songs with errors")
struct ProblemTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)

    private static let half =
        "{ \"id\": \"lev\", \"type\": \"gain\", \"parameters\": { \"gain\": -6.0206 } }"

    /// Returns a song whose pipeline was checked tolerantly.
    private func song(
        _ nodes: String, name: String, catalogue: Catalogue = Stage.catalogue
    ) throws -> Song {
        let text = """
            { "version": 1, "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
              "nodes": [\(nodes)] }
            """
        let file = try PlayableFile(
            decoding: Array(text.utf8), file: "\(name).json", catalogue: catalogue)
        var song = SongCollection(file, path: "\(name).json").songs[0]
        song.name = name
        return song
    }

    /// Returns a song that cannot play.
    private func brokenSong(_ name: String) -> Song {
        let diagnostic = Diagnostic(
            file: "\(name).json", line: 3, column: 1, pointer: "", code: .syntax,
            message: "a brace is missing")
        return Song(
            name: name,
            pipeline: Pipeline(
                name: name, summary: "", inputs: [], outputs: [], nodes: [], scenes: [],
                initialScene: nil, bindings: [], tempo: 120, tailSeconds: 4),
            path: "\(name).json",
            problems: [Problem(song: name, diagnostic: diagnostic, consequence: .skipped)])
    }

    @Test("a song with a missing plugin plays with the plugin's node dry")
    func dry() throws {
        let stage = try Stage([
            try song(
                "{ \"id\": \"amp\", \"type\": \"lv2\", \"uri\": \"urn:none\" }, \(Self.half)",
                name: "dry")
        ])
        let out = stage.play(ones)[0]
        #expect(abs((out.last ?? 0) - 0.25) < 1e-4)
        #expect(stage.ask("lev.gain", .number(0)) == .done)
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.5) < 1e-4)
        #expect(stage.ask("amp.bypass", .toggle(true)) == .done)
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.5) < 1e-4)
    }

    @Test("next-song and previous-song skip a broken song with a message")
    func skipping() throws {
        let stage = try Stage([
            try song(Self.half, name: "one"), brokenSong("two"), try song(Self.half, name: "three"),
        ])
        _ = stage.play(ones)
        #expect(stage.ask("next-song") == .playing(song: "three"))
        let skip = SessionEvent.songSkipped(name: "two", reason: "two.json:3: a brace is missing")
        #expect(stage.events.filter { $0 == skip }.count == 1)
        _ = stage.play(ones)
        #expect(stage.value("song") == .text("three"))
        // At the end of the list, the last song remains.
        #expect(stage.ask("next-song") == .playing(song: "three"))
        #expect(stage.ask("previous-song") == .playing(song: "one"))
        #expect(stage.events.filter { $0 == skip }.count == 2)
        _ = stage.play(ones)
        #expect(stage.value("song") == .text("one"))
    }

    @Test("a broken song is refused with its reason, and the current one continues")
    func refusal() throws {
        let stage = try Stage([try song(Self.half, name: "one"), brokenSong("two")])
        _ = stage.play(ones)
        #expect(
            stage.ask("song", .text("two"))
                == .refused(
                    "\"two\" cannot play: two.json:3: a brace is missing", suggestion: nil))
        #expect(stage.ask("next-song") == .playing(song: "one"))
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.25) < 1e-4)
    }

    @Test("a session begins with the first song that can play")
    func firstPlayable() throws {
        let stage = try Stage([brokenSong("one"), try song(Self.half, name: "two")])
        #expect(stage.value("song") == .text("two"))
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.25) < 1e-4)
    }

    @Test("all problems are announced as one list, and again only when they change")
    func announcement() throws {
        let stage = try Stage([try song(Self.half, name: "one"), brokenSong("two")])
        #expect(stage.session.problems.map(\.song) == ["two"])
        stage.session.announceProblems()
        stage.session.announceProblems()
        var lists = problemLists(stage)
        #expect(lists.map { $0.map(\.song) } == [["two"]])
        let line = "song \"two\" is skipped: two.json:3: a brace is missing"
        #expect(stage.value("problems") == .text(line))
        #expect(
            stage.ask("problems", .text(""))
                == .refused("\"problems\" can only be read", suggestion: nil))
        stage.session.follow([
            try song(Self.half, name: "one"), try song(Self.half, name: "two"),
        ])
        lists = problemLists(stage)
        #expect(lists.count == 2 && lists.last == [])
        #expect(stage.value("problems") == .text(""))
    }

    private func problemLists(_ stage: Stage) -> [[Problem]] {
        stage.events.compactMap { if case .problems(let list) = $0 { list } else { nil } }
    }

    // MARK: Nodes that fail to prepare

    /// A catalogue with an effect that halves the level, if it can be prepared.
    private final class Fragile: Sendable {
        let isWhole: Mutex<Bool>

        init(isWhole: Bool) { self.isWhole = Mutex(isWhole) }

        var catalogue: Catalogue {
            guard let gain = EffectCatalogue.effects.first(where: { $0.description.name == "gain" })
            else { return Stage.catalogue }
            var description = gain.description
            description.name = "fragile"
            let effect = Effect(description: description) { [self] request throws(PluginError) in
                guard isWhole.withLock({ $0 }) else { throw PluginError("it fell") }
                return try gain.makeProcessor(request)
            }
            return Catalogue(effects: EffectCatalogue.effects + [effect], plugins: NoPlugins())
        }
    }

    private static let fragile =
        "{ \"id\": \"vase\", \"type\": \"fragile\", \"parameters\": { \"gain\": -6.0206 } }"

    @Test("a node that cannot be prepared passes its input, and an edit brings it back")
    func failing() throws {
        let fragile = Fragile(isWhole: false)
        let catalogue = fragile.catalogue
        let first = try song(Self.fragile, name: "vase", catalogue: catalogue)
        let stage = try Stage([first], catalogue: catalogue, isTolerant: true)
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.5) < 1e-4)
        #expect(stage.session.problems.map(\.node) == ["vase"])
        #expect(stage.session.problems.map(\.consequence) == [.dry])
        #expect(stage.session.problems.first?.diagnostic.message == "vase: it fell")
        // An edit of another node does not fail because of this one.
        let edited = try song("\(Self.fragile), \(Self.half)", name: "vase", catalogue: catalogue)
        stage.session.follow([edited])
        for _ in 0..<4 { _ = stage.play(ones) }
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.25) < 1e-4)
        #expect(stage.session.problems.map(\.node) == ["vase"])
        fragile.isWhole.withLock { $0 = true }
        stage.session.follow([first])
        for _ in 0..<4 { _ = stage.play(ones) }
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.25) < 1e-4)
        #expect(stage.session.problems.isEmpty)
    }

    @Test("the next song plays although one of its nodes cannot be prepared")
    func failingSong() throws {
        let catalogue = Fragile(isWhole: false).catalogue
        let stage = try Stage(
            [
                try song(Self.half, name: "one", catalogue: catalogue),
                try song(Self.fragile, name: "two", catalogue: catalogue),
            ], catalogue: catalogue, isTolerant: true)
        _ = stage.play(ones)
        #expect(stage.ask("next-song") == .playing(song: "two"))
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.5) < 1e-4)
        #expect(problemLists(stage).last?.map(\.node) == ["vase"])
        #expect(problemLists(stage).last?.map(\.song) == ["two"])
    }

    @Test("a song with a node that cannot be prepared begins again with its live values")
    func keptValues() throws {
        let catalogue = Fragile(isWhole: false).catalogue
        let stage = try Stage(
            [
                try song("\(Self.fragile), \(Self.half)", name: "one", catalogue: catalogue),
                try song(Self.half, name: "two", catalogue: catalogue),
            ], catalogue: catalogue, isTolerant: true)
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.25) < 1e-4)
        #expect(stage.ask("lev.gain", .number(0)) == .done)
        _ = stage.ask("next-song")
        for _ in 0..<2 { _ = stage.play(ones) }
        #expect(stage.value("song") == .text("two"))
        _ = stage.ask("previous-song")
        for _ in 0..<2 { _ = stage.play(ones) }
        #expect(stage.value("song") == .text("one"))
        #expect(stage.value("lev.gain") == .number(0))
        #expect(abs((stage.play(ones)[0].last ?? 0) - 0.5) < 1e-4)
        #expect(stage.session.problems.map(\.node) == ["vase"])
    }

    @Test("a strict session is refused if a node cannot be prepared")
    func strict() throws {
        let catalogue = Fragile(isWhole: false).catalogue
        let song = try song(Self.fragile, name: "vase", catalogue: catalogue)
        #expect(throws: SessionError.self) { try Stage([song], catalogue: catalogue) }
    }

    // MARK: Edits

    @Test("a song that an edit would break keeps its previous version; other songs follow the edit")
    func edits() throws {
        let old = SongCollection(
            name: "Night",
            songs: [
                try song(Self.half, name: "one"), try song(Self.half, name: "two"),
                brokenSong("three"),
            ], isSetlist: true)
        let gain = "{ \"id\": \"lev\", \"type\": \"gain\" }"
        let wrong = "{ \"id\": \"lev\", \"type\": \"gain\", \"parameters\": { \"gain\": 99 } }"
        let edited = SongCollection(
            name: "Night",
            songs: [
                try song(wrong, name: "one"), try song(gain, name: "two"),
                try song(wrong, name: "three"),
            ], isSetlist: true)
        let (songs, refused) = edited.refusingNewProblems(since: old)
        #expect(songs.songs[0] == old.songs[0])
        #expect(songs.songs[1] == edited.songs[1])
        // It could not play before.
        #expect(songs.songs[2] == edited.songs[2])
        #expect(refused.map(\.diagnostic.code) == [.range])
        // Known problems do not keep a song from following.
        let known = SongCollection(
            name: "Night",
            songs: [try song("\(wrong), \(Self.half.replacing("lev", with: "b"))", name: "one")],
            isSetlist: true)
        let before = SongCollection(
            name: "Night", songs: [try song(wrong, name: "one")], isSetlist: true)
        #expect(known.refusingNewProblems(since: before).songs == known)
        #expect(known.refusingNewProblems(since: before).refused.isEmpty)
    }
}
