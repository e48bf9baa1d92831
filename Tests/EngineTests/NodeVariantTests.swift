import Engine
import Pipelines
import Processing
import Testing

@Suite("Settings that scenes change")
struct NodeVariantTests {
    private let ones = [Float](repeating: 1, count: 9_600)

    /// A node `x` whose latency scenes change, before a node `g`.
    private var pipeline: Pipeline {
        var graph = Graph()
        graph.add("x", "late", from: ["in"], values: [1], settings: ["frames": .number(0)])
        graph.add("g", "late", from: ["x"], values: [1])
        graph.output(from: ["g"])
        let factors = [0, 1].map {
            Pipeline.Change(
                address: Pipeline.Address(node: $0, target: .parameter(0)), value: 0.5)
        }
        func scene(_ name: String, _ frames: Double, _ changes: [Pipeline.Change]) -> Pipeline.Scene
        {
            Pipeline.Scene(
                name: name, changes: changes,
                settings: [.init(node: 0, name: "frames", value: .number(frames))])
        }
        graph.pipeline.scenes = [
            scene("far", 100, factors), scene("near", 0, []), scene("middle", 10, []),
        ]
        return graph.pipeline
    }

    /// Prepares a playing pipeline and the nodes of its scenes.
    private func playing() throws -> Playing {
        let playing = try Playing(pipeline)
        try prepareVariants(of: playing.schedule)
        return playing
    }

    private func prepareVariants(of schedule: Schedule) throws {
        try schedule.variants.prepare(
            for: schedule.pipeline, catalogue: TestEffects.catalogue,
            format: schedule.plan.format)
    }

    /// Returns a schedule with the settings and values of a scene.
    private func switched(_ old: Schedule, to scene: Int) -> Schedule? {
        let scene = old.pipeline.scenes[scene]
        return Schedule(
            switching: old.pipeline.applyingSettings(scene.settings).applying(scene.changes),
            changes: scene.changes, ports: old.ports, after: old, hasSettled: !old.isTransition)
    }

    @Test("each combination of settings is prepared once, except the present one")
    func variants() throws {
        let playing = try playing()
        #expect(playing.schedule.variants.count == 2)
        #expect(playing.schedule.pipeline.reachableSettings.keys.sorted() == [0])
        try prepareVariants(of: playing.schedule)
        #expect(playing.schedule.variants.count == 2)
    }

    @Test("values change at the frame at which the crossfade begins, and no gap is heard")
    func together() throws {
        let playing = try playing()
        #expect(playing.render([ones])[0] == ones)
        let next = try #require(switched(playing.schedule, to: 0))
        #expect(next.variants.count == 1)
        #expect(playing.engine.exchange(next, .splice))
        let out = playing.render([ones])[0]
        // Until the new node has its input, the old one plays alone.
        let first = try #require(out.firstIndex { $0 != 1 })
        #expect(first > 100)
        // The node that continues halves its output at once; the crossfade has just begun.
        #expect(out[first] <= 0.5 && out[first] > 0.49)
        #expect(zip(out[first...], out[(first + 1)...]).allSatisfy { $0 > $1 - 1e-6 })
        #expect(abs((out.last ?? 0) - 0.25) < 1e-6)
    }

    @Test("a command that comes before the crossfade overrides the values of the scene")
    func overridden() throws {
        let playing = try playing()
        _ = playing.render([ones])
        let next = try #require(switched(playing.schedule, to: 0))
        #expect(playing.engine.exchange(next, .splice))
        #expect(playing.render([[1, 1, 1, 1]])[0] == [1, 1, 1, 1])
        playing.set(node: 1, target: 0, 3)
        let out = playing.render([ones])[0]
        #expect(out.first == 3)
        #expect(abs((out.last ?? 0) - 1.5) < 1e-6)
    }

    @Test("a schedule with a node that is not prepared is refused, and the current one continues")
    func unprepared() throws {
        let playing = try Playing(pipeline)
        _ = playing.render([ones])
        #expect(switched(playing.schedule, to: 0) == nil)
        #expect(playing.render([ones])[0] == ones)
        try prepareVariants(of: playing.schedule)
        #expect(switched(playing.schedule, to: 0) != nil)
    }

    @Test("a node that still rings out returns, with the current values")
    func returns() throws {
        let playing = try playing()
        _ = playing.render([ones])
        let processor = playing.schedule.processors(ofNode: 0)[0]
        let far = try #require(switched(playing.schedule, to: 0))
        #expect(playing.engine.exchange(far, .splice))
        _ = playing.render([ones])
        #expect(far.processors(ofNode: 0)[0] !== processor)
        let near = try #require(switched(far, to: 1))
        #expect(playing.engine.exchange(near, .splice))
        let out = playing.render([ones])[0]
        #expect(near.processors(ofNode: 0)[0] === processor)
        // The node with latency rings out 100 frames later.
        #expect(out.allSatisfy { $0 > 0.2499 && $0 < 0.28 })
        #expect(abs((out.last ?? 0) - 0.25) < 1e-6)
    }

    @Test("a variant that cannot be prepared is a failure, and the others are prepared")
    func failures() throws {
        var graph = Graph()
        graph.add("x", "late", from: ["in"], values: [1])
        graph.output(from: ["x"])
        graph.pipeline.scenes = [10.0, 20.0].map { frames in
            Pipeline.Scene(
                name: "\(frames)", changes: [],
                settings: [.init(node: 0, name: "frames", value: .number(frames))])
        }
        var catalogue = TestEffects.catalogue
        let index = try #require(
            catalogue.effects.firstIndex { $0.description.name == "late" })
        let make = catalogue.effects[index].makeProcessor
        catalogue.effects[index].makeProcessor = { request throws(PluginError) in
            if request.settings["frames"] == .number(10) { throw PluginError("too near") }
            return try make(request)
        }
        let schedule = try Schedule(
            preparing: graph.pipeline, catalogue: catalogue,
            format: AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64))
        try schedule.variants.prepare(
            for: schedule.pipeline, catalogue: catalogue, format: schedule.plan.format)
        #expect(schedule.variants.count == 1)
        #expect(schedule.variants.failures.map(\.error.message) == ["x: too near"])
        #expect(switched(schedule, to: 0) == nil)
        #expect(switched(schedule, to: 1) != nil)
    }

    @Test("the estimate of the memory counts each variant, and the budget refuses too many")
    func memory() throws {
        var graph = Graph()
        graph.add("fx", "follow", from: ["in"])
        graph.output(from: ["fx"])
        graph.pipeline.scenes = [0.25, 0.5].map { value in
            Pipeline.Scene(
                name: "\(value)", changes: [],
                settings: [.init(node: 0, name: "fixed", value: .number(value))])
        }
        let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)
        let need = MemoryNeed(
            variantsOf: graph.pipeline, catalogue: TestEffects.catalogue, format: format)
        #expect(need.nodes.map(\.id) == ["fx", "fx"])
        let schedule = try Schedule(
            preparing: graph.pipeline, catalogue: TestEffects.catalogue, format: format)
        var catalogue = TestEffects.catalogue
        catalogue.memory = MemoryBudget {
            MemoryBudget.Room(freeBytes: need.totalBytes - 1, limit: "a test's limit")
        }
        let error = #expect(throws: PreparationError.self) {
            try schedule.variants.prepare(
                for: schedule.pipeline, catalogue: catalogue, format: format)
        }
        #expect(error?.lacksMemory == true)
        #expect(error?.message.hasPrefix("the settings of its scenes need") == true)
        #expect(schedule.variants.count == 0)
    }
}
