import CRealtime
import Engine
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("Paths that are not aligned")
struct AlignmentTests {
    private let impulse: [Float] = [1] + Array(repeating: 0, count: 999)

    /// Returns the frames at which the first output differs from 0, with their values.
    ///
    /// - Parameters:
    ///   - playing: The engine.
    ///   - inputs: The inputs, one array per channel; `nil` for one input with an impulse.
    /// - Returns: The values by their frames.
    private func peaks(_ playing: Playing, _ inputs: [[Float]]? = nil) -> [Int: Float] {
        let out = playing.render(inputs ?? [impulse], blocks: [64, 17])[0]
        return Dictionary(
            uniqueKeysWithValues: out.enumerated().filter { $0.element != 0 }.map {
                ($0.offset, $0.element)
            })
    }

    private func frames(_ count: Int) -> [String: SettingValue] {
        ["frames": .number(Double(count))]
    }

    /// A direct path and a late one that meet in a sum.
    ///
    ///     in ─┬─ late (100) ─┬─ sum ─ out
    ///         └──────────────┘
    private func twoPaths() -> Pipeline {
        var graph = Graph()
        graph.add("late", "late", from: ["in"], settings: frames(100))
        graph.add("sum", "sum", from: ["in", "late"])
        graph.output(from: ["sum"])
        return graph.pipeline
    }

    @Test("aligned paths arrive together")
    func aligned() throws {
        let playing = try Playing(twoPaths())
        #expect(peaks(playing) == [100: 2])
        #expect(playing.schedule.plan.latencyFrames == 100)
    }

    @Test(
        "a signal waits for an input whose latency the file states", arguments: [48_000.0, 96_000])
    func statedLatency(rate: Double) throws {
        var graph = Graph(inputs: ["mic": 1, "far": 1])
        graph.add("early", "late", from: ["mic"], settings: frames(100))
        graph.add("sum", "sum", from: ["early", "far"])
        graph.output(from: ["sum"])
        graph.pipeline.inputs[1].latencyMilliseconds = 10
        let format = AudioFormat(sampleRate: rate, maximumBlockFrames: 64)
        let stated = Int(rate / 100)
        let plan = Plan(graph.pipeline, latencies: [100, 0], format: format)
        #expect(plan.wires[.node(1, input: 0)]?.map(\.delayFrames) == [stated - 100])
        #expect(plan.wires[.node(1, input: 1)]?.map(\.delayFrames) == [0])
        #expect(plan.latencyFrames == stated)
        graph.pipeline.inputs[1].latencyMilliseconds = nil
        let without = Plan(graph.pipeline, latencies: [100, 0], format: format)
        #expect(without.wires[.node(1, input: 1)]?.map(\.delayFrames) == [100])
    }

    @Test(
        "sound that arrives later by the stated latency meets another input in the same frame",
        arguments: [48_000.0, 96_000])
    func soundOfStatedLatency(rate: Double) throws {
        var graph = Graph(inputs: ["mic": 1, "far": 1])
        graph.add("sum", "sum", from: ["mic", "far"])
        graph.output(from: ["sum"])
        let stated = Int(rate / 100)
        var later = [Float](repeating: 0, count: impulse.count)
        later[stated] = 1
        let without = try Playing(graph.pipeline, sampleRate: rate)
        #expect(peaks(without, [impulse, later]) == [0: 1, stated: 1])
        graph.pipeline.inputs[1].latencyMilliseconds = 10
        let playing = try Playing(graph.pipeline, sampleRate: rate)
        #expect(peaks(playing, [impulse, later]) == [stated: 2])
        #expect(playing.schedule.plan.latencyFrames == stated)
    }

    @Test("no signal waits for an input with a stated latency that is not aligned")
    func unalignedInput() throws {
        var graph = Graph(inputs: ["mic": 1, "far": 1])
        graph.add("sum", "sum", from: ["mic", "far"])
        graph.output(from: ["sum"])
        graph.pipeline.inputs[1].latencyMilliseconds = 10
        graph.pipeline.nodes[0].unalignedInputs = [1]
        let plan = Plan(graph.pipeline, latencies: [0], format: .test)
        #expect(plan.wires[.node(0, input: 0)]?.map(\.delayFrames) == [0])
        #expect(plan.latencyFrames == 0)
    }

