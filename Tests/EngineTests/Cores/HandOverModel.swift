/// A model of `TaskBoard`: the callback and workers that run the tasks of two cycles.
///
/// Each transition is one atomic operation of one thread, so the model contains all interleavings
/// of sequentially consistent operations.
struct HandOverModel {
    /// A deliberate error in the hand-over.
    enum Fault: CaseIterable {
        /// A runner counts a task as finished before it releases the successors.
        case countsTooEarly
        /// A runner takes a task although another one has cleared the bit.
        case ignoresOldValue
        /// The callback looks for sleeping workers before it begins a new generation.
        case looksForSleepersTooEarly
        /// A runner that has released tasks looks for sleeping workers before it begins a new
        /// generation.
        case looksForSleepersTooEarlyLater
        /// A runner that has released tasks wakes no worker.
        case wakesNobodyLater
        /// The callback overwrites a word of ready tasks, which a fast worker may have changed.
        case overwritesReadyTasks
        /// The callback makes tasks ready before it sets the table.
        case publishesTooEarly
    }

    /// The successors of each task, in each cycle.
    let graphs: [[[Int]]]
    let workers: Int
    var fault: Fault?
    /// The number of tasks whose bits share a word.
    private let wordTasks = 2

    init(graphs: [[[Int]]], workers: Int, fault: Fault? = nil) {
        (self.graphs, self.workers, self.fault) = (graphs, workers, fault)
    }

    enum Place: UInt8, Hashable {
        // The callback.
        case setTable, setWaiting, setUnfinished, setReady, beginGeneration, countSleepers, wake
        case awaitEnd
        // The callback and the workers.
        case loadWord, clearBit, begin, finish, release, makeReady, countFinished
        case announce, countAsleep, wakeOthers
        // The workers.
        case loadGeneration, checkEnding, lookForEnd, enterSleep, compare, asleep, leaveSleep
        case ended
    }

    struct Runner: Hashable {
        var place: Place
        var word = 0
        var bits: UInt8 = 0
        var task = -1
        var successor = 0
        /// The number of unfinished predecessors after this runner has finished one of them.
        var waits = 0
        /// The number of tasks that this runner has made ready.
        var made = 0
        var sleepers = 0
        var seen = 0
        /// Whether several tasks became ready while this worker was asleep.
        var isNeeded = false
    }

    struct State: Hashable {
        var cycle = 0
        /// The cycle of the valid table; -1 between two cycles, when its memory may be freed.
        var table = -1
        var waiting: [Int] = []
        var unfinished = 0
        var ready: [UInt8]
        var generation = 0
        var sleeping = 0
        var isEnding = false
        /// The tasks that have begun and finished in this cycle, one bit each.
        var begun: UInt8 = 0
        var done: UInt8 = 0
        var runners: [Runner]
    }

    /// An error that the model has found.
    struct Violation: Error { var text: String }

    var start: State {
        let tasks = graphs.map(\.count).max() ?? 0
        return State(
            ready: Array(repeating: 0, count: (tasks + wordTasks - 1) / wordTasks),
            runners: [Runner(place: first)]
                + Array(repeating: Runner(place: .loadGeneration), count: workers))
    }

    private var first: Place { fault == .publishesTooEarly ? .setWaiting : .setTable }

    private func predecessors(_ cycle: Int) -> [Int] {
        var counts = graphs[cycle].map { _ in 0 }
        for task in graphs[cycle] { for next in task { counts[next] += 1 } }
        return counts
    }

