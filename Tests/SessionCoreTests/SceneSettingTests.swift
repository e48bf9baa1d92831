import CRealtime
import Effects
import Engine
import Pipelines
import Processing
import SessionCore
import Testing
import TestSignals

@Suite("Scenes that change settings")
struct SceneSettingTests {
    private let ones = [Float](repeating: 1, count: 9_600)

    /// Multiplies its input by its setting `level` and by its parameter `trim`.
    private static let level = Effect(
        description: NodeDescription(
            name: "level", label: "Level", summary: "",
            parameters: [ParameterDescription("trim", range: 0...4, default: 1)],
            settings: [
                SettingDescription("level", kind: .number(-1...4)),
                SettingDescription("other", kind: .number(0...4)),
            ])
    ) { request throws(PluginError) in
        let level = request.settings["level"]?.number ?? 1
        guard level >= 0 else { throw PluginError("the level is negative") }
        return Processor(
            LevelKernel(
                level: Float(level * (request.settings["other"]?.number ?? 1)),
                trim: request.parameters[0]),
            inputCount: request.inputChannels, outputCount: request.outputChannels)
    }

    private static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [level], plugins: NoPlugins())

    private static let scenes = """
        "soft": { "x.level": 0.5, "b.gain": -6.0206 }, "loud": { "x.level": 1, "b.gain": 0 },
        "trim": { "x.trim": 2 }, "other": { "x.other": 0.5 }, "twice": { "x.level": 2 }
        """

    private static func song(
        _ scenes: String = scenes, settings: String = "", more: String = "",
        name: String = "song 1"
    ) throws -> Song {
        let text = """
            { "version": 1, "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
              "nodes": [ { "id": "x", "type": "level", "settings": { \(settings) } },
                         { "id": "b", "type": "gain" } ],
              "scenes": { \(scenes) }\(more) }
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "\(name).json", catalogue: catalogue)
        return Song(name: name, pipeline: pipeline, path: "")
    }

    private func stage(_ songs: Song..., isTolerant: Bool = false) throws -> Stage {
        try Stage(songs, catalogue: Self.catalogue, isTolerant: isTolerant)
    }

    /// Returns the level at the end of a tenth of a second and more.
    private func level(_ stage: Stage) -> Float { stage.play(ones)[0].last ?? .nan }

    private func isAbout(_ level: Float, _ wanted: Float) -> Bool { abs(level - wanted) < 1e-4 }

    @Test("settings and values change together, without a gap and without a step")
    func together() throws {
        let stage = try stage(try Self.song())
        #expect(isAbout(level(stage), 1))
        #expect(stage.ask("scene", .text("soft")) == .done)
        #expect(stage.value("scene") == .text("soft"))
        #expect(stage.value("b.gain") == .number(-6.0206))
        let out = stage.play(ones)[0]
        #expect(largestStep(out) < 0.003)
        #expect(out.allSatisfy { (0.2499...1.0001).contains($0) })
        #expect(isAbout(out.last ?? 0, 0.25))
        #expect(stage.ask("scene", .text("loud")) == .done)
        #expect(isAbout(level(stage), 1))
    }

    @Test("values of a scene that changes settings fade if the scene says so")
    func fades() throws {
        let stage = try stage(
            try Self.song(#""slow": { "x.level": 0.5, "b.gain": -6.0206, "over": 0.4 }"#))
        #expect(isAbout(level(stage), 1))
        _ = stage.ask("scene", .text("slow"))
        var out = stage.play(ones)[0]
        // The settings have changed, and the value is halfway.
        #expect((0.3...0.42).contains(out.last ?? 0))
        out += stage.play(ones + ones)[0]
        #expect(isAbout(out.last ?? 0, 0.25))
        #expect(largestStep(out) < 0.003)
        #expect(stage.value("b.gain") == .number(-6.0206))
    }

    @Test("a scene that changes settings starts the time of the scene that follows")
    func follows() throws {
        let stage = try stage(
            try Self.song(
                """
                "soft": { "x.level": 0.5, "then": { "scene": "loud", "after": 0.3 } },
                "loud": { "x.level": 1 }
                """))
        _ = level(stage)
        _ = stage.ask("scene", .text("soft"))
        #expect(isAbout(level(stage), 0.5))
        #expect(stage.value("scene") == .text("soft"))
        _ = stage.play(ones + ones)
        #expect(stage.value("scene") == .text("loud"))
        #expect(isAbout(level(stage), 1))
    }

    // MARK: Messages

    /// A song whose scenes send their program and change settings, except `plain`.
    private static func sendingSong() throws -> Song {
        let scenes = ["soft": "0.5", "loud": "1", "twice": "2"].sorted { $0.key < $1.key }
            .enumerated().map { index, scene in
                """
                "\(scene.key)": { "x.level": \(scene.value),
                  "send": [{ "port": "synth", "program": \(index) }] }
                """
            }.joined(separator: ", ")
        let text = """
            { "version": 1, "inputs": { "in": {} },
              "outputs": { "out": { "limiter": false }, "synth": { "kind": "midi" } },
              "nodes": [ { "id": "x", "type": "level", "settings": { "level": 1 } } ],
              "scenes": { \(scenes),
                "plain": { "send": [{ "port": "synth", "program": 9 }] } } }
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "sending.json", catalogue: catalogue)
        return Song(name: "sending", pipeline: pipeline, path: "")
    }

    @Test(
        "scenes that wait for one exchange all send their messages, once and in order",
        arguments: [
            // The programs of loud, soft and twice are 0, 1 and 2.
            (["soft", "twice", "soft", "loud", "plain"], [1, 2, 1, 0, 9]),
            // The last scene leads back to the settings that the first exchange brings.
            (["soft", "twice", "soft"], [1, 2, 1]),
            (["soft", "plain", "plain"], [1, 9, 9]),
        ])
    func messages(calls: [String], programs: [UInt8]) throws {
        let stage = try stage(try Self.sendingSong())
        #expect(stage.messages(inFrames: 9_600).isEmpty)
        for name in calls { _ = stage.ask("scene", .text(name)) }
        let sent = stage.messages(inFrames: 48_000)
        #expect(sent == programs.map { [0xC0, $0] })
        #expect(stage.value("scene") == .text(calls.last ?? ""))
    }

    @Test("the variants are prepared before a scene is called, and again after it")
    func prepared() throws {
        let stage = try stage(try Self.song())
        // `level` is absent, 0.5, 1 or 2, and `other` absent or 0.5.
        #expect(stage.session.active.variants.count == 7)
        _ = stage.ask("scene", .text("soft"))
        #expect(stage.session.active.variants.count == 6)
        _ = level(stage)
        // `level` cannot become absent again.
        #expect(stage.session.active.variants.count == 5)
    }

    @Test("scenes that are called faster than the crossfades are applied in order")
    func fast() throws {
        let stage = try stage(try Self.song())
        _ = level(stage)
        var out: [Float] = []
        for name in ["soft", "loud", "soft", "twice", "soft", "other"] {
            _ = stage.ask("scene", .text(name))
            out += stage.play([Float](repeating: 1, count: 320))[0]
        }
        out += stage.play(ones + ones)[0]
        #expect(stage.value("scene") == .text("other"))
        #expect(stage.value("b.gain") == .number(-6.0206))
        #expect(isAbout(out.last ?? 0, 0.125))
        #expect(largestStep(out) < 0.003)
        #expect(out.allSatisfy { (0.1249...1.0001).contains($0) })
    }

    @Test("next-scene counts scenes that wait for a crossfade")
    func steps() throws {
        let stage = try stage(try Self.song(more: ", \"scene\": \"soft\""))
        _ = level(stage)
        for _ in 0..<4 { _ = stage.ask("next-scene") }
        #expect(isAbout(level(stage), 2))
        _ = level(stage)
        // "trim" and "other" were called on the way.
        #expect(stage.value("scene") == .text("twice"))
        #expect(isAbout(level(stage), 2))
    }

    @Test("a value that is moved while a scene waits remains")
    func moved() throws {
        let stage = try stage(try Self.song())
        _ = level(stage)
        _ = stage.ask("scene", .text("soft"))
        _ = stage.play([Float](repeating: 1, count: 64))
        _ = stage.ask("scene", .text("loud"))
        #expect(stage.ask("b.gain", .number(-20)) == .done)
        _ = level(stage)
        #expect(stage.value("scene") == .text("loud"))
        #expect(stage.value("b.gain") == .number(-20))
        #expect(isAbout(level(stage), 0.1))
    }

    @Test("live values of the node carry over, and settings remain until a scene names them")
    func live() throws {
        let stage = try stage(try Self.song())
        _ = stage.ask("x.trim", .number(3))
        _ = stage.ask("scene", .text("soft"))
        #expect(isAbout(level(stage), 3 * 0.25))
        _ = stage.ask("scene", .text("other"))
        #expect(isAbout(level(stage), 3 * 0.125))
        _ = stage.ask("scene", .text("twice"))
        #expect(isAbout(level(stage), 3 * 0.5))
        #expect(stage.value("x.trim") == .number(3))
    }

    @Test("an initial scene gives nodes its settings from the first frame")
    func atLoad() throws {
        let stage = try stage(try Self.song(more: ", \"scene\": \"soft\""))
        #expect(stage.play(ones)[0].allSatisfy { isAbout($0, 0.25) })
    }

    @Test("a panic and another block size keep the settings")
    func restart() throws {
        let stage = try stage(try Self.song())
        _ = stage.ask("scene", .text("soft"))
        _ = level(stage)
        #expect(stage.ask("panic") == .done)
        _ = level(stage)
        #expect(isAbout(level(stage), 0.25))
        stage.session.follow(AudioFormat(sampleRate: 48_000, maximumBlockFrames: 128))
        _ = level(stage)
        #expect(isAbout(level(stage), 0.25))
        _ = stage.ask("scene", .text("loud"))
        _ = level(stage)
        #expect(isAbout(level(stage), 1))
    }

    @Test("an edit keeps the settings of a scene, unless it changes them in the file")
    func edit() throws {
        let stage = try stage(try Self.song())
        _ = stage.ask("scene", .text("soft"))
        _ = level(stage)
        stage.session.follow([try Self.song(more: ", \"tail\": 2")])
        _ = level(stage)
        #expect(isAbout(level(stage), 0.25))
        stage.session.follow([try Self.song(settings: "\"level\": 2", more: ", \"tail\": 2")])
        _ = level(stage)
        #expect(isAbout(level(stage), 1))
        _ = stage.ask("scene", .text("other"))
        _ = level(stage)
        #expect(isAbout(level(stage), 0.5))
    }

    @Test("a song that begins again has the settings that it was left with")
    func kept() throws {
        let stage = try stage(
            try Self.song(), try Self.song("", name: "song 2"))
        _ = stage.ask("scene", .text("twice"))
        _ = stage.ask("scene", .text("trim"))
        _ = level(stage)
        #expect(isAbout(level(stage), 4))
        _ = stage.ask("song", .number(2))
        _ = level(stage)
        #expect(isAbout(level(stage), 1))
        _ = stage.ask("song", .number(1))
        _ = level(stage)
        #expect(stage.value("song") == .text("song 1"))
        #expect(isAbout(level(stage), 4))
    }

    @Test("a variant that cannot be prepared is a problem, and its scene changes only values")
    func failing() throws {
        let scenes = "\"broken\": { \"x.level\": -1, \"b.gain\": -6.0206 }, \(Self.scenes)"
        let stage = try stage(try Self.song(scenes), isTolerant: true)
        let problem = try #require(stage.session.problems.first)
        #expect(problem.node == "x" && problem.consequence == .ignored)
        #expect(problem.diagnostic.message.contains("the level is negative"))
        _ = stage.ask("scene", .text("twice"))
        #expect(isAbout(level(stage), 2))
        // The node is as in its file.
        _ = stage.ask("scene", .text("broken"))
        _ = level(stage)
        #expect(isAbout(level(stage), 0.5))
        #expect(stage.value("scene") == .text("broken"))
        #expect(throws: SessionError.self) { try self.stage(try Self.song(scenes)) }
    }
}

private struct LevelKernel: Kernel {
    let level: Float
    var trim: Float

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func set(_ parameter: Int32, to value: Float) { trim = value }

    mutating func reset() {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        for frame in 0..<Int(block.pointee.frameCount) {
            block.pointee.outputs[0][frame] = level * trim * block.pointee.inputs[0][frame]
        }
    }
}
