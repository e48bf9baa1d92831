/// The tasks of a plan: groups of steps, which several cores can run at the same time.
///
/// The steps of the plan are in the order of the tasks. This order is also valid for one core.
public struct TaskGraph: Sendable, Equatable {
    /// The number of steps at the start of the plan that run before all tasks.
    ///
    /// They copy the inputs of the engine. As parts of a task, they would delay every task that
    /// needs the same input.
    public var preludeCount: Int
    /// Whether the costs are measured times in ns; otherwise all nodes count as equal.
    public var isMeasured: Bool
    /// The tasks, those with the longest remaining paths first.
    ///
    /// Each task comes after all tasks that it waits for.
    public var tasks: [Task]

    /// A group of steps that run one after another on the same core.
    public struct Task: Sendable, Equatable {
        /// The indices of the steps in the plan.
        public var steps: Range<Int>
        /// The tasks that wait for this one, in ascending order.
        public var successors: [Int]
        /// The number of tasks that this one waits for.
        public var predecessorCount: Int
        /// The time that the steps take, in the unit of the costs that the graph was made from.
        public var cost: Double
    }

    /// The time that all tasks take on one core.
    public var totalCost: Double { tasks.map(\.cost).reduce(0, +) }

    /// The time of the longest path through the tasks, which no number of cores can reduce.
    public var criticalCost: Double { remainingCosts.max() ?? 0 }

    /// The indices of the tasks of the longest path, in order.
    public var criticalPath: [Int] {
        let remaining = remainingCosts
        var path: [Int] = []
        var next = tasks.indices.max { remaining[$0] < remaining[$1] }
        while let task = next {
            path.append(task)
            next = tasks[task].successors.max { remaining[$0] < remaining[$1] }
        }
        return path
    }

    /// The time from the start of each task to the end of the cycle, if there are enough cores.
    private var remainingCosts: [Double] {
        var remaining = tasks.map(\.cost)
        for index in tasks.indices.reversed() {
            let after = tasks[index].successors.map { remaining[$0] }.max() ?? 0
            remaining[index] += after
        }
        return remaining
    }
}

extension TaskGraph {
    /// The costs of the hand-over between cores, in ns.
    ///
    /// The defaults are those of a virtual machine, where it takes long to wake a processor;
    /// `scripts/measure/cores.py --hand-over` measures those of others.
    public struct HandOver: Sendable, Equatable {
        /// The time that a core takes to wake one worker that sleeps in the middle of a cycle.
        public var wakeNanoseconds: Double
        /// The time from then until the worker runs.
        public var delayNanoseconds: Double
        /// The additional time of each task.
        public var taskNanoseconds: Double

        /// Creates costs, in ns; the parameters have the meaning of the properties.
        public init(
            wakeNanoseconds: Double = 9_000, delayNanoseconds: Double = 27_000,
            taskNanoseconds: Double = 150
        ) {
            self.wakeNanoseconds = wakeNanoseconds
            self.delayNanoseconds = delayNanoseconds
            self.taskNanoseconds = taskNanoseconds
        }

        /// No costs.
        public static let none = HandOver(
            wakeNanoseconds: 0, delayNanoseconds: 0, taskNanoseconds: 0)
    }

    /// Predicts the time of a cycle on a number of cores by simulating it.
    ///
    /// The workers are awake when the cycle begins.
    ///
    /// - Parameters:
    ///   - cores: The number of cores, at least 1.
    ///   - costs: The time of each task, in ns.
    ///   - handOver: The costs of the hand-over; one core has none.
    ///   - patienceNanoseconds: How long a worker looks for a task before it sleeps, in ns.
    /// - Returns: The time, in ns.
    public func predictedTime(
        onCores cores: Int, costs: [Double], handOver: HandOver = HandOver(),
        patienceNanoseconds: Double = .infinity
    ) -> Double {
        let cores = min(cores, tasks.count)
        guard cores > 1 else { return costs.reduce(0, +) }
        var run = TaskSimulation(
            self, costs: costs.map { $0 + handOver.taskNanoseconds }, handOver: handOver,
            patience: patienceNanoseconds, workers: cores - 1)
        return run.end()
    }
}

/// Simulates the cores that run the tasks of a cycle.
private struct TaskSimulation {
    private struct Event: Comparable {
        var time: Double
        /// The task that ends; -1 if the core begins.
        var task: Int
        /// The core; 0 is that of the callback.
        var core: Int

        static func < (one: Event, other: Event) -> Bool {
            (one.time, one.task, one.core) < (other.time, other.task, other.core)
        }
    }

    private let graph: TaskGraph
    private let costs: [Double]
    private let handOver: TaskGraph.HandOver
    private let patience: Double
    private var waitsFor: [Int]
    private var ready: MinimumHeap<Int>
    private var events = MinimumHeap<Event>([])
    /// The cores that look for a task, and since when.
    private var idle: [(core: Int, since: Double)] = []
    /// The cores of the workers that sleep.
    private var asleep: [Int] = []

    init(
        _ graph: TaskGraph, costs: [Double], handOver: TaskGraph.HandOver, patience: Double,
        workers: Int
    ) {
        self.graph = graph
        self.costs = costs
        self.handOver = handOver
        self.patience = patience
        waitsFor = graph.tasks.map(\.predecessorCount)
        let roots = graph.tasks.indices.filter { graph.tasks[$0].predecessorCount == 0 }
        ready = MinimumHeap(roots)
        for core in 0...workers { events.push(Event(time: 0, task: -1, core: core)) }
    }

    /// Wakes workers for tasks that have become ready; returns the time at which the core that wakes
    /// them continues.
    private mutating func wake(forTasks count: Int, at time: Double) -> Double {
        let woken = asleep.suffix(max(0, count))
        asleep.removeLast(woken.count)
        let end = time + Double(woken.count) * handOver.wakeNanoseconds
        for core in woken {
            events.push(Event(time: end + handOver.delayNanoseconds, task: -1, core: core))
        }
        return end
    }

    /// Lets the workers sleep that have looked for a task for too long.
    private mutating func sleep(at time: Double) {
        let tired = idle.filter { $0.core > 0 && time - $0.since > patience }
        guard !tired.isEmpty else { return }
        asleep += tired.map(\.core)
        idle.removeAll { core in tired.contains { $0.core == core.core } }
    }

    /// Returns the time at which the last task ends.
    mutating func end() -> Double {
        var last = 0.0
        while let event = events.pop() {
            sleep(at: event.time)
            var time = event.time
            if event.task >= 0 {
                last = event.time
                time = wake(forTasks: release(after: event.task) - 1, at: event.time)
            }
            // Cores that look for a task find it while this one wakes others.
            while !idle.isEmpty, let task = ready.pop() {
                let core = idle.removeLast()
                begin(task, core.core, at: max(event.time, core.since))
            }
            if let task = ready.pop() {
                begin(task, event.core, at: time)
            } else {
                idle.append((event.core, time))
            }
        }
        return last
    }

    private mutating func begin(_ task: Int, _ core: Int, at time: Double) {
        events.push(Event(time: time + costs[task], task: task, core: core))
    }

    /// Makes the tasks ready that waited only for a task; returns their number.
    private mutating func release(after task: Int) -> Int {
        var count = 0
        for next in graph.tasks[task].successors {
            waitsFor[next] -= 1
            guard waitsFor[next] == 0 else { continue }
            ready.push(next)
            count += 1
        }
        return count
    }
}
