import Engine
import Pipelines
import Processing
import Testing

@Suite("The plan")
struct PlanTests {
    /// Returns a random graph of `late` nodes and sums, each fed by preceding signals.
    static func randomGraph(seed: Int) -> (pipeline: Pipeline, latencies: [Int]) {
        var numbers = Seeded(seed)
        var graph = Graph(inputs: ["a": 1, "b": 2])
        var names = ["a", "b"]
        var latencies: [Int] = []
        for index in 0..<Int.random(in: 1...30, using: &numbers) {
            let from = (0..<Int.random(in: 1...3, using: &numbers)).compactMap { _ in
                names.randomElement(using: &numbers)
            }
            let type = Bool.random(using: &numbers) ? "late" : "sum"
            graph.add("n\(index)", type, from: from)
            names.append("n\(index)")
            latencies.append(Int.random(in: 0...200, using: &numbers))
        }
        graph.output(from: [names.last ?? "a", names.randomElement(using: &numbers) ?? "a"])
        return (graph.pipeline, latencies)
    }

    @Test(
        "every step reads the right signals, on time, from buffers that nothing has overwritten",
        arguments: 1...200)
    func readsWhatItShould(seed: Int) {
        let (pipeline, latencies) = Self.randomGraph(seed: seed)
        let plan = Plan(
            pipeline, latencies: latencies,
            format: .init(sampleRate: 48_000, maximumBlockFrames: 64))
        var walk = PlanWalk(pipeline, latencies: latencies, bufferCount: plan.bufferCount)
        for step in plan.steps { walk.visit(step) }
        for (output, planned) in zip(pipeline.outputs, plan.outputs) {
            walk.expect(
                output.taps.compactMap { $0 }, in: planned.buffers.compactMap { $0 },
                at: planned.latencyFrames)
        }
        #expect(walk.errors == [])
        #expect(walk.visited.sorted() == Array(pipeline.nodes.indices))
    }

    @Test("nodes may be in any order in the file", arguments: 1...50)
    func anyOrder(seed: Int) {
        var numbers = Seeded(seed)
        var (pipeline, latencies) = Self.randomGraph(seed: seed)
        let places = Dictionary(
            uniqueKeysWithValues: pipeline.nodes.enumerated().map { ($0.element.id, $0.offset) })
        let outputLatency = Plan(pipeline, latencies: latencies, format: .test).latencyFrames
        pipeline = pipeline.shuffled(using: &numbers)
        latencies = pipeline.nodes.map { latencies[places[$0.id] ?? 0] }
        let plan = Plan(pipeline, latencies: latencies, format: .test)
        var walk = PlanWalk(pipeline, latencies: latencies, bufferCount: plan.bufferCount)
        for step in plan.steps { walk.visit(step) }
        #expect(walk.errors == [])
        #expect(plan.latencyFrames == outputLatency)
    }

    @Test("a chain of any length needs two buffers per channel")
    func chainReusesBuffers() {
        var graph = Graph(inputs: ["in": 2])
        graph.add("n0", "late", from: ["in"])
        for index in 1..<100 { graph.add("n\(index)", "late", from: ["n\(index - 1)"]) }
        graph.output(from: ["n99"])
        let plan = Plan(
            graph.pipeline, latencies: Array(repeating: 0, count: 100), format: .test)
        #expect(plan.bufferCount == 4)
    }

    @Test("a plan prints one line per step")
    func prints() {
        //  in ─┬─ late (10) ─┬─ sum ─ out
        //      └─────────────┘
        var graph = Graph()
        graph.add("late", "late", from: ["in"])
        graph.add("sum", "sum", from: ["in", "late"])
        graph.output(from: ["sum"])
        let plan = Plan(graph.pipeline, latencies: [10, 0], format: .test)
        #expect(
            plan.description == """
                input 0 -> b0
                node 0 [b0] -> [b1]
                delay b0 by 10 -> b2
                node 1 [b2 b1] -> [b0]
                output 0 [b0], 10 frames
                """)
    }
}

extension AudioFormat {
    static let test = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 64)
}

/// Simulates a plan and tracks which signal each buffer contains, and its latency.
struct PlanWalk {
    private enum Held: Equatable {
        case nothing
        case tap(Pipeline.Tap, latencyFrames: Int)
    }

    private let pipeline: Pipeline
    private let latencies: [Int]
    private var held: [Held]
    private(set) var errors: [String] = []
    private(set) var visited: [Int] = []

    init(_ pipeline: Pipeline, latencies: [Int], bufferCount: Int) {
        self.pipeline = pipeline
        self.latencies = latencies
        held = Array(repeating: .nothing, count: bufferCount)
    }

    mutating func visit(_ step: Plan.Step) {
        switch step {
        case .input(let channel, let into): held[into] = .tap(inputTap(channel), latencyFrames: 0)
        case .delay(let wire, let from, let into):
            if case .tap(let tap, let latency) = held[from], from != into {
                held[into] = .tap(tap, latencyFrames: latency + wire.delayFrames)
            } else {
                errors.append("delay of nothing, or in place")
            }
        case .gain: errors.append("a gain without an outer level")
        case .blend: errors.append("a blend where nothing changes")
        case .node(let node): visit(node)
        }
    }

    private mutating func visit(_ step: Plan.NodeStep) {
        let node = pipeline.nodes[step.node]
        visited.append(step.node)
        let inputs = step.inputs.joined().compactMap { $0 }
        let latency = inputs.compactMap(latency).max() ?? 0
        expect(node.instances.joined().compactMap { $0 }, in: inputs, at: latency)
        for source in step.dry.joined() where self.latency(of: source.buffer) != latency {
            errors.append("dry path of \(node.id) not on time")
        }
        if Set(step.outputs).count != step.outputs.count { errors.append("outputs share") }
        if !Set(step.outputs).isDisjoint(with: inputs) { errors.append("in place") }
        for (channel, buffer) in step.outputs.enumerated() {
            held[buffer] = .tap(
                .init(.node(step.node), channel: channel),
                latencyFrames: latency + latencies[step.node])
        }
    }

    mutating func expect(_ taps: [Pipeline.Tap], in buffers: [Plan.Buffer], at latency: Int) {
        if taps.count != buffers.count {
            errors.append("\(taps.count) taps, \(buffers.count) buffers")
        }
        for (tap, buffer) in zip(taps, buffers)
        where held[buffer] != .tap(tap, latencyFrames: latency) {
            errors.append("wanted \(tap) at \(latency), b\(buffer) holds \(held[buffer])")
        }
    }

    private func latency(of buffer: Plan.Buffer) -> Int? {
        if case .tap(_, let latency) = held[buffer] { latency } else { nil }
    }

    private func inputTap(_ channel: Int) -> Pipeline.Tap {
        var left = channel
        for (index, input) in pipeline.inputs.enumerated() {
            if left < input.channels { return .init(.input(index), channel: left) }
            left -= input.channels
        }
        preconditionFailure("the plan names a channel that no input has")
    }
}
