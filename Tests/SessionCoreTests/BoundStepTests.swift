import Pipelines
import SessionCore
import Testing

@Suite("Steps that bindings request")
struct BoundStepTests {
    private func pipeline(_ midi: String) throws -> Pipeline {
        try Stage.song(
            """
            "nodes": [ { "id": "a", "type": "gain" } ],
            "scenes": { "verse": {}, "chorus": {}, "bridge": {} }, "midi": [ \(midi) ]
            """, name: "song"
        ).pipeline
    }

    /// Returns the scenes that a number of presses call.
    private func scenes(_ midi: String, from scene: String?, _ count: Int) throws -> [String?] {
        let pipeline = try pipeline(midi)
        var cycles = SceneCycles()
        var current = scene
        return (0..<count).map { _ in
            guard
                case .scene(let name)? = cycles.step(
                    ofBinding: 0, in: pipeline, scene: current)
            else { return nil }
            current = name
            return name
        }
    }

    @Test("go through a list of scenes and begin again")
    func cycle() throws {
        let list = #"{ "note": 1, "cycle": ["verse", "chorus"] }"#
        #expect(try scenes(list, from: "verse", 3) == ["chorus", "verse", "chorus"])
        #expect(try scenes(list, from: "bridge", 2) == ["verse", "chorus"])
        #expect(try scenes(list, from: nil, 1) == ["verse"])
    }

    @Test("end at the last scene without wrap")
    func end() throws {
        let list = #"{ "note": 1, "cycle": ["verse", "chorus"], "wrap": false }"#
        #expect(try scenes(list, from: "verse", 2) == ["chorus", nil])
    }

    @Test("go through a list that has a scene twice")
    func repeated() throws {
        let list = #"{ "note": 1, "cycle": ["verse", "chorus", "verse", "bridge"] }"#
        #expect(
            try scenes(list, from: "verse", 5) == ["chorus", "verse", "bridge", "verse", "chorus"])
    }

    @Test("continue at the other end of the scenes and songs")
    func wraps() throws {
        let pipeline = try pipeline(
            """
            { "note": 1, "action": "next-song", "wrap": true },
            { "note": 2, "action": "previous-scene", "wrap": true },
            { "note": 3, "action": "panic" }
            """)
        var cycles = SceneCycles()
        #expect(cycles.step(ofBinding: 0, in: pipeline, scene: nil) == .songs(by: 1))
        #expect(cycles.step(ofBinding: 1, in: pipeline, scene: nil) == .scenes(by: -1))
        #expect(cycles.step(ofBinding: 2, in: pipeline, scene: nil) == nil)
        #expect(cycles.step(ofBinding: 9, in: pipeline, scene: nil) == nil)
        var list = SongList(
            .init(
                name: "night",
                songs: try ["one", "two"].map { try Stage.song("\"tempo\": 100", name: $0) },
                isSetlist: true))
        #expect(list.step(from: 1, by: 1).song == nil)
        #expect(list.step(from: 1, by: 1, wraps: true).song == 0)
        #expect(list.step(from: 0, by: -1, wraps: true).song == 1)
        list.setScene("verse")
        #expect(list.sceneIndex(stepping: -1, in: pipeline.scenes, wraps: true) == 2)
        list.setScene("bridge")
        #expect(list.sceneIndex(stepping: 1, in: pipeline.scenes, wraps: true) == 0)
        #expect(list.sceneIndex(stepping: 1, in: pipeline.scenes) == nil)
    }

    @Test("a computer key acts as its binding says, and a step reaches the session")
    func keys() throws {
        let stage = try Stage(
            """
            "nodes": [ { "id": "a", "type": "gain" } ],
            "scenes": { "verse": {}, "chorus": {} }, "scene": "chorus",
            "midi": [ { "key": "g", "to": "a.mute", "mode": "toggle" },
                      { "key": "space", "cycle": ["verse", "chorus"] } ]
            """)
        #expect(stage.session.perform(.pressKey("g")) == .done)
        #expect(stage.session.perform(.pressKey("space")) == .done)
        _ = stage.play([Float](repeating: 0, count: 256))
        #expect(stage.value("a.mute") == .toggle(true))
        #expect(stage.value("scene") == .text("verse"))
        guard case .refused = stage.session.perform(.pressKey("h")) else {
            Issue.record("a key without a binding did something")
            return
        }
    }
}