    /// Returns the states after one operation of a runner; none if it waits or has ended.
    func next(_ state: State, runner: Int) throws -> [State] {
        var new = state
        let old = state.runners[runner]
        switch old.place {
        case .setTable: new.table = state.cycle
        case .setWaiting: new.waiting = predecessors(state.cycle)
        case .setUnfinished: new.unfinished = graphs[state.cycle].count
        case .setReady: setReady(&new, word: old.word)
        case .beginGeneration: new.generation += 1
        case .countSleepers, .countAsleep: new.runners[runner].sleepers = state.sleeping
        case .wake: wake(&new, min(old.sleepers, rootCount(state.cycle) - 1))
        case .wakeOthers: wake(&new, min(old.sleepers, old.made - 1))
        case .announce: new.generation += 1
        case .loadWord: new.runners[runner].bits = state.ready[old.word]
        case .clearBit: clearBit(&new, runner)
        case .begin: try begin(&new, old.task)
        case .finish: new.done |= 1 << UInt8(old.task)
        case .release:
            let next = try successor(of: old, in: state)
            new.waiting[next] -= 1
            new.runners[runner].waits = new.waiting[next]
        case .makeReady:
            let next = try successor(of: old, in: state)
            if old.waits == 0 {
                new.ready[next / wordTasks] |= 1 << UInt8(next % wordTasks)
                new.runners[runner].made += 1
                if new.runners[runner].made > 1 { needSleepers(&new) }
            }
        case .countFinished: new.unfinished -= 1
        case .awaitEnd: if state.unfinished == 0 { try endCycle(&new) }
        case .loadGeneration: new.runners[runner].seen = state.generation
        case .enterSleep: new.sleeping += 1
        case .leaveSleep:
            new.sleeping -= 1
            new.runners[runner].isNeeded = false
        case .checkEnding, .lookForEnd, .compare: break
        case .asleep, .ended: return []
        }
        return places(after: old, in: state, new, runner).map { place in
            var result = new
            result.runners[runner].place = place
            return result
        }
    }

    /// Notes that the workers that sleep have something to do.
    private func needSleepers(_ new: inout State) {
        for index in new.runners.indices where new.runners[index].place == .asleep {
            new.runners[index].isNeeded = true
        }
    }

    private func rootCount(_ cycle: Int) -> Int { predecessors(cycle).count { $0 == 0 } }

    /// Wakes some of the workers that sleep.
    private func wake(_ new: inout State, _ count: Int) {
        let asleep = new.runners.indices.filter { new.runners[$0].place == .asleep }
        for index in asleep.prefix(max(0, count)) { new.runners[index].place = .leaveSleep }
    }

    /// Returns the task that a runner releases, as it reads it from the table.
    private func successor(of runner: Runner, in state: State) throws -> Int {
        guard state.table >= 0, runner.task < graphs[state.table].count,
            runner.successor < graphs[state.table][runner.task].count
        else { throw Violation(text: "a table was read too late") }
        return graphs[state.table][runner.task][runner.successor]
    }

    private func setReady(_ new: inout State, word: Int) {
        let roots = predecessors(new.cycle)
        if fault == .overwritesReadyTasks { new.ready[word] = 0 }
        for task in roots.indices where task / wordTasks == word && roots[task] == 0 {
            new.ready[word] |= 1 << UInt8(task % wordTasks)
        }
        if rootCount(new.cycle) > 1 { needSleepers(&new) }
        new.runners[0].word = word + 1
    }

    private func clearBit(_ new: inout State, _ runner: Int) {
        let (word, bits) = (new.runners[runner].word, new.runners[runner].bits)
        let bit = bits & (0 &- bits)
        let before = new.ready[word]
        new.ready[word] = before & ~bit
        let owns = before & bit != 0 || fault == .ignoresOldValue
        new.runners[runner].task = owns ? word * wordTasks + bit.trailingZeroBitCount : -1
        new.runners[runner].bits = before & ~bit
    }

    private func begin(_ new: inout State, _ task: Int) throws {
        guard new.table == new.cycle, task < graphs[new.cycle].count else {
            throw Violation(text: "a task began without a table")
        }
        guard new.begun & 1 << UInt8(task) == 0 else { throw Violation(text: "a task ran twice") }
        for (index, next) in graphs[new.cycle].enumerated() where next.contains(task) {
            guard new.done & 1 << UInt8(index) != 0 else {
                throw Violation(text: "a task began before one that it waits for")
            }
        }
        new.begun |= 1 << UInt8(task)
    }

    private func endCycle(_ new: inout State) throws {
        guard new.done.nonzeroBitCount == graphs[new.cycle].count else {
            throw Violation(text: "a cycle ended before all tasks")
        }
        (new.begun, new.done, new.table) = (0, 0, -1)
        new.cycle += 1
        guard new.cycle == graphs.count else { return }
        new.isEnding = true
        new.generation += 1
        for index in new.runners.indices where new.runners[index].place == .asleep {
            new.runners[index].place = .leaveSleep
        }
    }
}

// The places at which a runner continues.

