import Engine
import Pipelines
import SessionCore
import Testing

/// Edits of files by clients, between the request and the answer.
@Suite("A patch of a song's file")
struct FilePatchTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)
    private let answers = Answers()

    private final class Answers {
        var all: [Answer] = []
    }

    private func collection(_ nodes: String, channels: Int = 1) throws -> SongCollection {
        var song = try Stage.song(
            """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": \(channels) } },
            "nodes": [ { "id": "a", "type": "gain" }\(nodes) ]
            """, name: "song")
        song.path = "song.json"
        return SongCollection(name: "song", songs: [song], isSetlist: false)
    }

    private let request = FilePatch(
        file: "song.json", tag: ContentTag("1"), patch: JSONPatch([]), name: "add b")

    private func begin(_ stage: Stage) -> Answer {
        stage.session.perform(.edit(request), from: .remote) { [answers] in answers.all.append($0) }
    }

    private func orders(_ stage: Stage) -> [FileEditOrder] {
        stage.events.compactMap {
            if case .fileEditRequested(let order) = $0 { order } else { nil }
        }
    }

    private func edit(_ kind: FileEdit.Kind = .edited) -> FileEdit {
        var edit = FileEdit(kind, path: "song.json", values: [])
        edit.name = "add b"
        edit.tag = ContentTag("2")
        return edit
    }

    @Test("is answered when it plays, and another one is refused before")
    func plays() throws {
        let stage = try Stage(try collection("").songs)
        _ = stage.play(ones)
        #expect(begin(stage) == .pending)
        let order = try #require(orders(stage).last)
        #expect(order.task == .edit(request))
        stage.session.finishFileEdit(
            order.number, .done(edit()),
            songs: try collection(", { \"id\": \"b\", \"type\": \"gain\" }"))
        #expect(answers.all.isEmpty)
        #expect(
            begin(stage)
                == .refused("an earlier request still edits a file; try again", suggestion: nil))
        _ = stage.play(ones)
        #expect(stage.value("b.gain") == .number(0))
        #expect(answers.all == [.edited(edit())])
        #expect(stage.events.contains(.fileEdited(edit())))
        #expect(stage.events.contains(.reloaded(pipeline: "song")))
        #expect(begin(stage) == .pending)
    }

    @Test("that changes only values is heard and answered at once")
    func values() throws {
        let stage = try Stage(try collection("").songs)
        _ = stage.play(ones)
        _ = begin(stage)
        let order = try #require(orders(stage).last)
        var edited = try collection("")
        edited.songs[0].pipeline.nodes[0].values[0] = -6
        stage.session.finishFileEdit(order.number, .done(edit()), songs: edited)
        #expect(answers.all == [.edited(edit())])
        #expect(stage.value("a.gain") == .number(-6))
    }

    @Test("that the session cannot play is taken back, and the answer says so")
    func impossible() throws {
        let stage = try Stage(try collection("").songs)
        let before = try #require(stage.play(ones)[0].last)
        _ = begin(stage)
        let order = try #require(orders(stage).last)
        // The pipeline itself is valid; the engine has no room for its ports.
        var edited = try collection("")
        for number in 0..<EnginePorts.maximumChannels {
            edited.songs[0].pipeline.inputs.append(
                .init(name: "more \(number)", channels: 1, kind: .audio, connect: []))
        }
        stage.session.finishFileEdit(order.number, .done(edit()), songs: edited)
        #expect(answers.all.isEmpty)
        let restore = try #require(orders(stage).last)
        #expect(restore.task == .restore)
        stage.session.finishFileEdit(
            restore.number, .done(edit(.undone)), songs: try collection(""))
        guard case .notEdited(let refusal)? = answers.all.first else {
            Issue.record("the answer is \(answers.all)")
            return
        }
        #expect(answers.all.count == 1)
        #expect(refusal.reason == .unprepared)
        #expect(refusal.message.hasSuffix("the file is as it was before"))
        #expect(stage.play(ones)[0].allSatisfy { abs($0 - before) < 1e-6 })
        #expect(!stage.events.contains(.fileEdited(edit())))
        #expect(begin(stage) == .pending)
    }

    @Test("that is refused by the host is answered with its reason")
    func refused() throws {
        let stage = try Stage(try collection("").songs)
        _ = begin(stage)
        let refusal = FileEditRefusal(.conflict(ContentTag("3")), "it has changed")
        stage.session.finishFileEdit(
            try #require(orders(stage).last).number, .failed(refusal), songs: nil)
        #expect(answers.all == [.notEdited(refusal)])
        #expect(begin(stage) == .pending)
    }

    @Test("is answered when another song begins before it plays")
    func otherSong() throws {
        var songs = try collection("").songs
        songs.append(songs[0])
        songs[1].name = "other"
        songs[1].path = "other.json"
        let stage = try Stage(songs)
        _ = stage.play(ones)
        _ = begin(stage)
        let order = try #require(orders(stage).last)
        var edited = SongCollection(name: "songs", songs: songs, isSetlist: true)
        edited.songs[0].pipeline =
            try collection(", { \"id\": \"b\", \"type\": \"gain\" }").songs[0].pipeline
        stage.session.finishFileEdit(order.number, .done(edit()), songs: edited)
        _ = stage.ask("song", .text("other"))
        _ = stage.play(ones)
        #expect(answers.all.contains(.edited(edit())))
    }

    @Test("files are read, and the history is published and can be read by address")
    func state() throws {
        let stage = try Stage(try collection("").songs)
        let first = stage.session.perform(.readFile("song.json"), from: .remote) {
            [answers] in answers.all.append($0)
        }
        #expect(first == .pending)
        let order = try #require(orders(stage).last)
        #expect(order.task == .read("song.json"))
        let content = FileContent(path: "song.json", bytes: [0x7B, 0x7D])
        stage.session.finishFileEdit(order.number, .read(content), songs: nil)
        #expect(answers.all == [.file(content)])
        #expect(stage.value("next-undo") == .text(""))
        let file = SessionFiles.File(
            path: "song.json", isSetlist: false, songs: ["song"], tag: content.tag)
        let history = SessionFiles.History(undo: "add b")
        stage.session.follow(SessionFiles(files: [file], history: history))
        #expect(stage.value("next-undo") == .text("add b"))
        #expect(stage.value("next-redo") == .text(""))
        #expect(stage.events.contains(.filesChanged([file])))
        #expect(stage.events.contains(.historyChanged(history)))
        guard case .refused = stage.ask("next-undo", .text("x")) else {
            Issue.record("it can be set")
            return
        }
    }
}
