/// Decides how many cores a pipeline uses, from the measured times of its nodes.
///
/// More cores are used only if they pay: waking them costs time in every cycle, and a short cycle
/// needs no help.
public enum CoreChoice {
    /// The share of the period below which one core is enough.
    private static let leastShare = 1.0 / 3
    /// The largest share of the time on one core that several cores may take.
    private static let mostShare = 0.9
    /// The factor by which the limits are relaxed while several cores are in use, so that small
    /// changes do not switch them on and off.
    private static let hysteresis = 0.9

    /// Returns how long a worker looks for a task before it sleeps.
    ///
    /// - Parameter nanoseconds: The duration of the cycle, in ns.
    /// - Returns: The time, in ns.
    public static func patienceNanoseconds(ofPeriod nanoseconds: Double) -> Double {
        Workers.patiencePeriods * nanoseconds
    }

    /// Returns whether a cycle is so long that several cores can be of use.
    ///
    /// - Parameters:
    ///   - nodes: The time of each node in a cycle, in ns.
    ///   - periodNanoseconds: The duration of the cycle, in ns.
    /// - Returns: Whether all nodes take a third of the period or more.
    public static func isLong(nodes: [Double], periodNanoseconds: Double) -> Bool {
        nodes.reduce(0, +) >= leastShare * periodNanoseconds
    }

    /// Returns the number of cores to use.
    ///
    /// - Parameters:
    ///   - plan: The plan of the active schedule.
    ///   - nodes: The time of each node in a cycle, in ns.
    ///   - periodNanoseconds: The duration of the cycle, in ns.
    ///   - available: The number of cores that the engine may use, at least 1.
    ///   - current: The number of cores in use.
    ///   - handOver: The costs of the hand-over between cores.
    /// - Returns: A number from 1 through `available`.
    public static func coreCount(
        for plan: Plan, nodes: [Double], periodNanoseconds: Double, available: Int, current: Int,
        handOver: TaskGraph.HandOver = .init()
    ) -> Int {
        guard available > 1, let graph = plan.tasks, graph.tasks.count > 1 else { return 1 }
        let costs = plan.taskCosts(ofNodes: nodes)
        let alone = costs.reduce(0, +)
        let relaxed = current > 1 ? hysteresis : 1
        guard alone >= leastShare * relaxed * periodNanoseconds else { return 1 }
        let times = (1...available).map { count in
            graph.predictedTime(
                onCores: count, costs: costs, handOver: handOver,
                patienceNanoseconds: patienceNanoseconds(ofPeriod: periodNanoseconds))
        }
        let best = times.indices.dropFirst().min { times[$0] < times[$1] } ?? 0
        return times[best] < mostShare / relaxed * alone ? best + 1 : 1
    }
}

extension Plan {
    /// The time of a step that is not a node, in ns.
    private static let stepNanoseconds = 20.0
    /// The greatest sum of differences between the shares of the tasks in the time of all of them,
    /// now and in the plan.
    private static let mostChange = 0.25

    /// Calculates the times of the tasks from those of the nodes.
    ///
    /// - Parameter nodes: The time of each node in a cycle, in ns.
    /// - Returns: The time of each task in a cycle, in ns; nothing without tasks.
    public func taskCosts(ofNodes nodes: [Double]) -> [Double] {
        guard let tasks else { return [] }
        return tasks.tasks.map { task in
            steps[task.steps].reduce(0) { sum, step in
                guard case .node(let node) = step else { return sum + Self.stepNanoseconds }
                return sum + (node.node < nodes.count ? nodes[node.node] : 0)
            }
        }
    }

    /// Returns whether a plan from other times of the nodes may be better.
    ///
    /// It may be if the shares of the tasks in the whole time have changed by more than a quarter in
    /// all, or if the plan was made without times and light tasks could join others.
    ///
    /// - Parameter nodes: The time of each node in a cycle, in ns.
    /// - Returns: `false` if there is no choice.
    public func isOutdated(forNodes nodes: [Double]) -> Bool {
        guard let tasks, tasks.tasks.count > 1 else { return false }
        let costs = taskCosts(ofNodes: nodes)
        let (now, planned) = (costs.reduce(0, +), tasks.totalCost)
        guard now > 0, planned > 0 else { return false }
        let change = zip(tasks.tasks, costs).reduce(0) { sum, task in
            sum + abs(task.0.cost / planned - task.1 / now)
        }
        return change > Self.mostChange
            || !tasks.isMeasured && costs.contains { $0 < TaskGrouping.lightNanoseconds }
    }

    /// Returns the nodes of a task, by their index in the pipeline.
    public func nodes(ofTask task: Int) -> [Int] {
        guard let tasks else { return [] }
        return steps[tasks.tasks[task].steps].compactMap { step in
            if case .node(let node) = step { node.node } else { nil }
        }
    }
}
