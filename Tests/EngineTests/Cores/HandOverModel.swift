/// A model of `TaskBoard`: the callback and workers that run the tasks of some cycles.
///
/// Each transition is one atomic operation of one thread, so the model contains all interleavings
/// of sequentially consistent operations. Instead of time, it has choices: a worker that finds no
/// task may continue to look or fall asleep, the callback too, and the callback's sleep may be over
/// at any moment, as that of a worker that expects the next call. The model leaves out:
///
/// - weaker memory orders; `scripts/sanitize/board.sh` runs the real board under ThreadSanitizer,
/// - the kernel's choice among sleeping workers (the first one wakes), and priorities,
/// - the overflow of the generation, words of 64 tasks, and the single operations of `end`.
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
        /// A runner wakes workers that the cycle does not use.
        case ignoresUsed
        /// The callback sets the number of workers of a cycle after it has woken them.
        case setsUsedTooLate
        /// A runner counts a worker whose thread does not exist as awake.
        case countsMissingWorker
        /// A worker that has finished a task does not wake the callback.
        case wakesNoCallback
        /// A worker looks whether the callback sleeps before it counts a task as finished.
        case looksForCallbackTooEarly
        /// A worker wakes the callback without clearing the word on which it sleeps.
        case leavesSleepSet
        /// The callback compares the number of unfinished tasks before it announces its sleep.
        case announcesSleepTooLate
        /// The callback sleeps without comparing the number of unfinished tasks.
        case comparesNothing
        /// The callback reads the number of unfinished tasks after it has looked for tasks.
        case readsUnfinishedTooLate
        /// A worker that has woken up by itself sleeps again without looking for tasks.
        case sleepsWithoutLooking
    }

    /// An error that the model has found.
    enum Violation: Error {
        /// A table was read after its cycle.
        case lateTable
        /// A task began without a table.
        case missingTable
        /// A task ran twice.
        case secondRun
        /// A task began before one that it waits for.
        case missingPredecessor
        /// A cycle ended before all of its tasks.
        case earlyEnd
        /// A runner waits forever.
        case endlessWait
        /// The callback waits for a worker that has no task.
        case stuckCallback
        /// The callback sleeps although it has something to do, and no worker will wake it.
        case sleepingCallback
        /// A worker was not woken for a task.
        case sleepingWorker
        /// More workers were woken than the cycle uses.
        case tooManyWorkers
    }

    /// The successors of each task, in each cycle.
    let graphs: [[[Int]]]
    let workers: Int
    /// The number of workers that each cycle uses.
    let used: [Int]
    let fault: Fault?
    /// How often each worker may wake up by itself, because it expects a call.
    let earlyWakeUps: Int
    /// The number of tasks whose bits share a word.
    let wordTasks = 2

    init(
        graphs: [[[Int]]], workers: Int, used: [Int]? = nil, earlyWakeUps: Int = 0,
        fault: Fault? = nil
    ) {
        self.earlyWakeUps = earlyWakeUps
        self.graphs = graphs
        self.workers = workers
        self.used = used ?? graphs.map { _ in workers }
        self.fault = fault
    }

    enum Place: UInt8, Hashable {
        // The callback: a new cycle, and its end.
        case setUsed, setTable, setWaiting, setUnfinished, setReady, loadUnfinished, awaitEnd
        // The callback: `sleepWhile`, with the comparison in the kernel.
        case announceSleep, compareUnfinished, compareSleep, callbackAsleep, endSleep
        // The callback and the workers: tasks.
        case loadWord, clearBit, begin, finish, release, makeReady, countFinished
        // The callback and the workers: `wake`.
        case announce, countAsleep, limit, wakeWorkers
        // The workers: `wakeCallback`.
        case loadSleep, clearSleep, wakeCallback
        // The workers: `work`.
        case arrive, loadGeneration, checkEnding, lookForEnd, enterSleep, compare, asleep
        case leaveSleep, leave, ended
    }

    struct Runner: Hashable {
        var place: Place
        var word = 0
        var bits: UInt8 = 0
        /// The task that the runner owns; -1 if it owns none.
        var task = -1
        var successor = 0
        /// The number of unfinished predecessors after this runner has finished one of them.
        var waits = 0
        /// The number of tasks that this runner has made ready.
        var made = 0
        /// The number of workers that slept when this runner counted them.
        var sleepers = 0
        /// The number of workers that this runner wakes.
        var wanted = 0
        /// Whether no worker was on its way when this runner counted those that slept.
        var isExact = false
        /// The generation that a worker has seen.
        var seen = 0
        /// The number of unfinished tasks that the callback has seen.
        var unfinished = 0
        /// Whether several tasks became ready since this worker last slept, before it looks for them.
        var isNeeded = false
        /// How often this worker may still wake up by itself.
        var earlyWakeUps = 0
        /// Whether this worker has woken up by itself since it last looked for tasks.
        var isEarly = false
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
        var present = 0
        /// The number of workers that the board uses.
        var used = 0
        /// Whether the word says that the callback sleeps.
        var callbackSleep = false
        var isEnding = false
        /// The tasks that have begun and finished in this cycle, one bit each.
        var begun: UInt8 = 0
        var done: UInt8 = 0
        var runners: [Runner]

        /// The number of workers that do not sleep.
        var awakeWorkers: Int { runners.dropFirst().count { $0.place != .asleep } }
    }

    var start: State {
        let tasks = graphs.map(\.count).max() ?? 0
        return State(
            ready: Array(repeating: 0, count: (tasks + wordTasks - 1) / wordTasks),
            runners: [Runner(place: first)]
                + Array(
                    repeating: Runner(place: .arrive, earlyWakeUps: earlyWakeUps), count: workers))
    }

    private func predecessors(_ cycle: Int) -> [Int] {
        var counts = graphs[cycle].map { _ in 0 }
        for task in graphs[cycle] { for next in task { counts[next] += 1 } }
        return counts
    }

    func rootCount(_ cycle: Int) -> Int { predecessors(cycle).count { $0 == 0 } }

    /// Returns the states after one operation of a runner; none if it waits or has ended.
    func next(_ state: State, runner: Int) throws -> [State] {
        var new = state
        let old = state.runners[runner]
        switch old.place {
        case .setUsed: new.used = used[state.cycle]
        case .setTable: new.table = state.cycle
        case .setWaiting: new.waiting = predecessors(state.cycle)
        case .setUnfinished: new.unfinished = graphs[state.cycle].count
        case .setReady: setReady(&new, word: old.word)
        case .loadUnfinished: new.runners[runner].unfinished = state.unfinished
        case .awaitEnd: if old.unfinished == 0 { try endCycle(&new) }
        case .announceSleep: new.callbackSleep = true
        case .endSleep, .clearSleep: new.callbackSleep = false
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
            makeReady(&new, runner, next)
        case .countFinished:
            new.unfinished -= 1
            // The runner with this error still reads the successors of the task.
            if fault != .countsTooEarly { new.runners[runner].task = -1 }
        case .announce: new.generation += 1
        case .countAsleep: countAsleep(&new, runner)
        case .limit: limit(&new, runner)
        case .wakeWorkers: try wakeWorkers(&new, runner)
        case .wakeCallback:
            if state.runners[0].place == .callbackAsleep {
                new.runners[0].place = .endSleep
                new.runners[0].unfinished = 0
            }
        case .arrive: new.present += 1
        case .loadGeneration: new.runners[runner].seen = state.generation
        case .enterSleep:
            new.sleeping += 1
            new.runners[runner].isEarly = false
        case .leaveSleep: new.sleeping -= 1
        case .leave: new.present -= 1
        case .compareUnfinished, .compareSleep, .callbackAsleep, .loadSleep: break
        case .checkEnding where !old.isEarly: new.runners[runner].isNeeded = false
        case .checkEnding, .lookForEnd, .compare: break
        case .asleep where old.earlyWakeUps > 0:
            new.runners[runner].earlyWakeUps -= 1
            new.runners[runner].isEarly = fault == .sleepsWithoutLooking
            for index in new.runners.indices { new.runners[index].isExact = false }
        case .asleep, .ended: return []
        }
        return places(after: old, in: state, new, runner).map { place in
            var result = new
            result.runners[runner].place = place
            return result
        }
    }
}

