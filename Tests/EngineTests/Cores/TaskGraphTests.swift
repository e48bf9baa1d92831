import Engine
import Pipelines
import Processing
import Testing

@Suite("The tasks of a plan")
struct TaskGraphTests {
    private static let format = AudioFormat(
        sampleRate: 48_000, maximumBlockFrames: 64, coreCount: 4)

    /// Returns a random graph with its plan for several cores.
    private func planned(seed: Int) throws -> (pipeline: Pipeline, plan: Plan, tasks: TaskGraph) {
        let (pipeline, latencies) = PlanTests.randomGraph(seed: seed)
        var numbers = Seeded(seed + 1000)
        let costs = pipeline.nodes.map { _ in Double.random(in: 100...20_000, using: &numbers) }
        let plan = Plan(
            pipeline, latencies: latencies, format: Self.format,
            costs: seed.isMultiple(of: 2) ? costs : [])
        return (pipeline, plan, try #require(plan.tasks))
    }

    @Test("the prelude and the tasks contain every step once", arguments: 1...100)
    func coversEveryStep(seed: Int) throws {
        let (pipeline, plan, tasks) = try planned(seed: seed)
        var end = tasks.preludeCount
        for task in tasks.tasks {
            #expect(task.steps.lowerBound == end)
            #expect(!task.steps.isEmpty)
            end = task.steps.upperBound
        }
        #expect(end == plan.steps.count)
        let nodes = plan.steps.compactMap { step in
            if case .node(let node) = step { node.node } else { nil }
        }
        #expect(nodes.sorted() == Array(pipeline.nodes.indices))
    }

    @Test("tasks that run at the same time read the right signals", arguments: 1...200)
    func readsInAnyOrder(seed: Int) throws {
        let (pipeline, plan, graph) = try planned(seed: seed)
        var numbers = Seeded(seed)
        var walk = PlanWalk(
            pipeline, latencies: plan.nodes.map(\.latencyFrames), bufferCount: plan.bufferCount)
        for step in plan.steps.prefix(graph.preludeCount) { walk.visit(step) }
        // Each running task with its remaining steps; a step of any of them comes next.
        var waitsFor = graph.tasks.map(\.predecessorCount)
        var running = graph.tasks.indices.filter { waitsFor[$0] == 0 }
            .map { ($0, graph.tasks[$0].steps) }
        while !running.isEmpty {
            let index = Int.random(in: running.indices, using: &numbers)
            let (task, steps) = running[index]
            if let step = steps.first { walk.visit(plan.steps[step]) }
            guard steps.count <= 1 else {
                running[index].1 = steps.dropFirst()
                continue
            }
            running.remove(at: index)
            for next in graph.tasks[task].successors {
                waitsFor[next] -= 1
                if waitsFor[next] == 0 { running.append((next, graph.tasks[next].steps)) }
            }
        }
        for (output, planned) in zip(pipeline.outputs, plan.outputs) {
            walk.expect(
                output.taps.compactMap { $0 }, in: planned.buffers.compactMap { $0 },
                at: planned.latencyFrames)
        }
        #expect(walk.errors == [])
        #expect(walk.visited.sorted() == Array(pipeline.nodes.indices))
    }

    @Test("tasks are numbered by their longest remaining path", arguments: 1...50)
    func ordersByPath(seed: Int) throws {
        let (_, _, graph) = try planned(seed: seed)
        var remaining = [Double](repeating: 0, count: graph.tasks.count)
        for index in graph.tasks.indices.reversed() {
            let task = graph.tasks[index]
            #expect(task.successors.allSatisfy { $0 > index })
            remaining[index] = task.cost + (task.successors.map { remaining[$0] }.max() ?? 0)
        }
        #expect(remaining == remaining.sorted(by: >))
        #expect(abs(graph.criticalCost - (remaining.first ?? 0)) < 1e-6)
        let path = graph.criticalPath.map { graph.tasks[$0].cost }.reduce(0, +)
        #expect(abs(path - graph.criticalCost) < 1e-6 * max(1, path))
    }

    @Test("a chain is one task, and each branch is one task")
    func groupsChains() throws {
        //      ┌─ a0 ─ b0 ─ c0 ─┐
        // in ─┼─ a1 ─ b1 ─ c1 ─┼─ sum ─ end ─ out
        //      └─ …             ┘
        var graph = Graph()
        for branch in 0..<8 {
            graph.add("a\(branch)", "late", from: ["in"])
            graph.add("b\(branch)", "late", from: ["a\(branch)"])
            graph.add("c\(branch)", "late", from: ["b\(branch)"])
        }
        graph.add("sum", "sum", from: (0..<8).map { "c\($0)" })
        graph.add("end", "late", from: ["sum"])
        graph.output(from: ["end"])
        let latencies = (0..<26).map { $0 * 10 }
        let plan = Plan(graph.pipeline, latencies: latencies, format: Self.format)
        let tasks = try #require(plan.tasks).tasks
        // The delays that align the branches are part of the branches.
        #expect(tasks.count == 9)
        #expect(tasks[8].predecessorCount == 8)
        #expect(tasks[0..<8].allSatisfy { $0.successors == [8] && $0.predecessorCount == 0 })
    }

    @Test("more cores never predict a longer cycle without costs of a hand-over", arguments: 1...30)
    func predicts(seed: Int) throws {
        let (_, _, graph) = try planned(seed: seed)
        let costs = graph.tasks.map(\.cost)
        let one = graph.predictedTime(onCores: 1, costs: costs)
        #expect(abs(one - graph.totalCost) < 1e-6 * max(1, one))
        for cores in [2, 4, 16] {
            let time = graph.predictedTime(onCores: cores, costs: costs, handOver: .none)
            #expect(time <= one * (1 + 1e-9))
            #expect(time >= graph.criticalCost * (1 - 1e-9))
            #expect(time >= one / Double(cores) * (1 - 1e-9))
        }
    }

    @Test("eight equal branches take an eighth of the time on eight cores")
    func predictsBranches() throws {
        var graph = Graph()
        for branch in 0..<8 { graph.add("n\(branch)", "late", from: ["in"]) }
        graph.output(from: (0..<8).map { "n\($0)" })
        let plan = Plan(
            graph.pipeline, latencies: Array(repeating: 0, count: 8), format: Self.format)
        let tasks = try #require(plan.tasks)
        let costs = [Double](repeating: 1000, count: 8)
        let times = [1, 2, 3, 8].map {
            tasks.predictedTime(onCores: $0, costs: costs, handOver: .none)
        }
        #expect(times == [8000, 4000, 3000, 1000])
    }

    @Test("a worker that slept is woken for branches that begin late, which costs its delay")
    func predictsLateBranches() throws {
        var graph = Graph()
        graph.add("head", "late", from: ["in"])
        for branch in 0..<2 { graph.add("n\(branch)", "late", from: ["head"]) }
        graph.output(from: ["n0", "n1"])
        let plan = Plan(
            graph.pipeline, latencies: Array(repeating: 0, count: 3), format: Self.format)
        let tasks = try #require(plan.tasks)
        #expect(tasks.tasks.count == 3)
        let handOver = TaskGraph.HandOver(
            wakeNanoseconds: 10, delayNanoseconds: 100, taskNanoseconds: 0)
        let times = [Double.infinity, 500].map {
            tasks.predictedTime(
                onCores: 2, costs: [1000, 1000, 1000], handOver: handOver,
                patienceNanoseconds: $0)
        }
        // A worker that sleeps begins 110 ns after the head has ended.
        #expect(times == [2000, 2110])
    }

    @Test("a worker that looks for a task for too long is woken again")
    func predictsPatience() throws {
        var graph = Graph()
        for name in ["long", "short"] { graph.add(name, "late", from: ["in"]) }
        graph.add("middle", "sum", from: ["long", "short"])
        for name in ["one", "other"] { graph.add(name, "late", from: ["middle"]) }
        graph.output(from: ["one", "other"])
        let plan = Plan(
            graph.pipeline, latencies: Array(repeating: 0, count: 5), format: Self.format)
        let tasks = try #require(plan.tasks)
        #expect(tasks.tasks.map(\.predecessorCount) == [0, 0, 2, 1, 1])
        let handOver = TaskGraph.HandOver(
            wakeNanoseconds: 10, delayNanoseconds: 100, taskNanoseconds: 0)
        let times = [Double.infinity, 500].map {
            tasks.predictedTime(
                onCores: 2, costs: [1000, 200, 1000, 1000, 1000], handOver: handOver,
                patienceNanoseconds: $0)
        }
        #expect(times == [3000, 3110])
    }

    @Test("nodes that send MIDI run one after another")
    func serialisesSenders() throws {
        var graph = Graph()
        for branch in 0..<3 { graph.add("n\(branch)", "late", from: ["in"]) }
        graph.output(from: ["n0", "n1", "n2"])
        for branch in 0..<3 {
            graph.pipeline.outputs.append(
                .init(
                    name: "midi\(branch)", channels: 0, kind: .midi, taps: [], hasLimiter: false,
                    connect: [], events: branch))
        }
        let plan = Plan(graph.pipeline, latencies: [0, 0, 0], format: Self.format)
        #expect(try #require(plan.tasks).tasks.count == 1)
    }

    @Test("a plan for one core has no tasks")
    func oneCore() {
        let (pipeline, latencies) = PlanTests.randomGraph(seed: 7)
        #expect(Plan(pipeline, latencies: latencies, format: .test).tasks == nil)
    }
}
