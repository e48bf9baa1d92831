import Engine
import Pipelines
import SessionCore
import Testing
import TestSignals

@Suite("Cue lists")
struct CueListTests {
    private let block = [Float](repeating: 0.5, count: 640)

    private func text(_ scenes: String, scene: String? = nil) -> String {
        let initial = scene.map { ", \"scene\": \"\($0)\"" } ?? ""
        return """
            "inputs": { "in": { "channels": 1 } },
            "outputs": { "out": { "channels": 1, "limiter": false } },
            "nodes": [ { "id": "a", "type": "gain" } ],
            "scenes": { \(scenes) }\(initial), "tail": 0
            """
    }

    private let act = """
        "dark": { "number": 1, "text": "House to half", "a.gain": -40 },
        "rain": { "number": "2a", "text": "Rain", "a.gain": -6 },
        "storm": { "a.gain": 0 }
        """

    private func scene(_ stage: Stage) -> Value? { stage.value("scene") }

    /// Plays until the songs next to the current one are ready.
    private func prepare(_ stage: Stage) { for _ in 0..<30 { _ = stage.play(block) } }

    /// The cues that the session has published.
    private func cueStates(_ stage: Stage) -> [CueState] {
        stage.events.compactMap { if case .cue(let state) = $0 { state } else { nil } }
    }

    // MARK: go and back

    @Test("go calls the first scene, then each next one, and stays at the last")
    func go() throws {
        let stage = try Stage(text(act))
        for name in ["dark", "rain", "storm"] {
            #expect(stage.ask("go") == .done)
            #expect(scene(stage) == .text(name))
        }
        #expect(stage.ask("go") == .refused("this is the last cue", suggestion: nil))
        #expect(scene(stage) == .text("storm"))
        _ = stage.play([Float](repeating: 0.5, count: 4_800))
        #expect(stage.ask("back") == .done)
        #expect(scene(stage) == .text("rain"))
        #expect(stage.value("a.gain") == .number(-6))
        #expect(stage.ask("back") == .done)
        #expect(stage.ask("back") == .refused("this is the first cue", suggestion: nil))
        #expect(scene(stage) == .text("dark"))
    }

    @Test("before the first cue there is none to go back to")
    func backAtStart() throws {
        let stage = try Stage(text(act))
        #expect(stage.ask("back") == .refused("this is the first cue", suggestion: nil))
        #expect(scene(stage) == .text(""))
    }

    @Test("at the end of a song, go begins the next song with its first cue, and back returns")
    func songs() throws {
        let stage = try Stage(text(act, scene: "storm"), text(act), text(act, scene: "rain"))
        prepare(stage)
        #expect(stage.ask("go") == .playing(song: "song 2"))
        #expect(scene(stage) == .text("dark"))
        #expect(stage.value("a.gain") == .number(-40))
        prepare(stage)
        #expect(stage.ask("back") == .playing(song: "song 1"))
        #expect(scene(stage) == .text("storm"))
        prepare(stage)
        #expect(stage.ask("song", .number(2)) == .playing(song: "song 2"))
        // The song has the scene that it was left with; go continues from there.
        #expect(scene(stage) == .text("dark"))
        _ = stage.ask("go")
        _ = stage.ask("go")
        #expect(scene(stage) == .text("storm"))
        prepare(stage)
        // The scene at load is the first cue.
        #expect(stage.ask("go") == .playing(song: "song 3"))
        #expect(scene(stage) == .text("rain"))
    }

    @Test("go enters a song at its first cue, although the song was left at another one")
    func enteredAgain() throws {
        let stage = try Stage(text(act, scene: "storm"), text(act))
        prepare(stage)
        _ = stage.ask("go")
        _ = stage.ask("scene", .text("storm"))
        prepare(stage)
        #expect(stage.ask("song", .number(1)) == .playing(song: "song 1"))
        prepare(stage)
        #expect(stage.ask("go") == .playing(song: "song 2"))
        #expect(scene(stage) == .text("dark"))
        #expect(stage.value("a.gain") == .number(-40))
        let out = stage.play([Float](repeating: 0.5, count: 9_600))[0]
        #expect(abs((out.last ?? 1) - 0.005) < 1e-5)
    }

