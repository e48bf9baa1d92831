/// Groups the steps of a plan into tasks.
///
/// A chain of steps becomes one task. A step that costs less than the hand-over between cores joins
/// the step that reads or writes its signal.
struct TaskGrouping {
    /// The time below which a step joins another one, if costs are in ns.
    ///
    /// It is about that of a hand-over, which `scripts/measure/cores.py --hand-over` measures.
    static let lightNanoseconds = 400.0
    /// The cost of a step that is not a node, relative to a node of unknown cost.
    private static let stepCost = 1e-3

    private let steps: [Plan.Step]
    private let isMeasured: Bool
    private let lightCost: Double
    /// The steps that each step reads from, and those that read from it; by representative.
    private var predecessors: [Set<Int>]
    private var successors: [Set<Int>]
    /// The cost of the group of each representative.
    private var groupCosts: [Double]
    /// The cost of the light groups that have joined each group.
    private var joinedCosts: [Double]
    /// A step closer to the representative of each step's group.
    private var links: [Int]
    private var isPrelude: [Bool]

    /// Groups steps.
    ///
    /// - Parameters:
    ///   - steps: The steps of a plan in which every buffer has one writer.
    ///   - bufferCount: The number of buffers.
    ///   - serialNodes: The nodes that must run one after another, in the order of the steps.
    ///   - nodeCosts: The time of each node in ns; empty if it is not known. Then all nodes count as
    ///     equal.
    init(
        _ steps: [Plan.Step], bufferCount: Int, serialNodes: Set<Int>, nodeCosts: [Double]
    ) {
        self.steps = steps
        let isKnown = !nodeCosts.isEmpty
        isMeasured = isKnown
        lightCost = isKnown ? Self.lightNanoseconds : 10 * Self.stepCost
        groupCosts = steps.map { step in
            guard case .node(let node) = step else { return isKnown ? 20 : Self.stepCost }
            guard isKnown else { return 1 }
            return node.node < nodeCosts.count ? max(1, nodeCosts[node.node]) : 1
        }
        joinedCosts = Array(repeating: 0, count: steps.count)
        links = Array(steps.indices)
        predecessors = Array(repeating: [], count: steps.count)
        successors = predecessors
        isPrelude = Array(repeating: false, count: steps.count)
        var writers = [Int](repeating: 0, count: bufferCount)
        var lastSerial: Int?
        for (index, step) in steps.enumerated() {
            for buffer in step.reads { connect(writers[buffer], to: index) }
            for buffer in step.writes { writers[buffer] = index }
            guard case .node(let node) = step, serialNodes.contains(node.node) else { continue }
            if let lastSerial { connect(lastSerial, to: index) }
            lastSerial = index
        }
        separatePrelude()
        while mergeOnce() {}
    }

    private mutating func connect(_ writer: Int, to reader: Int) {
        successors[writer].insert(reader)
        predecessors[reader].insert(writer)
    }

    /// Removes the steps that run before all tasks from the graph.
    private mutating func separatePrelude() {
        for (index, step) in steps.enumerated() {
            let isInput = if case .input = step { true } else { false }
            let isShared =
                predecessors[index].isEmpty && successors[index].count != 1
                && groupCosts[index] < lightCost
            guard isInput || isShared else { continue }
            isPrelude[index] = true
            for reader in successors[index] { predecessors[reader].remove(index) }
            successors[index] = []
        }
    }

    /// Merges groups; returns whether more may be possible.
    private mutating func mergeOnce() -> Bool {
        var hasMerged = false
        for index in steps.indices where !isPrelude[index] {
            var group = representative(of: index)
            while let other = partner(of: group) {
                group = merge(group, other)
                hasMerged = true
            }
        }
        return hasMerged
    }

    /// Returns a group that the group may join: no path leads from one to the other through a third
    /// one, so the graph remains without loops.
    private func partner(of group: Int) -> Int? {
        let onlySuccessor = successors[group].count == 1 ? successors[group].first : nil
        if let next = onlySuccessor, predecessors[next].count == 1 { return next }
        guard groupCosts[group] < lightCost else { return nil }
        if predecessors[group].count == 1, let source = predecessors[group].first,
            hasRoom(source, for: group)
        {
            return source
        }
        return onlySuccessor.flatMap { hasRoom($0, for: group) ? $0 : nil }
    }

    /// Returns whether a light group may join: many light groups together are a task of their own.
    private func hasRoom(_ group: Int, for light: Int) -> Bool {
        joinedCosts[group] + groupCosts[light] <= 4 * lightCost
    }

    /// Merges two groups, one of which follows the other; returns the representative.
    private mutating func merge(_ one: Int, _ other: Int) -> Int {
        func degree(_ group: Int) -> Int { predecessors[group].count + successors[group].count }
        let (kept, gone) = degree(one) < degree(other) ? (other, one) : (one, other)
        links[gone] = kept
        joinedCosts[kept] += joinedCosts[gone] + min(groupCosts[one], groupCosts[other])
        groupCosts[kept] += groupCosts[gone]
        for source in predecessors[gone] {
            successors[source].remove(gone)
            if source != kept { connect(source, to: kept) }
        }
        for reader in successors[gone] {
            predecessors[reader].remove(gone)
            if reader != kept { connect(kept, to: reader) }
        }
        (predecessors[gone], successors[gone]) = ([], [])
        return kept
    }

    private mutating func representative(of step: Int) -> Int {
        var root = step
        while links[root] != root { root = links[root] }
        var next = step
        while links[next] != root { (links[next], next) = (root, links[next]) }
        return root
    }
}

extension TaskGrouping {
    /// The result: the tasks, and the order of the steps.
    struct Result {
        var graph: TaskGraph
        /// The former index of each step of the plan.
        var order: [Int]
    }

    /// Returns the tasks in the order of their priority.
    mutating func result() -> Result {
        var members: [Int: [Int]] = [:]
        for index in steps.indices where !isPrelude[index] {
            members[representative(of: index), default: []].append(index)
        }
        let remaining = remainingCosts(of: members.keys.sorted())
        let groups = members.keys.sorted { one, other in
            let (first, second) = (remaining[one] ?? 0, remaining[other] ?? 0)
            return first != second
                ? first > second : (members[one]?[0] ?? 0) < (members[other]?[0] ?? 0)
        }
        let numbers = Dictionary(
            uniqueKeysWithValues: groups.enumerated().map { ($0.element, $0.offset) })
        var order = steps.indices.filter { isPrelude[$0] }
        let preludeCount = order.count
        let tasks = groups.map { group in
            let start = order.count
            order += members[group] ?? []
            return TaskGraph.Task(
                steps: start..<order.count,
                successors: successors[group].compactMap { numbers[$0] }.sorted(),
                predecessorCount: predecessors[group].count, cost: groupCosts[group])
        }
        return Result(
            graph: TaskGraph(preludeCount: preludeCount, isMeasured: isMeasured, tasks: tasks),
            order: order)
    }

    /// Returns the time from the start of each group to the end of the cycle.
    private func remainingCosts(of groups: [Int]) -> [Int: Double] {
        var waitsFor = groups.reduce(into: [:]) { $0[$1] = successors[$1].count }
        var remaining: [Int: Double] = [:]
        var ended = groups.filter { successors[$0].isEmpty }
        while let group = ended.popLast() {
            let after = successors[group].compactMap { remaining[$0] }.max() ?? 0
            remaining[group] = groupCosts[group] + after
            for source in predecessors[group] {
                waitsFor[source, default: 0] -= 1
                if waitsFor[source] == 0 { ended.append(source) }
            }
        }
        return remaining
    }
}