extension HandOverModel {
    /// Returns the places after an operation; several if the time decides.
    private func places(
        after old: Runner, in state: State, _ new: State, _ runner: Int
    ) -> [Place] {
        let (task, successors) = (new.runners[runner].task, successorCount(old, state))
        switch old.place {
        case .setTable: return [fault == .publishesTooEarly ? .beginGeneration : .setWaiting]
        case .setWaiting: return [.setUnfinished]
        case .setUnfinished: return [.setReady]
        case .setReady where old.word + 1 < state.ready.count: return [.setReady]
        case .setReady where fault == .publishesTooEarly: return [.setTable]
        case .setReady where rootCount(state.cycle) == 1: return [.loadWord]
        case .setReady:
            return [fault == .looksForSleepersTooEarly ? .countSleepers : .beginGeneration]
        case .beginGeneration:
            return [fault == .looksForSleepersTooEarly ? .wake : .countSleepers]
        case .countSleepers:
            return [fault == .looksForSleepersTooEarly ? .beginGeneration : .wake]
        case .wake: return [.loadWord]
        case .loadWord where new.runners[runner].bits != 0: return [.clearBit]
        case .clearBit where task >= 0: return [.begin]
        case .clearBit where new.runners[runner].bits != 0: return [.clearBit]
        case .loadWord, .clearBit:
            return [old.word + 1 < state.ready.count ? .loadWord : idle(runner)]
        case .begin: return [.finish]
        case .finish where fault == .countsTooEarly: return [.countFinished]
        case .finish: return [successors > 0 ? .release : .countFinished]
        case .countFinished where fault == .countsTooEarly && successors > 0: return [.release]
        case .countFinished: return [.loadWord]
        case .release: return [.makeReady]
        case .makeReady where old.successor + 1 < successors: return [.release]
        case .makeReady where fault == .countsTooEarly: return [.loadWord]
        case .makeReady where new.runners[runner].made > 1 && fault != .wakesNobodyLater:
            return [fault == .looksForSleepersTooEarlyLater ? .countAsleep : .announce]
        case .makeReady: return [.countFinished]
        case .announce:
            return [fault == .looksForSleepersTooEarlyLater ? .wakeOthers : .countAsleep]
        case .countAsleep:
            return [fault == .looksForSleepersTooEarlyLater ? .announce : .wakeOthers]
        case .wakeOthers: return [.countFinished]
        case .awaitEnd where state.unfinished > 0: return [.loadWord]
        case .awaitEnd: return [new.isEnding ? .ended : first]
        case .loadGeneration: return [.checkEnding]
        case .checkEnding: return [state.isEnding ? .ended : .loadWord]
        case .lookForEnd: return state.unfinished == 0 ? [.enterSleep] : [.enterSleep, .loadWord]
        case .enterSleep: return [.compare]
        case .compare: return [state.generation == old.seen ? .asleep : .leaveSleep]
        case .leaveSleep: return [.loadGeneration]
        case .asleep, .ended: return [old.place]
        }
    }

    private func idle(_ runner: Int) -> Place { runner == 0 ? .awaitEnd : .lookForEnd }

    private func successorCount(_ runner: Runner, _ state: State) -> Int {
        guard runner.task >= 0, state.cycle < graphs.count,
            runner.task < graphs[state.cycle].count
        else { return 0 }
        return graphs[state.cycle][runner.task].count
    }

    /// Returns a state with the positions that its places start from, so that equal states compare
    /// as equal.
    func normalized(_ state: State, from old: State, runner: Int) -> State {
        var new = state
        let (before, after) = (old.runners[runner].place, new.runners[runner].place)
        switch (before, after) {
        case (.loadWord, .loadWord), (.clearBit, .loadWord): new.runners[runner].word += 1
        case (_, .loadWord): new.runners[runner].word = 0
        case (.setReady, .setReady): break
        case (.setUnfinished, .setReady): new.runners[runner].word = 0
        case (.makeReady, .release): new.runners[runner].successor += 1
        case (.finish, _), (.countFinished, .release): new.runners[runner].successor = 0
        default: break
        }
        if [.loadWord, .enterSleep, .awaitEnd].contains(after) {
            (new.runners[runner].bits, new.runners[runner].task) = (0, -1)
            (new.runners[runner].successor, new.runners[runner].waits) = (0, 0)
            (new.runners[runner].made, new.runners[runner].sleepers) = (0, 0)
        }
        return new
    }
}
