import Effects
import Pipelines
import Processing
import SessionCore
import Testing

@Suite("Saving live values")
struct SaveTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)
    private let answers = Answers()

    private final class Answers {
        var all: [Answer] = []
    }

    /// Returns a song with two gains and two scenes.
    private func song(
        _ gain: Double = 0, b: Double = 0, soft: String = "\"a.gain\": -12", more: String = ""
    ) throws -> Song {
        var song = try Stage.song(
            """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
            "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(gain) } },
                       { "id": "b", "type": "gain", "parameters": { "gain": \(b) } } ],
            "scenes": { "soft": { \(soft) }, "loud": { "a.gain": 3 }\(more) }
            """, name: "song")
        song.path = "song.json"
        return song
    }

    private func request(
        _ request: SessionRequest, _ stage: Stage, from origin: RequestOrigin = .here
    ) -> Answer {
        stage.session.perform(request, from: origin) { [answers] in answers.all.append($0) }
    }

    /// Returns the orders that the session has given so far.
    private func orders(_ stage: Stage) -> [FileEditOrder] {
        stage.events.compactMap {
            if case .fileEditRequested(let order) = $0 { order } else { nil }
        }
    }

    private func save(_ stage: Stage) throws -> SongSave {
        let order = try #require(orders(stage).last)
        guard case .save(let save) = order.task else { throw NoSave() }
        return save
    }

    private struct NoSave: Error {}

    /// Ends the last order as the host does.
    private func finish(_ stage: Stage, with song: Song) throws {
        let order = try #require(orders(stage).last)
        let save = try save(stage)
        stage.session.finishFileEdit(
            order.number,
            .done(FileEdit(.saved(scene: save.scene), path: save.path, values: save.values)),
            songs: SongCollection(name: "songs", songs: [song], isSetlist: false))
    }

    @Test("writes the values that differ from the file, and nothing is heard")
    func file() throws {
        let stage = try Stage([try song()])
        _ = stage.play(ones)
        _ = stage.ask("a.gain", .number(-6.3))
        _ = stage.ask("a.mix", .number(0.5))
        _ = stage.ask("b.bypass", .toggle(true))
        let before = try #require(stage.play(ones)[0].last)
        let playing = stage.session.active
        #expect(request(.perform(.save), stage) == .pending)
        let save = try save(stage)
        #expect(save.song == "song" && save.path == "song.json" && save.scene == nil)
        #expect(
            save.edits == [
                ValueEdit(.parameter("gain", node: "a"), value: .number(-6.3), number: -6.3),
                ValueEdit(.nodeKey("mix", node: "a"), value: .number(0.5), number: 0.5),
                ValueEdit(.nodeKey("bypass", node: "b"), value: true, number: 1),
            ])
        #expect(
            save.values == [
                .init("a.gain", .number(-6.3)), .init("a.mix", .number(0.5)),
                .init("b.bypass", .toggle(true)),
            ])
        var saved = try song(-6.3)
        saved.pipeline.nodes[0].mix = 0.5
        saved.pipeline.nodes[1].isBypassed = true
        try finish(stage, with: saved)
        #expect(stage.play(ones)[0].allSatisfy { abs($0 - before) < 1e-6 })
        #expect(stage.session.active === playing)
        #expect(answers.all.count == 1)
        guard case .edited(let edit)? = answers.all.first else {
            Issue.record("it was not answered")
            return
        }
        #expect(
            edit.text == "saved 3 values in song.json: a.gain -6.3, a.mix 0.5, b.bypass true")
        #expect(stage.events.contains(.fileEdited(edit)))
        // The edit comes from the session itself.
        #expect(!stage.events.contains(.reloaded(pipeline: "song")))
        #expect(
            stage.ask("save")
                == .refused("nothing to save: all values are as in the file", suggestion: nil))
    }

    @Test("writes a value that the scene in effect sets into the scene")
    func sceneInEffect() throws {
        let stage = try Stage([try song()])
        _ = stage.ask("scene", .text("soft"))
        _ = stage.ask("a.gain", .number(-9))
        _ = stage.ask("b.gain", .number(-1))
        #expect(request(.perform(.save), stage) == .pending)
        #expect(
            try save(stage).edits == [
                ValueEdit(.address("a.gain", scene: "soft"), value: .number(-9), number: -9),
                ValueEdit(.parameter("gain", node: "b"), value: .number(-1), number: -1),
            ])
        try finish(stage, with: try song(0, b: -1, soft: "\"a.gain\": -9"))
        _ = stage.play(ones)
        #expect(stage.value("a.gain") == .number(-9))
        #expect(stage.value("scene") == .text("soft"))
        guard case .refused = stage.ask("save") else {
            Issue.record("there was something left to save")
            return
        }
    }

    @Test("writes the values that differ from the nodes' own values into a new scene")
    func newScene() throws {
        let stage = try Stage([try song()])
        _ = stage.play(ones)
        _ = stage.ask("scene", .text("soft"))
        _ = stage.ask("b.gain", .number(-1))
        let before = try #require(stage.play(ones + ones)[0].last)
        #expect(request(.set("save-scene", .text("chorus")), stage) == .pending)
        #expect(try save(stage).scene == "chorus")
        #expect(
            try save(stage).edits == [
                ValueEdit(.address("a.gain", scene: "chorus"), value: .number(-12), number: -12),
                ValueEdit(.address("b.gain", scene: "chorus"), value: .number(-1), number: -1),
            ])
        let chorus = ", \"chorus\": { \"a.gain\": -12, \"b.gain\": -1 }"
        try finish(stage, with: try song(more: chorus))
        let out = stage.play(ones + ones)[0]
        #expect(out.allSatisfy { abs($0 - before) < 1e-6 })
        #expect(stage.value("scene") == .text("chorus"))
        guard case .edited(let edit)? = answers.all.first else {
            Issue.record("it was not answered")
            return
        }
        #expect(
            edit.text
                == "saved 2 values in the scene chorus of song.json: a.gain -12, b.gain -1")
        // The scene can be applied.
        _ = stage.ask("scene", .text("loud"))
        #expect(stage.ask("scene", .text("chorus")) == .done)
        #expect(stage.value("a.gain") == .number(-12))
    }

    @Test("a new scene has the gain of the scene in effect, an existing one keeps its own")
    func sceneGain() throws {
        let stage = try Stage([try song(more: ", \"low\": { \"gain\": -6, \"a.gain\": -3 }")])
        _ = stage.play(ones)
        _ = stage.ask("scene", .text("low"))
        _ = stage.ask("b.gain", .number(-1))
        #expect(request(.set("save-scene", .text("new")), stage) == .pending)
        let saved = try save(stage)
        #expect(
            saved.edits == [
                ValueEdit(.address("a.gain", scene: "new"), value: .number(-3), number: -3),
                ValueEdit(.address("b.gain", scene: "new"), value: .number(-1), number: -1),
                ValueEdit(.address("gain", scene: "new"), value: .number(-6), number: -6),
            ])
        #expect(saved.values.count == 2)
        let other = try Stage([try song(more: ", \"low\": { \"gain\": -6, \"a.gain\": -3 }")])
        _ = other.ask("scene", .text("low"))
        _ = other.ask("b.gain", .number(-1))
        #expect(request(.set("save-scene", .text("soft")), other) == .pending)
        #expect(
            try save(other).edits.allSatisfy { $0.entry != .address("gain", scene: "soft") })
    }

    @Test("changes an existing scene wherever it differs from the live values")
    func existingScene() throws {
        let stage = try Stage([try song()])
        _ = stage.ask("b.gain", .number(-1))
        #expect(request(.set("save-scene", .text("soft")), stage) == .pending)
        #expect(
            try save(stage).edits == [
                ValueEdit(.address("a.gain", scene: "soft"), value: .number(0), number: 0),
                ValueEdit(.address("b.gain", scene: "soft"), value: .number(-1), number: -1),
            ])
    }

    @Test("into the scene in effect needs one, and a scene needs a name")
    func sceneRefusals() throws {
        let stage = try Stage([try song()])
        _ = stage.ask("b.gain", .number(-1))
        #expect(
            stage.ask("save-scene")
                == .refused("no scene is in effect; name one: save-scene NAME", suggestion: nil))
        #expect(
            stage.ask("save-scene", .text(""))
                == .refused("a scene needs a name", suggestion: nil))
        #expect(
            stage.ask("save", .text("soft"))
                == .refused("\"save\" has no value", suggestion: "save-scene"))
        _ = stage.ask("scene", .text("soft"))
        // A button sends a number.
        #expect(request(.set("save-scene", .number(1)), stage) == .pending)
        #expect(try save(stage).scene == "soft")
    }

    @Test("keeps a value that moves while the file is written, and saves it the next time")
    func movedMeanwhile() throws {
        let stage = try Stage([try song()])
        _ = stage.ask("a.gain", .number(-6))
        _ = request(.perform(.save), stage)
        _ = stage.ask("a.gain", .number(-3))
        try finish(stage, with: try song(-6))
        #expect(stage.value("a.gain") == .number(-3))
        _ = request(.perform(.save), stage)
        #expect(try save(stage).values == [.init("a.gain", .number(-3))])
    }

    @Test("is done by one request at a time")
    func several() throws {
        let stage = try Stage([try song()])
        _ = stage.ask("a.gain", .number(-6))
        #expect(request(.perform(.save), stage) == .pending)
        for command in [SessionCommand.save, .undo] {
            #expect(
                request(.perform(command), stage)
                    == .refused(
                        "an earlier request still edits a file; try again", suggestion: nil))
        }
        let order = try #require(orders(stage).last)
        stage.session.finishFileEdit(order.number, .refused("the disk is full"), songs: nil)
        // A late result of another order is ignored.
        stage.session.finishFileEdit(order.number, .refused("again"), songs: nil)
        #expect(answers.all == [.refused("the disk is full", suggestion: nil)])
        #expect(request(.perform(.save), stage) == .pending)
        #expect(orders(stage).count == 2)
    }

    @Test("can be undone, and the live values remain")
    func undo() throws {
        let stage = try Stage([try song()])
        _ = stage.ask("a.gain", .number(-6))
        _ = request(.perform(.save), stage)
        let saved = try save(stage)
        try finish(stage, with: try song(-6))
        #expect(request(.perform(.undo), stage) == .pending)
        let order = try #require(orders(stage).last)
        #expect(order.task == .undo)
        let edit = FileEdit(.undone, path: saved.path, values: saved.values)
        stage.session.finishFileEdit(
            order.number, .done(edit),
            songs: SongCollection(name: "songs", songs: [try song()], isSetlist: false))
        #expect(answers.all.last == .edited(edit))
        #expect(edit.text == "restored song.json as it was before 1 value was saved")
        #expect(stage.value("a.gain") == .number(-6))
        // It can be saved again.
        #expect(request(.perform(.save), stage) == .pending)
    }

    @Test("keeps a song that is being prepared, and its request")
    func otherSongs() throws {
        let songs = try (1...4).map { number in
            var song = try song()
            song.name = "song \(number)"
            song.path = "\(number).json"
            return song
        }
        let stage = try Stage(songs)
        _ = stage.ask("a.gain", .number(-6))
        _ = request(.perform(.save), stage)
        #expect(request(.set("song", .number(4)), stage) == .preparing(song: "song 4"))
        let order = try #require(orders(stage).last)
        var edited = songs
        edited[0].pipeline = try song(-6).pipeline
        stage.session.finishFileEdit(
            order.number, .done(FileEdit(.saved(scene: nil), path: "1.json", values: [])),
            songs: SongCollection(name: "songs", songs: edited, isSetlist: true))
        _ = stage.play(ones)
        #expect(answers.all.last == .playing(song: "song 4"))
    }

    @Test("is refused for a song without a file")
    func noFile() throws {
        let stage = try Stage("\"nodes\": [ { \"id\": \"a\", \"type\": \"gain\" } ]")
        _ = stage.ask("a.gain", .number(-6))
        #expect(
            stage.ask("save")
                == .refused("\"song 1\" has no file to save into", suggestion: nil))
    }

    @Test("by another program leaves out parameters of a node with `remote` off")
    func remote() throws {
        var catalogue = Stage.catalogue
        var tape = try #require(catalogue.effect("gain"))
        tape.description.name = "tape"
        tape.description.settings = [
            SettingDescription("remote", kind: .toggle, default: .toggle(true))
        ]
        catalogue.effects.append(tape)
        let text = """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1 } },
              "nodes": [ { "id": "t", "type": "tape", "settings": { "remote": false } },
                         { "id": "g", "type": "gain" } ] }
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "p.json", catalogue: catalogue)
        let stage = try Stage(
            [Song(name: "song", pipeline: pipeline, path: "p.json")], catalogue: catalogue)
        _ = stage.ask("t.gain", .number(-2))
        guard case .refused(let reason, _) = request(.perform(.save), stage, from: .remote) else {
            Issue.record("it was not refused")
            return
        }
        #expect(reason.hasPrefix("\"t.gain\" cannot be saved by another program"))
        _ = stage.ask("g.gain", .number(-3))
        #expect(request(.perform(.save), stage, from: .remote) == .pending)
        #expect(try save(stage).values == [.init("g.gain", .number(-3))])
        let order = try #require(orders(stage).last)
        stage.session.finishFileEdit(order.number, .refused(""), songs: nil)
        #expect(request(.perform(.save), stage) == .pending)
        #expect(try save(stage).values.count == 2)
    }
}
