import Testing

/// Explores all states of a `HandOverModel`.
private struct Exploration {
    private let model: HandOverModel

    init(_ model: HandOverModel) { self.model = model }

    /// Visits every state that any interleaving reaches, and returns their number.
    func run() throws -> Int {
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
        return known.count
    }

    private func successors(
        _ state: HandOverModel.State, _ runner: Int
    ) throws -> [HandOverModel.State] {
        try model.next(state, runner: runner)
            .map { model.normalized($0, from: state, runner: runner) }
    }

    private func check(_ state: HandOverModel.State, isOver: Bool) throws {
        if isOver, state.runners.contains(where: { $0.place != .ended }) {
            throw HandOverModel.Violation.endlessWait
        }
        try checkSleepOfCallback(state)
        let callback = state.runners[0]
        guard callback.place == model.firstSearch, callback.word == 0,
            !state.runners.dropFirst().contains(where: { $0.task >= 0 })
        else { return }
        try checkSleepOfWorkers(state)
        try finishAlone(state)
    }

    /// Checks that the callback does not sleep while it has something to do, except until a worker
    /// wakes it after the next operations.
    ///
    /// The end of a sleep after 50 µs would hide a lost wake-up from the other checks.
    private func checkSleepOfCallback(_ state: HandOverModel.State) throws {
        guard state.runners[0].place == .callbackAsleep,
            state.unfinished == 0 || state.ready.contains(where: { $0 != 0 })
        else { return }
        let wakesSoon: [HandOverModel.Place] = [
            .release, .makeReady, .announce, .countAsleep, .limit, .wakeWorkers, .countFinished,
            .loadSleep, .clearSleep, .wakeCallback,
        ]
        guard state.runners.dropFirst().contains(where: { wakesSoon.contains($0.place) }) else {
            throw HandOverModel.Violation.sleepingCallback
        }
    }

    /// Checks that workers that the cycle uses are awake while more tasks are ready than runners
    /// are awake, or that all sleeping workers have looked for them.
    private func checkSleepOfWorkers(_ state: HandOverModel.State) throws {
        let readyCount = state.ready.reduce(0) { $0 + $1.nonzeroBitCount }
        let isForgotten = state.runners.dropFirst().contains {
            $0.place == .asleep && ($0.isNeeded || $0.seen != state.generation)
        }
        if isForgotten, readyCount > state.awakeWorkers + 1,
            state.awakeWorkers < model.used[state.cycle]
        {
            throw HandOverModel.Violation.sleepingWorker
        }
    }

    /// Checks that the callback ends the cycle if all workers stand still and own no task.
    private func finishAlone(_ start: HandOverModel.State) throws {
        var state = start
        for _ in 0..<200 where state.cycle == start.cycle {
            guard let next = try successors(state, 0).first else { break }
            state = next
        }
        guard state.cycle != start.cycle else { throw HandOverModel.Violation.stuckCallback }
    }
}

@Suite("The hand-over of tasks")
struct HandOverTests {
    /// The successors of each task: branches that meet, a chain beside a task, independent tasks.
    private static let graphs = [
        [[2], [2], []], [[1], [], []], [[], [], []], [[1, 2], [], []],
    ]
    /// Cycles of which the last one uses fewer workers.
    private static let threeCycles: [[[Int]]] = [[[2], [2], []], [[1, 2], [], []], [[], []]]

    @Test("no interleaving breaks it with two runners", arguments: graphs, graphs)
    func holdsWithOneWorker(first: [[Int]], second: [[Int]]) throws {
        let model = HandOverModel(graphs: [first, second], workers: 1)
        #expect(try Exploration(model).run() > 3000)
    }

    @Test(
        "no interleaving breaks it with a worker that wakes up by itself", arguments: 1...2,
        [[1, 1, 1], [0, 1, 0], [1, 0, 1]])
    func holdsWithEarlyWorker(wakeUps: Int, used: [Int]) throws {
        let late = HandOverModel(graphs: Self.threeCycles, workers: 1, used: used)
        let early = HandOverModel(
            graphs: Self.threeCycles, workers: 1, used: used, earlyWakeUps: wakeUps)
        #expect(try Exploration(early).run() > Exploration(late).run())
    }

    @Test("no interleaving breaks it with two workers that wake up by themselves")
    func holdsWithEarlyWorkers() throws {
        let model = HandOverModel(
            graphs: [[[], []], [[], []]], workers: 2, used: [2, 1], earlyWakeUps: 1)
        #expect(try Exploration(model).run() > 20_000)
    }

    @Test(
        "no interleaving breaks it with cycles that do not use the worker",
        arguments: [[1, 1, 0], [0, 1, 0], [1, 0, 1]])
    func holdsWithUnusedWorker(used: [Int]) throws {
        let model = HandOverModel(graphs: Self.threeCycles, workers: 1, used: used)
        #expect(try Exploration(model).run() > 5000)
    }

    @Test(
        "no interleaving breaks it with three runners, of which a cycle uses two",
        arguments: [[[[1], []], [[], []]], [[[], []], [[1], []]]], [[2, 1], [1, 2]])
    func holdsWithTwoWorkers(graphs: [[[Int]]], used: [Int]) throws {
        let model = HandOverModel(graphs: graphs, workers: 2, used: used)
        #expect(try Exploration(model).run() > 20_000)
    }

    /// Returns the violations to which an error can lead; the first one depends on the order of
    /// the search.
    private static func violations(
        of fault: HandOverModel.Fault
    ) -> [HandOverModel.Violation] {
        switch fault {
        case .countsTooEarly: [.lateTable, .missingPredecessor, .sleepingCallback]
        case .ignoresOldValue: [.secondRun, .missingTable, .missingPredecessor]
        case .overwritesReadyTasks: [.stuckCallback]
        case .publishesTooEarly: [.missingTable]
        case .ignoresUsed: [.tooManyWorkers]
        case .setsUsedTooLate: [.sleepingWorker, .tooManyWorkers]
        case .looksForSleepersTooEarly, .looksForSleepersTooEarlyLater, .wakesNobodyLater,
            .countsMissingWorker, .sleepsWithoutLooking:
            [.sleepingWorker]
        case .wakesNoCallback, .looksForCallbackTooEarly, .leavesSleepSet, .announcesSleepTooLate,
            .comparesNothing, .readsUnfinishedTooLate:
            [.sleepingCallback]
        }
    }

    @Test("the model finds deliberate errors", arguments: HandOverModel.Fault.allCases)
    func findsFaults(fault: HandOverModel.Fault) throws {
        let model = HandOverModel(
            graphs: Self.threeCycles, workers: 1, used: [1, 1, 0],
            earlyWakeUps: fault == .sleepsWithoutLooking ? 1 : 0, fault: fault)
        let found = #expect(throws: HandOverModel.Violation.self) { try Exploration(model).run() }
        let violation = try #require(found)
        #expect(Self.violations(of: fault).contains(violation))
    }
}
