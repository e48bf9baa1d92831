import CRealtime
import Engine
import Pipelines
import Processing
import Testing
import TestSignals

/// A cycle of 64 frames lasts 1.3 ms, one of 480 frames 10 ms; a slow `tally` takes 20 ms, so its cycles
/// are late on any machine.
@Suite("Halted nodes")
struct HaltedNodeTests {
    private let tone = sineWave(440, frames: 9_600, sampleRate: 48_000)

    /// Renders real-time cycles of silence, and returns the nodes that were halted in each.
    private func haltsPerCycle(
        _ playing: Playing, _ count: Int, frames: Int = 64, isFreewheeling: Bool = false
    ) -> [[Int32]] {
        var call = RTEngineCall()
        call.isFreewheeling = isFreewheeling
        return (0..<count).map { _ in
            playing.renderSilence(frames: frames, &call)
            return halted(playing)
        }
    }

    private func halted(_ playing: Playing) -> [Int32] {
        playing.reports().compactMap { if case .halted(let node) = $0 { node } else { nil } }
    }

    /// A chain of slow nodes with these variants; the first one is halted first.
    private func slowChain(_ variants: [WhenLate?]) -> Pipeline {
        var graph = Graph()
        for index in variants.indices {
            graph.add(
                "n\(index)", "tally", from: [index == 0 ? "in" : "n\(index - 1)"], values: [1])
            graph.pipeline.nodes[index].whenLate = variants[index]
        }
        graph.output(from: ["n\(variants.count - 1)"])
        return graph.pipeline
    }

    // MARK: The decision

    @Test("two late cycles within a second, and each further one, are a reason")
    func reasons() {
        var cycles = LateCycles()
        func add(_ periods: Double, seconds: Double = 0.001) -> Double {
            cycles.add(
                periods: periods, isLate: periods > 1, frames: Int(seconds * 48_000),
                sampleRate: 48_000)
            return cycles.isDue ? cycles.popDueLoad() : 0
        }
        #expect(add(1.2) == 0)
        #expect(add(0.5, seconds: 1.1) == 0)
        #expect(add(1.1) == 0)
        #expect(add(0.5, seconds: 0.9) == 0)
        #expect(add(1.2) == 1.2)
        #expect(add(1.3) == 1.3)
        #expect(add(1.1) == 1.3)
        // A cycle with a long interruption does not reduce everything.
        #expect(add(50) == 1.1 * 1.5)
        #expect(add(1.2) == 1.2 * 1.5)
        #expect(add(0.5, seconds: 1.1) == 0)
        #expect(add(1.5) == 0)
    }

    @Test("a node is out after exactly two late cycles")
    func third() throws {
        let playing = try Playing(slowChain([WhenLate(isBypass: true)]))
        playing.engine.haltNodes(true)
        #expect(haltsPerCycle(playing, 3) == [[], [], [0]])
        // It has run twice, and the run after its return is the third.
        _ = playing.render([Array(tone.prefix(1_920))])
        #expect(playing.engine.send(.set(node: 0, target: 0, value: 0, frame: 0)))
        #expect(playing.engine.send(.halt(node: 0, false)))
        let out = playing.render([Array(tone.prefix(1_920))])[0]
        #expect(out.suffix(64).allSatisfy { $0 == 2 + 1_920 / 64 })
    }

    @Test("as many nodes as needed are halted in the same cycle, once their shares are known")
    func together() throws {
        let playing = try Playing(
            slowChain([
                WhenLate(rank: 3, isBypass: true), WhenLate(rank: 1, isBypass: true), nil,
                WhenLate(rank: 2, isBypass: true),
            ]), maximumBlockFrames: 480)
        // The first report of the loads comes after a twelfth of a second.
        #expect(haltsPerCycle(playing, 9, frames: 480).joined().isEmpty)
        playing.engine.haltNodes(true)
        // The node without a variant takes two periods alone.
        #expect(haltsPerCycle(playing, 2, frames: 480) == [[], [0, 1, 3]])
    }

