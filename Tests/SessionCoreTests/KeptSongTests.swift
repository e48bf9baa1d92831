import Effects
import Engine
import Pipelines
import Processing
import SessionCore
import Testing
import TestSignals

@Suite("A song that begins again")
struct KeptSongTests {
    private let ones = [Float](repeating: 0.5, count: 9_600)

    private func text(_ gain: Double, _ other: Double = 0, scenes: String? = nil) -> String {
        """
        "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
        "nodes": [ { "id": "a", "type": "gain", "parameters": { "gain": \(gain) } },
                   { "id": "b", "type": "gain", "parameters": { "gain": \(other) } } ],
        "scenes": { \(scenes ?? "\"soft\": { \"b.gain\": -12 }, \"loud\": { \"b.gain\": 0 }") }
        """
    }

    private func songs(_ texts: String...) throws -> [Song] {
        try texts.enumerated().map {
            try Stage.song($0.element, name: "song \($0.offset + 1)")
        }
    }

    /// Leaves the current song and returns to it when it is ready again.
    private func leave(_ stage: Stage) {
        _ = stage.ask("song", .number(2))
        _ = stage.play(ones)
        #expect(stage.value("song") == .text("song 2"))
        _ = stage.play(ones)
    }

    private func comeBack(_ stage: Stage) {
        if stage.ask("song", .number(1)) != .playing(song: "song 1") { _ = stage.play(ones) }
        #expect(stage.value("song") == .text("song 1"))
    }

    @Test("has its scene and its live values, and is prepared with them")
    func kept() throws {
        let stage = try Stage(try songs(text(-20), text(0)))
        _ = stage.play(ones)
        _ = stage.ask("scene", .text("soft"))
        _ = stage.ask("a.gain", .number(-6))
        leave(stage)
        #expect(stage.value("a.gain") == .number(0))
        #expect(stage.value("scene") == .text(""))
        comeBack(stage)
        #expect(stage.value("scene") == .text("soft"))
        #expect(stage.value("a.gain") == .number(-6))
        #expect(stage.value("b.gain") == .number(-12))
        // The processors begin with these values, so there is nothing to move to.
        #expect(stage.session.active.pipeline.nodes.map { $0.values[0] } == [-6, -12])
        let out = stage.play(ones)[0]
        #expect(largestStep(out) < 0.002)
        // -18 dB.
        #expect(abs((out.last ?? 0) - 0.5 * 0.125893) < 1e-4)
        #expect(stage.value("a.gain") == .number(-6))
    }

    @Test("is as in its file if the setlist keeps nothing")
    func nothing() throws {
        let stage = try Stage(try songs(text(-20), text(0)), keepsValues: false)
        _ = stage.play(ones)
        _ = stage.ask("scene", .text("soft"))
        _ = stage.ask("a.gain", .number(-6))
        leave(stage)
        comeBack(stage)
        #expect(stage.value("scene") == .text(""))
        #expect(stage.value("a.gain") == .number(-20))
        #expect(stage.value("b.gain") == .number(0))
    }

    @Test("has the values of its file where the file was edited meanwhile")
    func edited() throws {
        let stage = try Stage(try songs(text(-20), text(0)))
        _ = stage.play(ones)
        _ = stage.ask("a.gain", .number(-6))
        _ = stage.ask("b.gain", .number(-3))
        leave(stage)
        stage.session.follow(try songs(text(-9), text(0)))
        _ = stage.play(ones)
        comeBack(stage)
        #expect(stage.value("a.gain") == .number(-9))
        #expect(stage.value("b.gain") == .number(-3))
    }

    @Test("has no scene and no value that its file no longer has")
    func removed() throws {
        let stage = try Stage(try songs(text(-20), text(0)))
        _ = stage.play(ones)
        _ = stage.ask("scene", .text("soft"))
        _ = stage.ask("a.gain", .number(-6))
        leave(stage)
        let edited = try Stage.song(
            """
            "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": 1 } },
            "nodes": [ { "id": "b", "type": "gain", "parameters": { "gain": -1 } } ]
            """, name: "song 1")
        stage.session.follow([edited, stage.session.songs[1]])
        _ = stage.play(ones)
        comeBack(stage)
        #expect(stage.value("scene") == .text(""))
        #expect(stage.value("b.gain") == .number(-1))
        #expect(stage.value("a.gain") == nil)
    }

    @Test("keeps the state that it was left with, even if others begin in between")
    func again() throws {
        let stage = try Stage(try songs(text(-20), text(-1), text(-2)))
        _ = stage.play(ones)
        _ = stage.ask("a.gain", .number(-6))
        leave(stage)
        _ = stage.ask("a.gain", .number(-7))
        _ = stage.ask("song", .number(3))
        _ = stage.play(ones)
        #expect(stage.value("a.gain") == .number(-2))
        _ = stage.ask("song", .number(1))
        _ = stage.play(ones)
        #expect(stage.value("a.gain") == .number(-6))
        _ = stage.ask("a.gain", .number(-8))
        _ = stage.ask("song", .number(2))
        _ = stage.play(ones)
        #expect(stage.value("a.gain") == .number(-7))
        _ = stage.ask("song", .number(1))
        _ = stage.play(ones)
        #expect(stage.value("a.gain") == .number(-8))
    }

    @Test("keeps its values through a panic of another song")
    func panic() throws {
        let stage = try Stage(try songs(text(-20), text(0)))
        _ = stage.play(ones)
        _ = stage.ask("a.gain", .number(-6))
        leave(stage)
        _ = stage.ask("panic")
        for _ in 0..<4 { _ = stage.play(ones) }
        comeBack(stage)
        #expect(stage.value("a.gain") == .number(-6))
    }

    @Test("does not continue what a player or a recorder did")
    func transport() throws {
        var catalogue = Stage.catalogue
        var tape = try #require(catalogue.effect("gain"))
        tape.description.name = "tape"
        let mute = try #require(tape.description.parameters.firstIndex { $0.name == "mute" })
        tape.description.parameters[mute].isTransport = true
        catalogue.effects.append(tape)
        let songs = try (1...2).map { number in
            let text = """
                { "version": 1, "inputs": { "in": { "channels": 1 } },
                  "outputs": { "out": { "channels": 1 } },
                  "nodes": [ { "id": "t", "type": "tape" } ],
                  "scenes": { "go": { "t.mute": true, "t.gain": -1 } } }
                """
            let pipeline = try Pipeline(
                decoding: Array(text.utf8), file: "p.json", catalogue: catalogue)
            return Song(name: "song \(number)", pipeline: pipeline, path: "p.json")
        }
        let stage = try Stage(songs, catalogue: catalogue)
        _ = stage.play(ones)
        _ = stage.ask("scene", .text("go"))
        _ = stage.ask("t.gain", .number(-2))
        leave(stage)
        comeBack(stage)
        #expect(stage.value("scene") == .text("go"))
        #expect(stage.value("t.gain") == .number(-2))
        #expect(stage.value("t.mute") == .toggle(false))
        // It is not saved either.
        _ = stage.ask("t.gain", .number(-1))
        _ = stage.ask("t.mute", .toggle(true))
        #expect(
            stage.ask("save")
                == .refused("nothing to save: all values are as in the file", suggestion: nil))
    }
}
