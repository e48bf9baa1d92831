/// The tasks of a plan: groups of steps, which several cores can run at the same time.
///
/// The steps of the plan are in the order of the tasks. This order is also valid for one core.
public struct TaskGraph: Sendable, Equatable {
    /// The number of steps at the start of the plan that run before all tasks.
    ///
    /// They copy the inputs of the engine. As parts of a task, they would delay every task that
    /// needs the same input.
    public var preludeCount: Int
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
    public struct HandOver: Sendable, Equatable {
        /// The time of the callback to wake one worker.
        public var wakeNanoseconds: Double
        /// The time from the start of the tasks until a woken worker runs.
        public var delayNanoseconds: Double
        /// The additional time of each task.
        public var taskNanoseconds: Double

        /// Creates costs, in ns; the parameters have the meaning of the properties.
        public init(
            wakeNanoseconds: Double = 2_500, delayNanoseconds: Double = 6_000,
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
    /// - Parameters:
    ///   - cores: The number of cores, at least 1.
    ///   - costs: The time of each task, in ns.
    ///   - handOver: The costs of the hand-over; one core has none.
    /// - Returns: The time, in ns.
    public func predictedTime(
        onCores cores: Int, costs: [Double], handOver: HandOver = HandOver()
    ) -> Double {
        // The callback wakes no more workers than can have a task.
        let cores = min(cores, tasks.count)
        guard cores > 1 else { return costs.reduce(0, +) }
        let start = Double(cores - 1) * handOver.wakeNanoseconds
        var run = TaskSimulation(self, costs: costs.map { $0 + handOver.taskNanoseconds })
        run.addCore(atTime: start)
        for _ in 1..<cores { run.addCore(atTime: start + handOver.delayNanoseconds) }
        return run.end()
    }
}

/// Simulates the cores that run the tasks of a cycle.
private struct TaskSimulation {
    private struct Event: Comparable {
        var time: Double
        /// The task that ends; -1 if a core begins.
        var task: Int

        static func < (one: Event, other: Event) -> Bool {
            (one.time, one.task) < (other.time, other.task)
        }
    }

    private let graph: TaskGraph
    private let costs: [Double]
    private var waitsFor: [Int]
    private var ready: MinimumHeap<Int>
    private var events = MinimumHeap<Event>([])
    private var idleCores = 0

    init(_ graph: TaskGraph, costs: [Double]) {
        self.graph = graph
        self.costs = costs
        waitsFor = graph.tasks.map(\.predecessorCount)
        ready = MinimumHeap(graph.tasks.indices.filter { graph.tasks[$0].predecessorCount == 0 })
    }

    mutating func addCore(atTime time: Double) { events.push(Event(time: time, task: -1)) }

    /// Returns the time at which the last task ends.
    mutating func end() -> Double {
        var last = 0.0
        while let event = events.pop() {
            idleCores += 1
            if event.task >= 0 {
                last = event.time
                for next in graph.tasks[event.task].successors {
                    waitsFor[next] -= 1
                    if waitsFor[next] == 0 { ready.push(next) }
                }
            }
            while idleCores > 0, let task = ready.pop() {
                idleCores -= 1
                events.push(Event(time: event.time + costs[task], task: task))
            }
        }
        return last
    }
}