    @Test("without a measurement of their shares, nodes are halted one at a time, by their ranks")
    func oneByOne() throws {
        let playing = try Playing(
            slowChain([
                WhenLate(rank: 3, isBypass: true), WhenLate(rank: 1, isBypass: true),
                WhenLate(rank: 2, isBypass: true),
            ]))
        playing.engine.haltNodes(true)
        #expect(haltsPerCycle(playing, 5) == [[], [], [1], [2], [0]])
    }

    @Test("a node whose variant is not prepared is not halted")
    func notPrepared() throws {
        var pipeline = slowChain([WhenLate(settings: ["frames": .number(1)])])
        pipeline.nodes[0].settings = ["frames": .number(2)]
        let playing = try Playing(pipeline)
        playing.engine.haltNodes(true)
        #expect(haltsPerCycle(playing, 4).joined().isEmpty)
        try playing.schedule.variants.prepare(
            for: pipeline, catalogue: TestEffects.catalogue, format: playing.schedule.plan.format)
        playing.schedule.noteReadyVariants()
        #expect(haltsPerCycle(playing, 1) == [[0]])
    }

    @Test("nothing is halted unless it is allowed, while freewheeling, or offline")
    func never() throws {
        let playing = try Playing(slowChain([WhenLate(isBypass: true)]))
        #expect(haltsPerCycle(playing, 4).joined().isEmpty)
        playing.engine.haltNodes(true)
        #expect(haltsPerCycle(playing, 4, isFreewheeling: true).joined().isEmpty)
        _ = playing.render([[Float](repeating: 0, count: 256)])
        #expect(halted(playing).isEmpty)
        #expect(haltsPerCycle(playing, 3) == [[], [], [0]])
    }

    // MARK: The sound

    /// A node that doubles its input after 100 frames.
    private func doubling(_ whenLate: WhenLate? = WhenLate(isBypass: true)) -> Pipeline {
        var graph = Graph()
        graph.add("x", "late", from: ["in"], values: [2], settings: ["frames": .number(100)])
        graph.output(from: ["x"])
        graph.pipeline.nodes[0].whenLate = whenLate
        return graph.pipeline
    }

    /// Plays the tone before and after a halt, and returns the whole sound.
    private func sound(
        _ pipeline: Pipeline, blocks: [Int] = [64], cores: Int = 1, halting nodes: [Int32] = [0],
        before: Int = 4_800
    ) throws -> [[Float]] {
        let playing = try Playing(pipeline, cores: cores)
        let first = playing.render([Array(tone.prefix(before))], blocks: blocks)
        for node in nodes { #expect(playing.engine.send(.halt(node: node, true))) }
        let second = playing.render([Array(tone.dropFirst(before))], blocks: blocks)
        #expect(halted(playing) == nodes.sorted())
        return zip(first, second).map { $0 + $1 }
    }

    @Test("the sound has no step beyond its own and those of the crossfade, at any moment")
    func seam() throws {
        for before in stride(from: 4_800, to: 4_910, by: 7) {
            let out = try sound(doubling(), before: before)[0]
            let own = 2 * Float.pi * 440 / 48_000
            let crossfade: Float = 1.5 * 1.5 / 960
            let largest = zip(out, out.dropFirst()).map { abs($1 - $0) }.max() ?? .infinity
            #expect(largest <= own + crossfade + 1e-5)
            // After the crossfade, the dry signal with the latency of the node.
            #expect((before + 960..<9_600).allSatisfy { out[$0] == tone[$0 - 100] })
            #expect((100..<before).allSatisfy { out[$0] == 2 * tone[$0 - 100] })
        }
    }

    @Test("a halt at the very first frame fades silence into the dry signal")
    func atOnce() throws {
        let out = try sound(doubling(), before: 0)[0]
        #expect(out.prefix(100).allSatisfy { $0 == 0 })
        #expect((960..<9_600).allSatisfy { out[$0] == tone[$0 - 100] })
    }

    @Test("the sound does not depend on the lengths of the cycles")
    func partition() throws {
        let expected = try sound(doubling())
        for blocks in [[1], [17, 3, 64], [960, 5]] {
            #expect(try sound(doubling(), blocks: blocks) == expected)
        }
    }

    @Test("the sound does not depend on the number of cores")
    func cores() throws {
        var graph = Graph()
        for index in 0..<12 {
            graph.add(
                "n\(index)", "late", from: [index < 4 ? "in" : "n\(index - 4)"], values: [1.5],
                mix: index == 5 ? 0.4 : 1, settings: ["frames": .number(Double(7 * index))])
            graph.pipeline.nodes[index].whenLate = WhenLate(isBypass: true)
        }
        graph.add("sum", "sum", from: (8..<12).map { "n\($0)" })
        graph.output(from: ["sum"])
        let expected = try sound(graph.pipeline, halting: [0, 5, 6, 11])
        for cores in [2, 3, 5] {
            #expect(
                try sound(graph.pipeline, cores: cores, halting: [0, 5, 6, 11]) == expected)
        }
    }

