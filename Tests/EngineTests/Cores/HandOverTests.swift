import Testing

/// Explores all states of a `HandOverModel`.
private struct Exploration {
    private let model: HandOverModel
    private(set) var stateCount = 0

    init(_ model: HandOverModel) { self.model = model }

    /// Visits every state that any interleaving reaches.
    mutating func run() throws {
        var known: Set = [model.start]
        var open = [model.start]
        while let state = open.popLast() {
            var isOver = true
            for runner in state.runners.indices {
                for next in try successors(state, runner) {
                    isOver = false
                    if known.insert(next).inserted { open.append(next) }
                }
            }
            try check(state, isOver: isOver)
        }
        stateCount = known.count
    }

    private func successors(
        _ state: HandOverModel.State, _ runner: Int
    ) throws -> [HandOverModel.State] {
        try model.next(state, runner: runner)
            .map { model.normalized($0, from: state, runner: runner) }
    }

    private func check(_ state: HandOverModel.State, isOver: Bool) throws {
        let callback = state.runners[0]
        if isOver, state.runners.contains(where: { $0.place != .ended }) {
            throw HandOverModel.Violation(text: "a runner waits forever")
        }
        guard callback.place == .loadWord, callback.word == 0 else { return }
        let owned: [HandOverModel.Place] = [
            .begin, .finish, .release, .makeReady, .announce, .countAsleep, .wakeOthers,
            .countFinished,
        ]
        guard !state.runners.dropFirst().contains(where: { owned.contains($0.place) }) else {
            return
        }
        // While more tasks are ready than runners are awake, each sleeping worker must have looked
        // for them.
        let readyCount = state.ready.reduce(0) { $0 + $1.nonzeroBitCount }
        let awakeCount = state.runners.count { $0.place != .asleep }
        let isForgotten = state.runners.dropFirst().contains {
            $0.place == .asleep && ($0.isNeeded || $0.seen != state.generation)
        }
        if readyCount > awakeCount, isForgotten {
            throw HandOverModel.Violation(text: "a worker was not woken")
        }
        try finishAlone(state)
    }

    /// Checks that the callback ends the cycle if all workers stand still and own no task.
    private func finishAlone(_ start: HandOverModel.State) throws {
        var state = start
        for _ in 0..<200 where state.cycle == start.cycle {
            guard let next = try successors(state, 0).first else { break }
            state = next
        }
        guard state.cycle != start.cycle else {
            throw HandOverModel.Violation(text: "the callback waits for a worker without a task")
        }
    }
}

@Suite("The hand-over of tasks")
struct HandOverTests {
    /// The successors of each task: branches that meet, a chain beside a task, independent tasks.
    private static let graphs = [
        [[2], [2], []], [[1], [], []], [[], [], []], [[1, 2], [], []],
    ]

    @Test("no interleaving breaks it with two runners", arguments: graphs, graphs)
    func holdsWithOneWorker(first: [[Int]], second: [[Int]]) throws {
        var exploration = Exploration(HandOverModel(graphs: [first, second], workers: 1))
        try exploration.run()
        #expect(exploration.stateCount > 300)
    }

    @Test(
        "no interleaving breaks it with three runners",
        arguments: [[[[1], []], [[], []]], [[[], []], [[1], []]]])
    func holdsWithTwoWorkers(graphs: [[[Int]]]) throws {
        var exploration = Exploration(HandOverModel(graphs: graphs, workers: 2))
        try exploration.run()
        #expect(exploration.stateCount > 3000)
    }

    @Test("the model finds deliberate errors", arguments: HandOverModel.Fault.allCases)
    func findsFaults(fault: HandOverModel.Fault) {
        var exploration = Exploration(
            HandOverModel(graphs: [[[2], [2], []], [[1, 2], [], []]], workers: 1, fault: fault))
        var model = exploration
        #expect(throws: HandOverModel.Violation.self) { try model.run() }
        exploration = model
    }
}
