import Engine
import Pipelines
import Processing
import Testing

@Suite("The reasons for latencies")
struct LatencyReportTests {
    private func report(_ pipeline: Pipeline, _ latencies: [Int]) -> LatencyReport {
        LatencyReport(pipeline, Plan(pipeline, latencies: latencies, format: .test))
    }

    /// A path of two late nodes, a shorter path, and a direct one.
    ///
    ///         ┌─ a (300) ─ b (40) ─┐
    ///     in ─┼─ c (100) ──────────┼─ sum ─ main
    ///         └────────────────────┘
    private func threePaths() -> Pipeline {
        var graph = Graph()
        graph.add("a", "late", from: ["in"])
        graph.add("b", "late", from: ["a"])
        graph.add("c", "late", from: ["in"])
        graph.add("sum", "sum", from: ["in", "b", "c"])
        graph.output("main", from: ["sum"])
        graph.output("direct", from: ["in"])
        return graph.pipeline
    }

    private let latencies = [300, 40, 100, 0]

    @Test("names the nodes of the latest path, and the latency without each of them")
    func path() {
        #expect(
            report(threePaths(), latencies).outputs == [
                .init(
                    output: 0, latencyFrames: 340,
                    path: [
                        .init(node: 0, latencyFrames: 300, withoutFrames: 100),
                        .init(node: 1, latencyFrames: 40, withoutFrames: 300),
                    ]),
                .init(output: 1, latencyFrames: 0, path: []),
            ])
        #expect(report(threePaths(), latencies).exceptions.isEmpty)
    }

    @Test("names the input whose stated latency begins the latest path")
    func statedInput() {
        var graph = Graph(inputs: ["mic": 1, "far": 1])
        graph.add("a", "late", from: ["far"])
        graph.add("sum", "sum", from: ["mic", "a"])
        graph.output("main", from: ["sum"])
        graph.output("direct", from: ["mic"])
        graph.pipeline.inputs[1].latencyMilliseconds = 10
        let stated = Int(AudioFormat.test.sampleRate / 100)
        #expect(
            report(graph.pipeline, [40, 0]).outputs == [
                .init(
                    output: 0, latencyFrames: stated + 40,
                    path: [.init(node: 0, latencyFrames: 40, withoutFrames: stated)], input: 1,
                    inputFrames: stated),
                .init(output: 1, latencyFrames: 0, path: []),
            ])
    }

    @Test("names the nodes of another path that is equally late")
    func equalPaths() {
        #expect(
            report(threePaths(), [60, 40, 100, 0]).outputs[0].path == [
                .init(node: 0, latencyFrames: 60, withoutFrames: 100, alternatives: [2]),
                .init(node: 1, latencyFrames: 40, withoutFrames: 100, alternatives: [2]),
            ])
    }

    @Test("agrees with the plan about the latency of each output")
    func agrees() {
        var pipeline = threePaths()
        for unaligned in [[], [0], [1], [2], [1, 2], [0, 1, 2]] as [Set<Int>] {
            for off in [[], [1], [0, 2], [0, 1, 2]] as [Set<Int>] {
                pipeline.nodes[3].unalignedInputs = unaligned
                pipeline.nodes[3].offInputs = off
                let plan = Plan(pipeline, latencies: latencies, format: .test)
                let report = LatencyReport(pipeline, plan)
                #expect(report.outputs.map(\.latencyFrames) == plan.outputs.map(\.latencyFrames))
            }
        }
    }

    @Test("lists paths that are not aligned, with their differences")
    func exceptions() {
        var pipeline = threePaths()
        pipeline.nodes[3].unalignedInputs = [0]
        pipeline.nodes[3].offInputs = [1]
        #expect(
            report(pipeline, latencies).exceptions == [
                .init(end: .node(3), reason: .unaligned, signal: "in", lateFrames: -100),
                .init(end: .node(3), reason: .off, signal: "b", lateFrames: 240),
            ])
        #expect(
            report(pipeline, latencies).outputs[0].path == [
                .init(node: 2, latencyFrames: 100, withoutFrames: 0)
            ])
    }

    @Test("lists a node with latency that is always bypassed, which delays nothing")
    func bypassed() {
        var pipeline = threePaths()
        pipeline.nodes[0].isBypassed = true
        pipeline.nodes[0].isAlwaysBypassed = true
        let report = report(pipeline, latencies)
        #expect(
            report.exceptions == [
                .init(end: .node(0), reason: .bypassed, signal: "", lateFrames: 300)
            ])
        #expect(report.outputs[0].latencyFrames == 100)
        #expect(
            report.outputs[0].path == [.init(node: 2, latencyFrames: 100, withoutFrames: 40)])
    }

    @Test("lists an output's channels that are not aligned")
    func outputs() {
        var graph = Graph()
        graph.add("late", "late", from: ["in"])
        graph.output("main", from: ["in", "late"])
        graph.pipeline.outputs[0].unalignedChannels = [1]
        #expect(
            report(graph.pipeline, [100]).exceptions == [
                .init(end: .output(0), reason: .unaligned, signal: "late", lateFrames: 100)
            ])
    }
}