// The operations.

extension HandOverModel {
    /// Returns the task that a runner releases, as it reads it from the table.
    private func successor(of runner: Runner, in state: State) throws -> Int {
        guard state.table >= 0, runner.task < graphs[state.table].count,
            runner.successor < graphs[state.table][runner.task].count
        else { throw Violation.lateTable }
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
        new.runners[0].made = rootCount(new.cycle)
    }

    private func makeReady(_ new: inout State, _ runner: Int, _ task: Int) {
        guard new.runners[runner].waits == 0 else { return }
        new.ready[task / wordTasks] |= 1 << UInt8(task % wordTasks)
        new.runners[runner].made += 1
        if new.runners[runner].made > 1 { needSleepers(&new) }
    }

    /// Notes that the workers that sleep, or have not looked since, have something to do.
    private func needSleepers(_ new: inout State) {
        let places: [Place] = [.asleep, .leaveSleep, .loadGeneration, .checkEnding]
        for index in new.runners.indices where places.contains(new.runners[index].place) {
            new.runners[index].isNeeded = true
        }
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
            throw Violation.missingTable
        }
        guard new.begun & 1 << UInt8(task) == 0 else { throw Violation.secondRun }
        for (index, next) in graphs[new.cycle].enumerated() where next.contains(task) {
            guard new.done & 1 << UInt8(index) != 0 else { throw Violation.missingPredecessor }
        }
        new.begun |= 1 << UInt8(task)
    }

    private func endCycle(_ new: inout State) throws {
        guard new.done.nonzeroBitCount == graphs[new.cycle].count else {
            throw Violation.earlyEnd
        }
        (new.begun, new.done, new.table) = (0, 0, -1)
        new.cycle += 1
        guard new.cycle == graphs.count else { return }
        new.isEnding = true
        new.generation += 1
        wakeSleepers(&new, .max)
    }

    private func countAsleep(_ new: inout State, _ runner: Int) {
        let changing: [Place] = [.arrive, .compare, .leaveSleep, .limit, .wakeWorkers]
        let isExact = new.runners.allSatisfy { !changing.contains($0.place) }
        for index in new.runners.indices { new.runners[index].isExact = false }
        new.runners[runner].isExact = isExact
        new.runners[runner].sleepers = new.sleeping
    }

    private func limit(_ new: inout State, _ runner: Int) {
        let my = new.runners[runner]
        let missing = fault == .countsMissingWorker ? 1 : 0
        let awake = new.present + missing - my.sleepers
        let free = fault == .ignoresUsed ? my.sleepers : new.used - awake
        new.runners[runner].wanted = max(0, min(my.sleepers, free, my.made - 1))
        new.runners[runner].sleepers = 0
    }

    private func wakeWorkers(_ new: inout State, _ runner: Int) throws {
        let my = new.runners[runner]
        let before = new.awakeWorkers
        wakeSleepers(&new, my.wanted)
        let allowed = new.cycle < used.count ? used[new.cycle] : workers
        // While a worker is on its way, more may be awake.
        if my.isExact, new.awakeWorkers > max(before, allowed) { throw Violation.tooManyWorkers }
        new.runners[runner].wanted = 0
        new.runners[runner].isExact = false
    }

    private func wakeSleepers(_ new: inout State, _ count: Int) {
        let asleep = new.runners.indices.filter { new.runners[$0].place == .asleep }
        for index in asleep.prefix(count) {
            new.runners[index].place = .leaveSleep
            new.runners[index].seen = 0
        }
    }
}