    @Test("no signal waits for a late path that is not aligned")
    func unalignedLatePath() throws {
        var pipeline = twoPaths()
        pipeline.nodes[1].unalignedInputs = [1]
        let playing = try Playing(pipeline)
        #expect(peaks(playing) == [0: 1, 100: 1])
        #expect(playing.schedule.plan.latencyFrames == 0)
    }

    @Test("an early path that is not aligned arrives at once; the others are aligned")
    func unalignedEarlyPath() throws {
        var graph = Graph()
        graph.add("late", "late", from: ["in"], settings: frames(100))
        graph.add("other", "late", from: ["in"], settings: frames(30))
        graph.add("sum", "sum", from: ["in", "late", "other"])
        graph.output(from: ["sum"])
        graph.pipeline.nodes[2].unalignedInputs = [0]
        let playing = try Playing(graph.pipeline)
        #expect(peaks(playing) == [0: 1, 100: 2])
        #expect(playing.schedule.plan.latencyFrames == 100)
    }

    @Test("if no path is aligned, the earliest one decides the latency")
    func noneAligned() throws {
        var graph = Graph()
        graph.add("a", "late", from: ["in"], settings: frames(100))
        graph.add("b", "late", from: ["in"], settings: frames(30))
        graph.add("sum", "sum", from: ["a", "b"])
        graph.output(from: ["sum"])
        graph.pipeline.nodes[2].unalignedInputs = [0, 1]
        let playing = try Playing(graph.pipeline)
        #expect(peaks(playing) == [30: 1, 100: 1])
        #expect(playing.schedule.plan.latencyFrames == 30)
    }

    @Test("channels of an output can be left out of the alignment")
    func outputChannel() throws {
        var graph = Graph()
        graph.add("late", "late", from: ["in"], settings: frames(100))
        graph.output(from: ["in", "late"])
        graph.pipeline.outputs[0].unalignedChannels = [1]
        let playing = try Playing(graph.pipeline)
        let out = playing.render([impulse])
        #expect(out[0].firstIndex(of: 1) == 0)
        #expect(out[1].firstIndex(of: 1) == 100)
        #expect(playing.schedule.plan.latencyFrames == 0)
    }

    @Test("no signal waits for a strip that is always off; switched on, it is late")
    func offLatePath() throws {
        var pipeline = twoPaths()
        pipeline.nodes[1].offInputs = [1]
        let playing = try Playing(pipeline)
        // This sum has no mute, so the strip sounds as if it had been switched on by hand.
        #expect(peaks(playing) == [0: 1, 100: 1])
        #expect(playing.schedule.plan.latencyFrames == 0)
    }

    @Test("an early strip that is always off is aligned when it is switched on")
    func offEarlyPath() throws {
        var pipeline = twoPaths()
        pipeline.nodes[1].offInputs = [0]
        let playing = try Playing(pipeline)
        #expect(peaks(playing) == [100: 2])
        #expect(playing.schedule.plan.latencyFrames == 100)
    }

    @Test("a sum whose strips are all off delays nothing")
    func allOff() throws {
        var graph = Graph()
        graph.add("late", "late", from: ["in"], settings: frames(100))
        graph.add("group", "sum", from: ["late"])
        graph.add("sum", "sum", from: ["in", "group"])
        graph.output(from: ["sum"])
        graph.pipeline.nodes[1].offInputs = [0]
        let playing = try Playing(graph.pipeline)
        #expect(peaks(playing) == [0: 1, 100: 1])
        #expect(playing.schedule.plan.latencyFrames == 0)
    }

    // MARK: Nodes that are always bypassed

    private let bypass = Int32(RTTargetBypass.rawValue)

    /// A node with 100 frames of latency that is always bypassed.
    private func bypassed(factor: Float = 1, mix: Float = 1) -> Pipeline {
        var graph = Graph()
        graph.add(
            "fx", "late", from: ["in"], values: [factor], mix: mix, isBypassed: true,
            settings: frames(100))
        graph.output(from: ["fx"])
        graph.pipeline.nodes[0].isAlwaysBypassed = true
        return graph.pipeline
    }

    @Test("a node that is always bypassed passes its input at once and delays nothing")
    func bypassCostsNothing() throws {
        let noise = whiteNoise(frames: 5000)
        let playing = try Playing(bypassed(factor: 3))
        #expect(playing.render([noise], blocks: [64, 17]) == [noise])
        #expect(playing.schedule.plan.latencyFrames == 0)
    }

