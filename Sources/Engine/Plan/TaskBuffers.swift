/// Returns the same plan with its steps in the order of the tasks, and with fewer buffers.
///
/// A task passes the buffers that it no longer needs to one of the tasks that wait for it. Therefore
/// the reuse of a buffer never makes a task wait for another one.
func reusingBuffers(_ plan: Plan, in grouped: TaskGrouping.Result) -> Plan {
    var result = plan
    result.steps = grouped.order.map { plan.steps[$0] }
    result.tasks = grouped.graph
    var reuse = TaskBuffers(result, grouped.graph)
    for index in 0..<grouped.graph.preludeCount {
        result.steps[index] = reuse.rename(result.steps[index])
    }
    for task in grouped.graph.tasks.indices {
        reuse.begin(task)
        for index in grouped.graph.tasks[task].steps {
            result.steps[index] = reuse.rename(result.steps[index])
            reuse.freeSignals(usedLastBy: index)
        }
        reuse.end(task)
    }
    result.outputs = plan.outputs.map { output in
        Plan.Output(
            buffers: output.buffers.map { $0.map { reuse.name($0) } },
            latencyFrames: output.latencyFrames)
    }
    result.bufferCount = reuse.bufferCount
    return result
}

/// Allocates the buffers of tasks, and passes them on.
private struct TaskBuffers {
    private let graph: TaskGraph
    private(set) var bufferCount = 0
    private var names: [Plan.Buffer]
    /// The signals that are not needed after each step.
    private var lastSignals: [[Plan.Buffer]]
    /// The buffers that each task may write to from its start.
    private var passed: [[Plan.Buffer]]
    /// The buffers that the current task may write to.
    private var free: [Plan.Buffer] = []

    init(_ plan: Plan, _ graph: TaskGraph) {
        self.graph = graph
        names = Array(repeating: -1, count: plan.bufferCount)
        lastSignals = Array(repeating: [], count: plan.steps.count)
        passed = Array(repeating: [], count: graph.tasks.count)
        let uses = SignalUses(plan, graph)
        for signal in 0..<plan.bufferCount {
            if let last = uses.lastStep(ofSignal: signal) { lastSignals[last].append(signal) }
        }
    }

    func name(_ signal: Plan.Buffer) -> Plan.Buffer { names[signal] }

    mutating func begin(_ task: Int) { (free, passed[task]) = (passed[task], []) }

    mutating func rename(_ step: Plan.Step) -> Plan.Step {
        for signal in step.writes { names[signal] = allocate() }
        return step.renamed(name)
    }

    mutating func freeSignals(usedLastBy step: Int) {
        for signal in lastSignals[step] { free.append(names[signal]) }
    }

    mutating func end(_ task: Int) {
        if let heir = graph.tasks[task].successors.first { passed[heir] += free }
        free = []
    }

    private mutating func allocate() -> Plan.Buffer {
        if let buffer = free.popLast() { return buffer }
        bufferCount += 1
        return bufferCount - 1
    }
}

/// The tasks that use each signal.
private struct SignalUses {
    private enum Readers {
        case none
        case one(task: Int)
        case several
    }

    private var readers: [Readers]
    private var lastSteps: [Int?]

    init(_ plan: Plan, _ graph: TaskGraph) {
        readers = Array(repeating: .none, count: plan.bufferCount)
        lastSteps = Array(repeating: nil, count: plan.bufferCount)
        for (task, entry) in graph.tasks.enumerated() {
            for index in entry.steps {
                for signal in plan.steps[index].writes { lastSteps[signal] = index }
                for signal in plan.steps[index].reads { read(signal, task, index) }
            }
        }
        // An output reads its signals at the end of the cycle, and several tasks read the signals
        // of the prelude.
        for signal in plan.outputs.joinedBuffers { readers[signal] = .several }
        for step in plan.steps.prefix(graph.preludeCount) {
            for signal in step.writes + step.reads { readers[signal] = .several }
        }
    }

    private mutating func read(_ signal: Plan.Buffer, _ task: Int, _ step: Int) {
        lastSteps[signal] = step
        switch readers[signal] {
        case .none: readers[signal] = .one(task: task)
        case .one(task): break
        default: readers[signal] = .several
        }
    }

    /// Returns the step after which no task needs a signal; `nil` if this is not the same step in
    /// every order of the tasks.
    func lastStep(ofSignal signal: Plan.Buffer) -> Int? {
        if case .several = readers[signal] { nil } else { lastSteps[signal] }
    }
}

extension [Plan.Output] {
    fileprivate var joinedBuffers: [Plan.Buffer] { flatMap { $0.buffers.compactMap { $0 } } }
}
