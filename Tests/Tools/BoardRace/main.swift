// Runs random task graphs on the board of the engine with several workers, for
// scripts/sanitize/board.sh, which builds it with ThreadSanitizer together with the sources of the
// board. It also checks the results, and exits with 1 if one is wrong.
internal import CRealtime
internal import Glibc
internal import Synchronization

/// The state of a step, which combines the results of its predecessors.
struct Adder: BitwiseCopyable {
    var sources: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    var sourceCount: Int
    var result: UnsafeMutablePointer<UInt64>
    var own: UInt64
}

func add(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    let adder = state.assumingMemoryBound(to: Adder.self).pointee
    var sum = adder.own
    for index in 0..<adder.sourceCount { sum = sum &* 31 &+ adder.sources[index].pointee }
    adder.result.pointee = sum
}

/// A random graph, laid out for the board; it is freed while the workers still run.
struct RandomTasks: ~Copyable {
    let table: TaskTable
    let results: UnsafeMutablePointer<UInt64>
    private let adders: UnsafeMutablePointer<Adder>
    let predecessors: [[Int]]
    private let successors: [UnsafeMutablePointer<Int32>]

    init(count: Int, using numbers: inout some RandomNumberGenerator) {
        var predecessors: [[Int]] = []
        for task in 0..<count {
            let sources = (0..<Int.random(in: 0...3, using: &numbers)).compactMap { _ in
                task == 0 ? nil : Int.random(in: max(0, task - 20)..<task, using: &numbers)
            }
            predecessors.append(Set(sources).sorted())
        }
        self.predecessors = predecessors
        results = .allocate(capacity: count)
        results.initialize(repeating: 0, count: count)
        adders = .allocate(capacity: count)
        let entries = UnsafeMutablePointer<ScheduleEntry>.allocate(capacity: count)
        let tasks = UnsafeMutablePointer<TaskEntry>.allocate(capacity: count)
        let waiting = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: count)
        let roots = UnsafeMutablePointer<UInt64>.allocate(capacity: (count + 63) / 64)
        roots.initialize(repeating: 0, count: (count + 63) / 64)
        var all: [UnsafeMutablePointer<Int32>] = []
        for task in 0..<count {
            let sources = UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
                .allocate(capacity: max(1, predecessors[task].count))
            for (index, source) in predecessors[task].enumerated() {
                sources[index] = results + source
            }
            (adders + task).initialize(
                to: Adder(
                    sources: sources, sourceCount: predecessors[task].count,
                    result: results + task, own: UInt64(task)))
            (entries + task).initialize(
                to: ScheduleEntry(run: add, state: adders + task, inner: adders + task))
            let next = (0..<count).filter { predecessors[$0].contains(task) }
            let list = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, next.count))
            for (index, successor) in next.enumerated() { list[index] = Int32(successor) }
            all.append(list)
            (tasks + task).initialize(
                to: TaskEntry(
                    first: Int32(task), end: Int32(task + 1), successors: list,
                    successorCount: Int32(next.count),
                    predecessorCount: Int32(predecessors[task].count)))
            (waiting + task).initialize(to: Atomic(0))
            if predecessors[task].isEmpty { roots[task / 64] |= 1 << UInt64(task % 64) }
        }
        successors = all
        let runners = UnsafeMutablePointer<RunnerState>.allocate(capacity: RunnerState.most)
        runners.initialize(repeating: RunnerState(), count: RunnerState.most)
        let nodes = UnsafeMutablePointer<ActiveNodeMarker>.allocate(capacity: RunnerState.most)
        for index in 0..<RunnerState.most { (nodes + index).initialize(to: ActiveNodeMarker()) }
        table = TaskTable(
            tasks: tasks, count: count, entries: UnsafePointer(entries), waiting: waiting,
            roots: roots, runners: runners, activeNodes: nodes)
    }

    deinit {
        for task in 0..<table.count { adders[task].sources.deallocate() }
        for list in successors { list.deallocate() }
        results.deallocate()
        adders.deallocate()
        table.tasks.deallocate()
        table.entries.deallocate()
        table.waiting.deallocate()
        table.roots.deallocate()
        table.runners.deallocate()
        table.activeNodes.deallocate()
    }

    /// Whether the results are those of one core; clears them.
    func check() -> Bool {
        var isRight = true
        var expected: [UInt64] = []
        for task in 0..<table.count {
            var sum = UInt64(task)
            for source in predecessors[task] { sum = sum &* 31 &+ expected[source] }
            expected.append(sum)
            if results[task] != sum { isRight = false }
            results[task] = 0
        }
        return isRight
    }
}

let arguments = CommandLine.arguments
let workers = arguments.count > 1 ? Int(arguments[1]) ?? 3 : 3
let graphs = arguments.count > 2 ? Int(arguments[2]) ?? 200 : 200
let board = UnsafeMutablePointer<TaskBoard>.allocate(capacity: 1)
board.initialize(to: TaskBoard())

struct Start: @unchecked Sendable {
    let board: UnsafeMutablePointer<TaskBoard>
    let runner: Int32
}
var threads: [pthread_t] = []
for runner in 1...max(1, workers) {
    let start = UnsafeMutablePointer<Start>.allocate(capacity: 1)
    start.initialize(to: Start(board: board, runner: Int32(runner)))
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let start = argument.assumingMemoryBound(to: Start.self).pointee
            start.board.pointee.work(runner: start.runner)
            return nil
        }, start)
    threads.append(thread)
}

var numbers = SystemRandomNumberGenerator()
var transport = RTTransport()
var event = RTEvent()
var isRight = true
for _ in 0..<graphs {
    let graph = RandomTasks(count: Int.random(in: 2...150, using: &numbers), using: &numbers)
    for cycle in 0..<50 {
        withUnsafePointer(to: &transport) { transport in
            withUnsafePointer(to: &event) { event in
                var run = RTCycle(
                    frameCount: 64, events: event, messages: nil, sinks: nil,
                    transport: transport, runner: 0)
                // With a period, workers wake up by themselves: before, during or after a cycle.
                let period = UInt64.random(in: 0...3_000_000, using: &numbers)
                board.pointee.expectCall(
                    after: rt_ticks(), periodTicks: cycle.isMultiple(of: 3) ? 0 : period,
                    ticksPerMillisecond: 2_000_000)
                board.pointee.run(
                    graph.table, &run, workers: Int.random(in: 0...workers, using: &numbers),
                    patienceTicks: 200_000)
            }
        }
        isRight = graph.check() && isRight
        // The workers fall asleep now and then.
        if cycle.isMultiple(of: 10) { usleep(200) }
    }
}
board.pointee.end()
for thread in threads { pthread_join(thread, nil) }
print(isRight ? "all results are right" : "a result is wrong")
exit(isRight ? 0 : 1)