    @Test("a path parallel to a node that is always bypassed is not delayed")
    func parallelToBypass() throws {
        var graph = Graph()
        graph.add("fx", "late", from: ["in"], isBypassed: true, settings: frames(100))
        graph.add("sum", "sum", from: ["in", "fx"])
        graph.output(from: ["sum"])
        graph.pipeline.nodes[0].isAlwaysBypassed = true
        #expect(peaks(try Playing(graph.pipeline)) == [0: 2])
    }

    @Test("switched on live, such a node sounds late by its latency; switched off, at once again")
    func switchedOn() throws {
        let noise = whiteNoise(frames: 12_288)
        let playing = try Playing(bypassed())
        playing.set(node: 0, target: bypass, 0)
        let on = playing.render([Array(noise[..<4096])])[0]
        // The crossfade takes 960 frames.
        #expect(Array(on[1088..<4096]) == Array(noise[988..<3996]))
        playing.set(node: 0, target: bypass, 1, frame: 4096)
        let off = playing.render([Array(noise[4096...])])[0]
        #expect(Array(off[1088...]) == Array(noise[5184...]))
    }

    @Test("switched on live, wet and dry are aligned with each other")
    func switchedOnMixed() throws {
        let noise = whiteNoise(frames: 8192)
        let playing = try Playing(bypassed(factor: 3, mix: 0.5))
        playing.set(node: 0, target: bypass, 0)
        let out = playing.render([noise])[0]
        // The delay of the dry signal changes after the crossfade to the mix, by another one.
        for frame in 2048..<8192 {
            #expect(abs(out[frame] - 2 * noise[frame - 100]) < 1e-6, "frame \(frame)")
        }
    }

    @Test("an edit that switches on a node which sounds already is not heard")
    func editOfSounding() throws {
        let noise = whiteNoise(frames: 8192)
        var pipeline = bypassed()
        let playing = try Playing(pipeline)
        playing.set(node: 0, target: bypass, 0)
        _ = playing.render([Array(noise[..<4096])])
        pipeline.nodes[0].isBypassed = false
        pipeline.nodes[0].isAlwaysBypassed = false
        try playing.splice(pipeline)
        let out = playing.render([Array(noise[4096...])])[0]
        #expect(out == Array(noise[3996..<8092]))
        #expect(playing.schedule.plan.latencyFrames == 100)
    }

    @Test("an edit after which a bypassed node can be switched on aligns it")
    func editOfBypassed() throws {
        let noise = whiteNoise(frames: 8192)
        var pipeline = bypassed()
        let playing = try Playing(pipeline)
        _ = playing.render([Array(noise[..<4096])])
        pipeline.nodes[0].isAlwaysBypassed = false
        try playing.splice(pipeline)
        let out = playing.render([Array(noise[4096...])])[0]
        // The delay changes by a crossfade of 960 frames.
        #expect(Array(out[1024...]) == Array(noise[5020..<8092]))
        #expect(playing.schedule.plan.latencyFrames == 100)
    }

    @Test("the delay of a bypassed node changes without a step")
    func delayWithoutStep() throws {
        let tone = sineWave(100, frames: 8192, sampleRate: 48_000)
        var pipeline = bypassed()
        let playing = try Playing(pipeline)
        let before = playing.render([Array(tone[..<4096])])[0]
        pipeline.nodes[0].isAlwaysBypassed = false
        try playing.splice(pipeline)
        let out = before + playing.render([Array(tone[4096...])])[0]
        // The tone itself moves by at most 0.0066 per frame, and the crossfade by 0.0016.
        #expect(zip(out, out.dropFirst()).allSatisfy { abs($1 - $0) < 0.009 })
    }

    // MARK: Edits

    @Test("an edit of the alignment is a crossfade, without a step")
    func editOfAlignment() throws {
        let ones = [Float](repeating: 1, count: 9600)
        var pipeline = twoPaths()
        let playing = try Playing(pipeline)
        _ = playing.render([ones])
        pipeline.nodes[1].unalignedInputs = [1]
        try playing.splice(pipeline)
        let out = playing.render([ones])[0]
        #expect(out.allSatisfy { abs($0 - 2) < 1e-6 })
        #expect(playing.schedule.plan.latencyFrames == 0)
    }
}