    @Test("go does nothing while a song is being prepared")
    func preparing() throws {
        let stage = try Stage(
            text(act, scene: "storm"), text(act), text(act), preparesOnThread: true)
        #expect(stage.ask("song", .number(3)) == .preparing(song: "song 3"))
        #expect(
            stage.ask("go")
                == .refused(
                    "\"song 3\" is being prepared; its first cue is not ready", suggestion: nil))
    }

    // MARK: Announcements

    @Test("the cue in effect and the next one are values and events")
    func announced() throws {
        let stage = try Stage(
            text(act), text("\"x\": { \"text\": \"Act 2\" }"), text("\"y\": {}"))
        prepare(stage)
        #expect(stage.value("cue") == .text(""))
        #expect(stage.value("next-cue") == .text("1 House to half"))
        _ = stage.ask("go")
        #expect(stage.value("cue") == .text("1 House to half"))
        #expect(stage.value("next-cue") == .text("2a Rain"))
        #expect(
            stage.events.contains(
                .cue(
                    CueState(
                        current: Cue(scene: "dark", number: "1", text: "House to half"),
                        next: Cue(scene: "rain", number: "2a", text: "Rain")))))
        #expect(stage.events.contains(.valueChanged(.init("next-cue", .text("2a Rain")))))
        _ = stage.ask("scene", .text("storm"))
        #expect(stage.value("cue") == .text("storm"))
        #expect(stage.value("next-cue") == .text("song 2: Act 2"))
        #expect(
            stage.ask("cue", .text("x"))
                == .refused("\"cue\" can only be read", suggestion: nil))
        _ = stage.ask("go")
        #expect(stage.value("next-cue") == .text("song 3: y"))
        prepare(stage)
        // A song without numbers, texts and follows is not a cue list.
        _ = stage.ask("go")
        #expect(stage.value("cue") == .text(""))
        #expect(cueStates(stage).last == CueState())
    }

    @Test("a session without cues sends no events about them")
    func silent() throws {
        let stage = try Stage(text("\"x\": {}, \"y\": {}"))
        _ = stage.ask("go")
        _ = stage.play(block)
        #expect(cueStates(stage).isEmpty)
        guard case .values(let entries) = stage.session.perform(.dump) else {
            Issue.record("no dump")
            return
        }
        let addresses = entries.map(\.address)
        #expect(!addresses.contains("cue") && !addresses.contains("next-cue"))
    }

    // MARK: Follows

    private let chain = """
        "one": { "a.gain": -40, "then": { "scene": "two", "after": 0.1 } },
        "two": { "a.gain": 0 }, "three": {}
        """

    @Test("a scene that follows is in effect for the session, and go continues after it")
    func follows() throws {
        let stage = try Stage(text(chain))
        _ = stage.play(block)
        #expect(stage.ask("go") == .done)
        _ = stage.play([Float](repeating: 0.5, count: 4_736))
        #expect(scene(stage) == .text("one"))
        _ = stage.play([Float](repeating: 0.5, count: 128))
        #expect(scene(stage) == .text("two"))
        #expect(stage.value("a.gain") == .number(0))
        #expect(stage.events.contains(.scene(name: "two")))
        _ = stage.ask("go")
        #expect(scene(stage) == .text("three"))
    }

    @Test("go cancels the scene that would have followed")
    func cancelled() throws {
        let stage = try Stage(
            text(
                """
                "one": { "then": { "scene": "three", "after": 0.1 } }, "two": {}, "three": {}
                """))
        _ = stage.ask("go")
        _ = stage.ask("go")
        _ = stage.play([Float](repeating: 0.5, count: 9_600))
        #expect(scene(stage) == .text("two"))
    }

    @Test("a song that begins with a scene starts the time of the next one, each time")
    func songStart() throws {
        let stage = try Stage(text(chain, scene: "one"), text("\"x\": {}"))
        _ = stage.play([Float](repeating: 0.5, count: 2_560))
        prepare(stage)
        #expect(scene(stage) == .text("two"))
        _ = stage.ask("scene", .text("one"))
        _ = stage.ask("song", .number(2))
        prepare(stage)
        // The scene of the first song does not follow in the second one.
        #expect(scene(stage) == .text(""))
        #expect(stage.ask("song", .number(1)) == .playing(song: "song 1"))
        #expect(scene(stage) == .text("one"))
        _ = stage.play([Float](repeating: 0.5, count: 4_736))
        #expect(scene(stage) == .text("one"))
        _ = stage.play([Float](repeating: 0.5, count: 192))
        #expect(scene(stage) == .text("two"))
    }

    @Test("a pending follow survives an edit and a panic")
    func survives() throws {
        let stage = try Stage(text(chain))
        _ = stage.play(block)
        _ = stage.ask("go")
        _ = stage.play(block)
        let added = "\"type\": \"gain\" }, { \"id\": \"b\", \"type\": \"gain\" }"
        try stage.edit(text(chain).replacing("\"type\": \"gain\" }", with: added))
        _ = stage.play(block)
        _ = stage.ask("panic")
        _ = stage.play([Float](repeating: 0.5, count: 2_560))
        #expect(scene(stage) == .text("one"))
        _ = stage.play([Float](repeating: 0.5, count: 1_280))
        #expect(scene(stage) == .text("two"))
    }
}