    // MARK: Schedules

    @Test("a schedule that does not know of the halt keeps it, and reports it again")
    func exchanges() throws {
        let playing = try Playing(doubling())
        _ = playing.render([tone])
        #expect(playing.engine.send(.halt(node: 0, true)))
        _ = playing.render([tone])
        #expect(halted(playing) == [0])
        var edited = doubling()
        edited.nodes.insert(edited.nodes[0], at: 0)
        edited.nodes[0].id = "y"
        edited.nodes[1].instances = [[Pipeline.Tap(.node(0), channel: 0)]]
        edited.outputs[0].taps = [Pipeline.Tap(.node(1), channel: 0)]
        try playing.splice(edited)
        _ = playing.render([tone])
        #expect(halted(playing) == [1])
        let out = playing.render([tone])[0]
        #expect((400..<9_600).allSatisfy { out[$0] == 2 * tone[$0 - 200] })
        // A schedule in which the node is reduced expects it.
        try playing.splice(edited.reducing(1, true), hasSettled: true)
        _ = playing.render([tone])
        #expect(halted(playing).isEmpty)
    }

    @Test("a node that loses its variant by an edit runs again")
    func lostVariant() throws {
        let playing = try Playing(doubling())
        _ = playing.render([tone])
        #expect(playing.engine.send(.halt(node: 0, true)))
        _ = playing.render([Array(tone.prefix(128))])
        try playing.splice(doubling(nil))
        _ = playing.render([tone])
        let out = playing.render([tone])[0]
        #expect((400..<9_600).allSatisfy { out[$0] == 2 * tone[$0 - 100] })
    }

    @Test("a node that gets its variant by an edit can be halted")
    func newVariant() throws {
        let playing = try Playing(doubling(nil))
        #expect(playing.engine.send(.halt(node: 0, true)))
        _ = playing.render([tone])
        #expect(halted(playing).isEmpty)
        try playing.splice(doubling())
        _ = playing.render([tone])
        #expect(playing.engine.send(.halt(node: 0, true)))
        _ = playing.render([tone])
        #expect(halted(playing) == [0])
        let out = playing.render([tone])[0]
        #expect((400..<9_600).allSatisfy { out[$0] == tone[$0 - 100] })
    }

    @Test("values that change while a node is halted are those with which it runs again")
    func values() throws {
        let playing = try Playing(doubling())
        #expect(playing.engine.send(.halt(node: 0, true)))
        _ = playing.render([tone])
        playing.set(node: 0, target: 0, 3)
        _ = playing.render([tone])
        #expect(playing.engine.send(.halt(node: 0, false)))
        _ = playing.render([tone])
        let out = playing.render([tone])[0]
        #expect((400..<9_600).allSatisfy { out[$0] == 3 * tone[$0 - 100] })
    }
}
