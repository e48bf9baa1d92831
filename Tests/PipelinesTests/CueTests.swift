internal import Pipelines
internal import Processing
internal import Testing

@Suite("Cues")
struct CueTests {
    /// Returns the text of a pipeline with a gain `desk`, a player `rain`, and these scenes.
    private func text(_ scenes: String, scene: String? = nil) -> String {
        let initial = scene.map { ", \"scene\": \"\($0)\"" } ?? ""
        return """
            {"version": 1, "nodes": [{"id": "desk", "type": "gain"},
              {"id": "rain", "type": "player", "settings": {"file": "rain.wav"}},
              {"id": "out-level", "type": "gain", "from": "desk"}],
             "scenes": {\(scenes)}\(initial)}
            """
    }

    private func scenes(_ text: String) throws -> [Pipeline.Scene] {
        try decode(self.text(text)).scenes
    }

    // MARK: Valid files

    @Test("a scene has a number, a text and a scene that follows")
    func whole() throws {
        let scenes = try scenes(
            """
            "a": {"number": "12.5", "text": "Thunder, then lights", "desk.gain": -3,
                  "then": {"scene": "b", "after": 2}},
            "b": {"number": 13.50, "then": {"scene": "a", "at": "end of rain"}},
            "c": {}
            """)
        #expect(scenes.map(\.name) == ["a", "b", "c"])
        #expect(scenes.map(\.changes.count) == [1, 0, 0])
        #expect(
            scenes[0].cue
                == .init(
                    number: "12.5", text: "Thunder, then lights",
                    follow: .init(scene: 1, start: .after(seconds: 2))))
        // A number is shown as the file writes it.
        #expect(
            scenes[1].cue
                == .init(number: "13.50", follow: .init(scene: 0, start: .endOfNode(1))))
        #expect(scenes[2].cue.isEmpty)
    }

    @Test("scenes can follow one another in loops that take time, and chains that take none")
    func loops() {
        #expect(errors(text(#""a": {"then": {"scene": "a", "after": 0.01}}"#)).isEmpty)
        #expect(
            errors(
                text(
                    """
                    "a": {"then": {"scene": "b", "after": 0}},
                    "b": {"then": {"scene": "c", "after": 0}},
                    "c": {"then": {"scene": "b", "at": "end of rain"}}
                    """)
            ).isEmpty)
    }

    // MARK: Errors

    struct Fault: Sendable, CustomTestStringConvertible {
        let scenes: String
        let code: Diagnostic.Code
        let message: String
        let suggestion: String?

        init(
            _ scenes: String, _ code: Diagnostic.Code, _ message: String,
            suggestion: String? = nil
        ) {
            self.scenes = scenes
            self.code = code
            self.message = message
            self.suggestion = suggestion
        }

        var testDescription: String { scenes }
    }

    static let faults = [
        Fault(
            #""storm": {}, "a": {"then": {"scene": "strom", "after": 1}}"#, .reference,
            "there is no scene \"strom\"", suggestion: "storm"),
        Fault(
            #""a": {"then": {"scene": "a", "at": "end of rian"}}"#, .reference,
            "there is no player \"rian\"", suggestion: "end of rain"),
        Fault(
            #""a": {"then": {"scene": "a", "at": "end of desk"}}"#, .reference,
            "\"desk\" has no end, because it is not a player"),
        Fault(
            #""a": {"then": {"scene": "a", "at": "rain"}}"#, .range,
            "\"at\" must be \"end of\" and the id of a player, not \"rain\"",
            suggestion: "end of rain"),
        Fault(
            #""a": {"then": {"scene": "a", "after": 1, "at": "end of rain"}}"#, .reference,
            "\"then\" has both \"after\" and \"at\"; a scene follows after a time or at the end of a player"
        ),
        Fault(
            #""a": {"then": {"scene": "a"}}"#, .missingKey,
            "\"then\" needs \"after\", a time in seconds, or \"at\", the end of a player"),
        Fault(
            #""a": {"then": {"after": 1}}"#, .missingKey, "\"then\" needs the key \"scene\""),
        Fault(
            #""a": {"then": {"scene": "a", "after": -1}}"#, .range,
            "\"after\" must be 0…86400 s, not -1"),
        Fault(
            #""a": {"then": {"scene": "a", "after": 1, "form": 2}}"#, .unknownKey,
            "\"form\" is not a key of \"then\""),
        Fault(#""a": {"then": "a"}"#, .type, "\"then\" must be an object, not \"a\""),
        Fault(#""a": {"text": 3}"#, .type, "\"text\" must be text, not 3"),
        Fault(#""a": {"number": true}"#, .type, "\"number\" must be text or a number, not true"),
        Fault(#""a": {"text": ""}"#, .range, "\"text\" must not be empty"),
        Fault(
            #""a": {"then": {"scene": "a", "after": 0}}"#, .cycle,
            "the scenes follow one another in a loop of 0 s: \"a\" → \"a\"; a loop must take at least 0.01 s"
        ),
        Fault(
            """
            "x": {"then": {"scene": "b", "after": 1}},
            "a": {"then": {"scene": "b", "after": 0.001}},
            "b": {"then": {"scene": "a", "after": 0}}
            """, .cycle,
            "the scenes follow one another in a loop of 0.001 s: \"b\" → \"a\" → \"b\"; a loop must take at least 0.01 s"
        ),
    ]

    @Test("a mistake is one error that says what is allowed", arguments: faults)
    func fault(_ fault: Fault) {
        let found = errors(text(fault.scenes))
        #expect(found.map(\.code) == [fault.code])
        #expect(found.map(\.message) == [fault.message])
        #expect(found.first?.suggestion == fault.suggestion)
    }

    @Test("a session plays despite a mistake, without the scene that would follow")
    func tolerated() throws {
        for fault in Self.faults where fault.scenes.contains("then") {
            let file = try PlayableFile(
                decoding: Array(text(fault.scenes).utf8), file: "folder/test.json",
                catalogue: FakeCatalogue.catalogue)
            guard case .pipeline(let pipeline) = file.file else {
                Issue.record("not a pipeline")
                continue
            }
            #expect(!file.problems.isEmpty)
            let isLoop = fault.code == .cycle
            let follows = pipeline.scenes.filter { $0.cue.follow != nil }
            #expect(isLoop ? follows.count < pipeline.scenes.count : follows.isEmpty)
        }
    }
}
