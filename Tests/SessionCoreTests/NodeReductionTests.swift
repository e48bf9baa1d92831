import CRealtime
import Effects
import Engine
import Pipelines
import Processing
import SessionCore
import Synchronization
import Testing
import TestSignals

/// Late cycles and loads are simulated; no test depends on the time.
@Suite("Nodes that give way", .serialized)
struct NodeReductionTests {
    private let ones = [Float](repeating: 1, count: 9_600)

    private static let level = Effect(
        description: NodeDescription(
            name: "level", label: "Level", summary: "",
            parameters: [ParameterDescription("trim", range: 0...4, default: 1)],
            settings: [SettingDescription("level", kind: .number(0...4))])
    ) { request throws(PluginError) in
        Processor(
            CountedKernel(
                level: Float(request.settings["level"]?.number ?? 1), trim: request.parameters[0]),
            inputCount: request.inputChannels, outputCount: request.outputChannels)
    }

    private static let catalogue = Catalogue(
        effects: EffectCatalogue.effects + [level], plugins: NoPlugins())

    /// Three nodes in series, with the levels 1, 2 and 3: `c` gives way first, by a bypass, then `b`,
    /// then `a`, both with another level.
    private static func song(
        a: String = #""when-late": { "rank": 3, "settings": { "level": 0.5 } }"#,
        b: String = #""when-late": { "rank": 2, "settings": { "level": 4 } }"#,
        c: String = #""when-late": { "bypass": true }"#, scenes: String = "",
        name: String = "song 1"
    ) throws -> Song {
        func node(_ id: String, _ level: Double, _ more: String) -> String {
            #"{ "id": "\#(id)", "type": "level", "settings": { "level": \#(level) }"#
                + (more.isEmpty ? "" : ", ") + more + " }"
        }
        let text = """
            { "version": 1, "inputs": { "in": {} }, "outputs": { "out": { "limiter": false } },
              "nodes": [ \(node("a", 1, a)), \(node("b", 2, b)), \(node("c", 3, c)) ],
              "scenes": { \(scenes) } }
            """
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "\(name).json", catalogue: catalogue)
        return Song(name: name, pipeline: pipeline, path: "")
    }

    private func stage(_ songs: Song...) throws -> Stage {
        let stage = try Stage(songs, catalogue: Self.catalogue, measuresLateness: false)
        #expect(isAbout(level(stage), 6))
        return stage
    }

    private func level(_ stage: Stage) -> Float { stage.play(ones)[0].last ?? .nan }

    private func isAbout(_ level: Float, _ wanted: Float) -> Bool { abs(level - wanted) < 1e-3 }

    /// Simulates reports of the load for a time.
    private func wait(_ stage: Stage, seconds: Double, load: Float = 0.2) {
        for _ in 0..<Int(seconds * 12) {
            stage.session.receive(.totalLoad(mean: load, worst: load))
            _ = stage.session.advance()
        }
    }

    /// Simulates two late cycles, and waits until the exchange has ended.
    private func beLate(_ stage: Stage) {
        wait(stage, seconds: 0.5)
        for _ in 0..<2 { stage.session.receive(.overrun(node: 0, overrun)) }
        _ = stage.session.advance()
        _ = stage.play(ones)
    }

    private var overrun: Overrun {
        Overrun(periods: 1.5, nodePeriods: 1, playingPeriods: 1.4, ringingPeriods: 0)
    }

    private func reduced(_ stage: Stage) -> String {
        if case .text(let text)? = stage.value("reduced") { text } else { "" }
    }

    /// Waits until three nodes have returned, one after the other; returns the output after each
    /// wait.
    @discardableResult
    private func returnAll(_ stage: Stage) -> [Float] {
        (0..<3).flatMap { _ in
            wait(stage, seconds: 11)
            return stage.play(ones)[0]
        }
    }

    private func changes(_ stage: Stage) -> [String] {
        stage.events.compactMap {
            switch $0 {
            case .reduced(let change): "-\(change.node) \(change.reason)"
            case .restored(let change): "+\(change.node) \(change.reason)"
            default: nil
            }
        }
    }

    @Test("nodes give way one at a time by their ranks, and return in reverse order")
    func order() throws {
        let stage = try stage(try Self.song())
        var levels: [Float] = []
        for _ in 0..<4 {
            beLate(stage)
            levels.append(level(stage))
        }
        // The bypassed node passes 1 instead of 3.
        #expect(zip(levels, [2, 4, 2, 2]).allSatisfy { isAbout($0, $1) })
        #expect(reduced(stage) == "c b a")
        returnAll(stage)
        #expect(isAbout(level(stage), 6))
        #expect(
            changes(stage) == [
                "-c late", "-b late", "-a late", "+a calm", "+b calm", "+c calm",
            ])
        #expect(reduced(stage).isEmpty)
    }

    @Test("a machine that is late in every cycle reduces as many nodes as it needs, together")
    func together() throws {
        let stage = try stage(try Self.song())
        // The bypass saves a third of the load, the settings of `b` perhaps half of their third.
        for _ in 0..<5 {
            for node in Int32(0)..<3 {
                stage.session.receive(.load(node: node, mean: 0.5, worst: 0.5))
            }
            stage.session.receive(.totalLoad(mean: 1.5, worst: 1.5))
        }
        #expect(changes(stage).isEmpty)
        for _ in 0..<24 { stage.session.receive(.totalLoad(mean: 1.5, worst: 1.5)) }
        _ = stage.session.advance()
        _ = stage.play(ones)
        #expect(changes(stage) == ["-c load", "-b load"])
        #expect(reduced(stage) == "c b")
        #expect(isAbout(level(stage), 4))
    }

    @Test("one late cycle, and late cycles while an exchange runs, reduce nothing")
    func patience() throws {
        let stage = try stage(try Self.song())
        stage.session.receive(.overrun(node: 0, overrun))
        _ = stage.session.advance()
        wait(stage, seconds: 2)
        #expect(changes(stage).isEmpty)
        for _ in 0..<2 { stage.session.receive(.overrun(node: 0, overrun)) }
        _ = stage.session.advance()
        #expect(changes(stage) == ["-c late"])
        for _ in 0..<9 {
            stage.session.receive(.overrun(node: 0, overrun))
            _ = stage.session.advance()
        }
        #expect(changes(stage) == ["-c late"])
    }

    @Test("nothing clicks: neither a splice nor a bypass makes a step")
    func smooth() throws {
        let stage = try stage(try Self.song())
        var out: [Float] = []
        for _ in 0..<3 {
            wait(stage, seconds: 0.5)
            for _ in 0..<2 { stage.session.receive(.overrun(node: 0, overrun)) }
            _ = stage.session.advance()
            out += stage.play(ones)[0]
        }
        out += returnAll(stage)
        #expect(changes(stage).count == 6)
        // A change by 4 over 20 ms, by a smooth ramp.
        #expect(largestStep(out) < 0.01)
        #expect(out.allSatisfy { (1.99...6.01).contains($0) })
    }

    @Test("a bypassed node does not run, and a new one returns")
    func paused() throws {
        let stage = try stage(try Self.song(a: "", b: ""))
        CountedKernel.runs.store(0, ordering: .relaxed)
        _ = stage.play(ones)
        #expect(CountedKernel.runs.load(ordering: .relaxed) == 3 * 150)
        beLate(stage)
        CountedKernel.runs.store(0, ordering: .relaxed)
        _ = stage.play(ones)
        #expect(CountedKernel.runs.load(ordering: .relaxed) == 2 * 150)
        // Values that change meanwhile are those of the new node.
        _ = stage.ask("c.trim", .number(2))
        wait(stage, seconds: 11)
        #expect(isAbout(level(stage), 12))
        #expect(changes(stage) == ["-c late", "+c calm"])
    }

    @Test("an edit keeps the reduction, and the edited variant plays")
    func edits() throws {
        let stage = try stage(try Self.song(a: "", c: ""))
        beLate(stage)
        #expect(isAbout(level(stage), 12))
        stage.session.follow([
            try Self.song(
                a: "", b: #""when-late": { "settings": { "level": 3 } }"#, c: #""mix": 1"#)
        ])
        _ = stage.play(ones)
        #expect(isAbout(level(stage), 9))
        #expect(reduced(stage) == "b")
        // Without the key, the node is complete again.
        stage.session.follow([try Self.song(a: "", b: "", c: "")])
        _ = stage.play(ones)
        #expect(isAbout(level(stage), 6))
        #expect(changes(stage) == ["-b late", "+b replaced"])
    }

    @Test("a reduced setting is not saved, and is no change of the song")
    func unsaved() throws {
        let stage = try stage(try Self.song())
        for _ in 0..<3 { beLate(stage) }
        #expect(reduced(stage) == "c b a")
        #expect(stage.session.snapshot.values.isEmpty)
        if case .compared = stage.ask("compare") { Issue.record("a value differs") }
    }

    @Test("scenes and reductions combine: the variant overrides the setting of the scene")
    func scenes() throws {
        let stage = try stage(
            try Self.song(a: "", c: "", scenes: #""low": { "b.level": 1, "a.level": 2 }"#))
        beLate(stage)
        #expect(isAbout(level(stage), 12))
        _ = stage.ask("scene", .text("low"))
        _ = stage.play(ones)
        #expect(isAbout(level(stage), 24))
        wait(stage, seconds: 11)
        _ = stage.play(ones)
        #expect(isAbout(level(stage), 6))
        #expect(changes(stage) == ["-b late", "+b calm"])
    }

    @Test("a bypass by hand remains, whether the node is reduced or not")
    func byHand() throws {
        let stage = try stage(try Self.song(a: "", b: ""))
        _ = stage.ask("c.bypass", .toggle(true))
        beLate(stage)
        #expect(isAbout(level(stage), 2))
        #expect(stage.value("c.bypass") == .toggle(true))
        _ = stage.ask("c.bypass", .toggle(false))
        // The machine is too slow; the value applies when the node returns.
        #expect(isAbout(level(stage), 2))
        wait(stage, seconds: 11)
        _ = stage.play(ones)
        #expect(isAbout(level(stage), 6))
    }

    @Test("another song begins complete, and so does the return to the first")
    func songs() throws {
        let stage = try stage(try Self.song(), try Self.song(name: "song 2"))
        beLate(stage)
        #expect(reduced(stage) == "c")
        _ = stage.ask("song", .number(2))
        _ = stage.play(ones + ones)
        #expect(reduced(stage).isEmpty)
        #expect(isAbout(level(stage), 6))
        _ = stage.ask("song", .number(1))
        _ = stage.play(ones + ones)
        #expect(isAbout(level(stage), 6))
        #expect(changes(stage) == ["-c late", "+c replaced"])
    }

    @Test("a panic keeps the reduction: its new processors are those of the variants")
    func panic() throws {
        let stage = try stage(try Self.song())
        for _ in 0..<2 { beLate(stage) }
        #expect(isAbout(level(stage), 4))
        _ = stage.ask("panic")
        _ = stage.play(ones + ones)
        #expect(isAbout(level(stage), 4))
        #expect(reduced(stage) == "c b")
    }

    @Test("nothing is reduced offline, and reduced nodes return there")
    func offline() throws {
        let stage = try stage(try Self.song())
        for _ in 0..<2 { beLate(stage) }
        for _ in 0..<9 {
            stage.session.receive(.overrun(node: 0, overrun), countsOverruns: false)
            stage.session.receive(.totalLoad(mean: 3, worst: 3), countsOverruns: false)
            _ = stage.session.advance(countsOverruns: false)
            _ = stage.play(ones, advancing: false)
            _ = stage.session.advance(countsOverruns: false)
        }
        #expect(changes(stage).suffix(2) == ["+c offline", "+b offline"])
        #expect(changes(stage).count == 4)
        _ = stage.session.advance(countsOverruns: false)
        #expect(isAbout(stage.play(ones, advancing: false)[0].last ?? 0, 6))
    }

    @Test("a node that the audio thread has halted is exchanged for its variant, and returns")
    func halted() throws {
        let stage = try stage(try Self.song())
        // The levels with the variants; only that of `c` is a bypass.
        for (node, wanted) in [(Int32(1), Float(12)), (2, 4), (0, 2)] {
            #expect(stage.session.engine.send(.halt(node: node, true)))
            _ = stage.play(ones)
            #expect(isAbout(level(stage), wanted))
            wait(stage, seconds: 0.2)
        }
        #expect(reduced(stage) == "c b a")
        returnAll(stage)
        #expect(isAbout(level(stage), 6))
        #expect(
            changes(stage) == [
                "-b late", "-c late", "-a late", "+a calm", "+b calm", "+c calm",
            ])
    }

    @Test("nodes that are halted in the same cycle are exchanged together")
    func haltedTogether() throws {
        let stage = try stage(try Self.song())
        for node in Int32(0)..<3 { #expect(stage.session.engine.send(.halt(node: node, true))) }
        _ = stage.play(ones)
        #expect(changes(stage) == ["-c late", "-b late", "-a late"])
        #expect(isAbout(level(stage), 2))
    }

    @Test("a halt during an edit, a panic and another song ends with the right nodes")
    func haltedMeanwhile() throws {
        let stage = try stage(try Self.song(), try Self.song(name: "song 2"))
        #expect(stage.session.engine.send(.halt(node: 2, true)))
        stage.session.follow([
            try Self.song(a: "", b: #""mix": 1"#), try Self.song(name: "song 2"),
        ])
        _ = stage.play(ones + ones)
        #expect(reduced(stage) == "c")
        #expect(isAbout(level(stage), 2))
        // The panic's new processors are those of the variant.
        _ = stage.ask("panic")
        _ = stage.play(ones + ones)
        #expect(isAbout(level(stage), 2))
        _ = stage.ask("song", .number(2))
        #expect(stage.session.engine.send(.halt(node: 1, true)))
        _ = stage.play(ones + ones)
        // The halt concerned either the former song or the new one.
        #expect(isAbout(level(stage), reduced(stage).isEmpty ? 6 : 12))
    }

    @Test("nothing clicks when the audio thread halts nodes")
    func haltedSmoothly() throws {
        let stage = try stage(try Self.song())
        var out: [Float] = []
        for node in Int32(0)..<3 {
            #expect(stage.session.engine.send(.halt(node: node, true)))
            out += stage.play(ones)[0]
        }
        #expect(changes(stage).count == 3)
        #expect(largestStep(out) < 0.01)
    }

    @Test("offline, a node that was halted returns")
    func haltedOffline() throws {
        let stage = try stage(try Self.song())
        #expect(stage.session.engine.send(.halt(node: 2, true)))
        for _ in 0..<9 {
            _ = stage.play(ones, advancing: false)
            _ = stage.session.advance(countsOverruns: false)
        }
        #expect(changes(stage) == ["-c late", "+c offline"])
        #expect(isAbout(stage.play(ones, advancing: false)[0].last ?? 0, 6))
    }

    @Test("a high load reduces a node before any cycle is late")
    func load() throws {
        let stage = try stage(try Self.song())
        wait(stage, seconds: 1, load: 0.9)
        #expect(changes(stage) == ["-c load"])
    }

    @Test("the address is read-only")
    func readOnly() throws {
        let stage = try stage(try Self.song())
        guard case .refused = stage.ask("reduced", .text("")) else {
            Issue.record("the address was set")
            return
        }
    }
}

private struct CountedKernel: Kernel {
    static let runs = Atomic(0)

    let level: Float
    var trim: Float

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    mutating func set(_ parameter: Int32, to value: Float) { trim = value }

    mutating func reset() {}

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        Self.runs.add(1, ordering: .relaxed)
        for frame in 0..<Int(block.pointee.frameCount) {
            block.pointee.outputs[0][frame] = level * trim * block.pointee.inputs[0][frame]
        }
    }
}
