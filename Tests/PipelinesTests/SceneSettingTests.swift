import Pipelines
import Processing
import Testing

@Suite("Settings in scenes")
struct SceneSettingTests {
    /// Returns the text of a file with a few nodes and these scenes.
    private func text(_ scenes: String, more: String = "") -> String {
        """
        {"version": 1, "inputs": {"in": {"channels": 2}}, "outputs": {"main": {"channels": 2}},
         "nodes": [
          {"id": "track", "type": "player", "settings": {"files": ["a.wav", "b.wav"]}},
          {"id": "m", "type": "mixer", "from": ["in", "track"]},
          {"id": "tape", "type": "recorder", "settings": {"bits": 16}},
          {"id": "echo", "type": "delay", "settings": {"maximum": 2}},
          {"id": "verb", "type": "lv2", "uri": "urn:fake:reverb", "parameters": {"taps": 3}}],
         "scenes": {\(scenes)}\(more)}
        """
    }

    /// Returns a setting; in the catalogue of these tests, every effect has a duration of 3 s.
    private func setting(
        _ node: Int, _ name: String, _ value: SettingValue?, durationSeconds: Double? = 3
    ) -> Pipeline.SceneSetting {
        Pipeline.SceneSetting(
            node: node, name: name, value: value, durationSeconds: durationSeconds)
    }

    @Test("a setting is not a value, and the file's own settings remain until the scene is called")
    func settings() throws {
        let pipeline = try decode(
            text(#""long": {"echo.maximum": 5, "echo.time": 4, "m.pan-law": -6}"#))
        let scene = pipeline.scenes[0]
        #expect(
            scene.settings == [
                setting(3, "maximum", .number(5)), setting(1, "pan-law", .number(-6)),
            ])
        #expect(scene.changes.map { pipeline.text(of: $0.address) } == ["echo.time"])
        #expect(pipeline.nodes[3].settings == ["maximum": .number(2)])
        #expect(pipeline.changesSettings(scene))
        let called = pipeline.applyingSettings(scene.settings)
        #expect(called.nodes[3].settings == ["maximum": .number(5)])
        #expect(!called.changesSettings(scene))
    }

    @Test("the initial scene gives its settings at load")
    func atLoad() throws {
        let pipeline = try decode(
            text(#""long": {"echo.maximum": 5}"#, more: #", "scene": "long""#))
        #expect(pipeline.atLoad.nodes[3].settings == ["maximum": .number(5)])
    }

    @Test("the long form names a setting too")
    func longForm() throws {
        let pipeline = try decode(text(#""long": {"echo.settings.maximum": 5}"#))
        #expect(pipeline.scenes[0].settings == [setting(3, "maximum", .number(5))])
        let found = errors(text(#""long": {"echo.settings.maximun": 5}"#))
        #expect(found.map(\.code) == [.unknownKey])
        #expect(found.first?.suggestion == "maximum")
    }

    @Test("a file of a player replaces its list, relative to the pipeline")
    func file() throws {
        let pipeline = try decode(text(#""b": {"track.file": "c.wav"}"#))
        #expect(
            pipeline.scenes[0].settings == [
                setting(0, "file", .text("folder/c.wav")), setting(0, "files", nil),
                setting(0, "url", nil),
            ])
        let called = pipeline.applyingSettings(pipeline.scenes[0].settings)
        #expect(called.nodes[0].settings == ["file": .text("folder/c.wav")])
    }

    @Test("a preset gives its values, and those of the scene override them")
    func preset() throws {
        let pipeline = try decode(
            text(#""hall": {"verb.decay": 2, "verb.preset": "Hall"}"#))
        let scene = pipeline.scenes[0]
        #expect(
            scene.settings == [setting(4, "preset", .text("Hall"), durationSeconds: nil)])
        let values = pipeline.applying(scene.changes).nodes[4].values
        // The decay of the scene, and the taps of the preset instead of the node's.
        #expect(values[0] == 2 && values[2] == 7)
        let found = errors(text(#""hall": {"verb.preset": "Holl"}"#))
        #expect(found.map(\.code) == [.reference])
        #expect(found.first?.pointer == "/scenes/hall/verb.preset")
    }

    @Test(
        "settings that a scene cannot change are refused with the reason",
        arguments: [
            ("m.channels", "4", "the connections of the node depend on it"),
            ("track.channels", "1", "the connections of the node depend on it"),
            ("track.files", "\"c.wav\"", "a scene can give only one file"),
        ])
    func refused(address: String, value: String, reason: String) {
        let found = errors(text(#""s": {"\#(address)": \#(value)}"#))
        #expect(found.map(\.code) == [.reference])
        #expect(found.first?.message.contains(reason) == true)
        #expect(found.first?.pointer == "/scenes/s/\(address)")
    }

    @Test("a wrong value, a missing file and a parameter that does not exist are errors")
    func wrong() {
        #expect(errors(text(#""s": {"echo.maximum": 99}"#)).map(\.code) == [.range])
        #expect(errors(text(#""s": {"echo.maximum": "x"}"#)).map(\.code) == [.type])
        let gone = errors(text(#""s": {"track.file": "gone.wav"}"#))
        #expect(gone.map(\.code) == [.file])
        #expect(gone.first?.pointer == "/scenes/s/track.file")
        #expect(errors(text(#""s": {"echo.tim": 1}"#)).map(\.code) == [.reference])
    }

    @Test("a binding cannot move a setting, and the message says what can")
    func binding() {
        let found = errors(
            text("", more: #", "midi": [{"cc": 1, "to": "echo.maximum"}]"#))
        #expect(found.map(\.code) == [.reference])
        #expect(found.first?.message.contains("only a scene") == true)
    }

    @Test("the combinations of settings in any order of calls are counted and limited")
    func combinations() throws {
        let pipeline = try decode(
            text(
                #""a": {"m.pan-law": -6, "echo.maximum": 3}, "b": {"echo.maximum": 4}, "c": {}"#
            ))
        let reachable = pipeline.reachableSettings
        #expect(reachable[1] == [["pan-law": .number(-6)]])
        #expect(reachable[3]?.count == 2)
        let many = (1...16).map { #""s\#($0)": {"echo.maximum": \#(Double($0) / 2 + 0.25)}"# }
        #expect(errors(text(many.joined(separator: ", "))).map(\.code) == [.limit])
        #expect(errors(text(many.dropLast().joined(separator: ", "))).isEmpty)
    }

    @Test("a scene whose file is missing leaves the node as in its file, and plays otherwise")
    func tolerant() throws {
        let file = try PlayableFile(
            decoding: Array(
                text(#""s": {"track.file": "gone.wav", "track.gain": -6}"#).utf8),
            file: "folder/test.json", catalogue: FakeCatalogue.catalogue)
        guard case .pipeline(let pipeline) = file.file else {
            Issue.record("no pipeline")
            return
        }
        #expect(file.problems.map(\.consequence) == [.ignored])
        #expect(!pipeline.nodes[0].isStandIn)
        #expect(!pipeline.changesSettings(pipeline.scenes[0]))
        #expect(pipeline.scenes[0].changes.map(\.value) == [-6])
    }
}
