internal import CRealtime
internal import Synchronization

/// Hands the tasks of a cycle over to the runners: the callback and the workers.
///
/// Each task that may run has a bit. A runner owns the task whose bit it clears. The owner runs the
/// task, sets the bits of the tasks that waited only for it, and then counts the task as finished.
/// The callback runs tasks too, so it waits only for tasks that other runners own. Nothing locks, and
/// a worker that does not run costs nothing.
///
/// Only the owner of a task reads the tables of the cycle. The cycle cannot end while a task has an
/// owner, so the tables are valid. A worker that is late reads only the board, which lives as long as
/// the workers.
struct TaskBoard: ~Copyable {
    /// The longest time that the callback sleeps before it looks for tasks itself, in ns; a worker
    /// that finishes a task wakes it at once.
    private static var napNanoseconds: UInt64 { @_noLocks get { 50_000 } }

    /// The maximum number of tasks.
    static var taskCapacity: Int { @_noLocks get { 8192 } }

    // The callback writes these before it sets bits; owners of tasks read them.
    private let table: UnsafeMutablePointer<TaskTable?>
    private let cycle: UnsafeMutablePointer<RTCycle?>
    /// The number of times that tasks for workers became ready; workers sleep while it does not
    /// change.
    private let generation: UnsafeMutablePointer<Atomic<UInt32>>
    private let padding0 = InlineArray<16, UInt64>(repeating: 0)
    /// 1 while the callback sleeps until a worker has finished a task; 0 otherwise.
    private let callbackSleep: UnsafeMutablePointer<Atomic<UInt32>>
    /// The number of workers that sleep or are about to sleep.
    private let sleeping = Atomic<Int32>(0)
    /// The number of workers whose threads run.
    private let present = Atomic<Int32>(0)
    /// The number of workers that the current cycle uses.
    private let used = Atomic<Int32>(0)
    /// Whether the workers should end.
    private let isEnding = Atomic<Bool>(false)
    /// How long a worker looks for a task before it sleeps, in ticks.
    private let patienceTicks = Atomic<UInt64>(0)
    /// The time at which the callback expects its next call, in ticks; 0 if calls have no fixed time.
    private let nextCall = Atomic<UInt64>(0)
    private let periodTicks = Atomic<UInt64>(0)
    private let ticksPerMillisecond = Atomic<UInt64>(1)
    private let wordCount = Atomic<Int>(0)
    private let padding1 = InlineArray<16, UInt64>(repeating: 0)
    /// The number of tasks that are not finished.
    private let unfinished = Atomic<Int>(0)
    private let padding2 = InlineArray<16, UInt64>(repeating: 0)
    /// The tasks that may run and have no owner, one bit each.
    private let ready = InlineArray<128, Atomic<UInt64>> { _ in Atomic(0) }

    init() {
        table = .allocate(capacity: 1)
        table.initialize(to: nil)
        cycle = .allocate(capacity: 1)
        cycle.initialize(to: nil)
        generation = .allocate(capacity: 1)
        generation.initialize(to: Atomic(0))
        callbackSleep = .allocate(capacity: 1)
        callbackSleep.initialize(to: Atomic(0))
    }

    deinit {
        table.deallocate()
        cycle.deallocate()
        generation.deinitialize(count: 1)
        generation.deallocate()
        callbackSleep.deinitialize(count: 1)
        callbackSleep.deallocate()
    }

    // MARK: The callback

    /// Lets the workers wake up shortly before the next call; on the audio thread.
    ///
    /// To wake a thread on a processor that sleeps can take the callback longer than a task, and the
    /// thread begins late. A worker that has woken up by itself costs the callback nothing.
    ///
    /// - Parameters:
    ///   - start: The time at which this call began, in ticks.
    ///   - period: The time from one call to the next, in ticks; 0 if calls have no fixed time.
    ///   - rate: The number of ticks per millisecond, at least 1.
    @_noLocks
    borrowing func expectCall(
        after start: UInt64, periodTicks period: UInt64, ticksPerMillisecond rate: UInt64
    ) {
        nextCall.store(period > 0 ? start &+ period : 0, ordering: .relaxed)
        periodTicks.store(period, ordering: .relaxed)
        ticksPerMillisecond.store(rate, ordering: .relaxed)
    }

    /// Runs all tasks of a cycle together with the workers; on the audio thread.
    ///
    /// - Parameters:
    ///   - newTable: The tasks, at least one and at most `taskCapacity`.
    ///   - newCycle: The cycle.
    ///   - workers: The number of workers that the cycle uses.
    ///   - newPatienceTicks: How long a worker looks for a task before it sleeps.
    @_noLocks
    borrowing func run(
        _ newTable: TaskTable, _ newCycle: UnsafePointer<RTCycle>, workers: Int,
        patienceTicks newPatienceTicks: UInt64
    ) {
        used.store(Int32(clamping: workers), ordering: .relaxed)
        // The callback takes one of the tasks itself.
        wake(forTasks: publish(newTable, newCycle, newPatienceTicks) - 1)
        var waitStart: UInt64 = 0
        while true {
            // Read before the claim, so that a task that is released after it counts as a change.
            let unfinishedCount = unfinished.load(ordering: .acquiring)
            let task = claim()
            if task >= 0 {
                noteWait(newTable, &waitStart)
                perform(task, runner: 0)
            } else if unfinishedCount == 0 {
                return noteWait(newTable, &waitStart)
            } else {
                if waitStart == 0 { waitStart = rt_ticks() }
                let isPatient = rt_ticks() &- waitStart <= newPatienceTicks / 2
                if isPatient { rt_pause() } else { sleepWhile(unfinished: unfinishedCount) }
            }
        }
    }

    /// Sleeps until a worker has finished a task.
    ///
    /// The callbacks of two programs that wait in a loop on all processors would keep their workers,
    /// whose priority is lower, from running.
    ///
    /// - Parameter count: The number of unfinished tasks when the callback found nothing to do.
    @_noLocks
    private borrowing func sleepWhile(unfinished count: Int) {
        callbackSleep.pointee.store(1, ordering: .sequentiallyConsistent)
        // A worker that finishes a task after this load sees the 1, and wakes the callback.
        if unfinished.load(ordering: .sequentiallyConsistent) == count {
            rt_wait_while(callbackSleep, 1, Self.napNanoseconds)
        }
        callbackSleep.pointee.store(0, ordering: .relaxed)
    }

    /// Wakes the callback if it sleeps; on the thread of a worker that has finished a task.
    @_noLocks
    private borrowing func wakeCallback() {
        guard callbackSleep.pointee.load(ordering: .sequentiallyConsistent) == 1,
            callbackSleep.pointee.exchange(0, ordering: .sequentiallyConsistent) == 1
        else { return }
        rt_wake(callbackSleep)
    }

    /// Adds the time since the callback began to wait for workers, if it has waited.
    @_noLocks
    @inline(__always)
    private borrowing func noteWait(_ table: TaskTable, _ start: inout UInt64) {
        guard start != 0 else { return }
        table.runners.pointee.idleTicks &+= rt_ticks() &- start
        start = 0
    }

    /// Makes the tasks of a cycle available; returns the number of those that may run at once.
    @_noLocks
    private borrowing func publish(
        _ newTable: TaskTable, _ newCycle: UnsafePointer<RTCycle>, _ newPatienceTicks: UInt64
    ) -> Int {
        // SAFETY: all tasks of the last cycle are finished, so no worker reads these values.
        table.pointee = newTable
        cycle.pointee = newCycle.pointee
        for task in 0..<newTable.count {
            newTable.waiting[task].store(
                newTable.tasks[task].predecessorCount, ordering: .relaxed)
        }
        unfinished.store(newTable.count, ordering: .relaxed)
        patienceTicks.store(newPatienceTicks, ordering: .relaxed)
        wordCount.store(newTable.wordCount, ordering: .relaxed)
        var rootCount = 0
        for word in 0..<newTable.wordCount where newTable.roots[word] != 0 {
            rootCount &+= newTable.roots[word].nonzeroBitCount
            // A fast worker may have set other bits of the word already.
            ready[word].bitwiseOr(newTable.roots[word], ordering: .releasing)
        }
        return rootCount
    }

    /// Wakes workers for tasks that have become ready, if any sleeps; on the thread of any runner.
    ///
    /// A worker that found no task for a while sleeps, so tasks that become ready late in the cycle
    /// need it awake again. While a woken worker is on its way, more may be awake than the cycle uses.
    @_noLocks
    @inline(__always)
    private borrowing func wake(forTasks count: Int) {
        guard count > 0 else { return }
        generation.pointee.add(1, ordering: .sequentiallyConsistent)
        // A worker that this load misses has not compared the generation yet, and will not sleep.
        let asleep = sleeping.load(ordering: .sequentiallyConsistent)
        let awake = present.load(ordering: .relaxed) &- asleep
        let wanted = min(asleep, used.load(ordering: .relaxed) &- awake)
        guard wanted > 0 else { return }
        rt_wake_sleepers(generation, min(wanted, Int32(clamping: count)))
    }

    // MARK: Workers

    /// Runs tasks until `end`; on the thread of a worker.
    ///
    /// - Parameter runner: The number of the worker, at least 1.
    @_noLocks
    borrowing func work(runner: Int32) {
        present.add(1, ordering: .relaxed)
        var lead = WorkerLead()
        while true {
            let seen = generation.pointee.load(ordering: .acquiring)
            guard !isEnding.load(ordering: .relaxed) else {
                present.subtract(1, ordering: .relaxed)
                return
            }
            runTasks(runner: runner)
            sleepWhile(generation: seen, runner: runner, &lead)
        }
    }

    /// Sleeps until a runner wakes this worker, or until the next call is near.
    ///
    /// A worker that wakes up by itself looks for the call, and then continues as if it had been
    /// woken. If the call does not come in time, it sleeps without a limit.
    @_noLocks
    private borrowing func sleepWhile(
        generation seen: UInt32, runner: Int32, _ lead: inout WorkerLead
    ) {
        guard generation.pointee.load(ordering: .acquiring) == seen else { return }
        let call = nextCall.load(ordering: .relaxed)
        let rate = ticksPerMillisecond.load(ordering: .relaxed)
        let period = periodTicks.load(ordering: .relaxed)
        let isUsed = runner <= used.load(ordering: .relaxed)
        let nap = isUsed ? lead.nap(before: call, period, rate, now: rt_ticks()) : 0
        sleeping.add(1, ordering: .sequentiallyConsistent)
        rt_sleep_while(generation, seen, nap)
        sleeping.subtract(1, ordering: .relaxed)
        guard nap > 0 else { return }
        let latest = generation.pointee.load(ordering: .acquiring)
        let most = lead.most(period, rate)
        let hasBegun = nextCall.load(ordering: .relaxed) != call
        let isNear = rt_ticks() &+ 2 &* most >= call
        let isLate = hasBegun && latest != seen
        // More tasks of the same call say nothing about the lead.
        if isLate || isNear { lead.adapt(isLate: isLate) }
        // Tasks that other runners have finished are no reason to miss the next call.
        let isDone = !hasBegun && isNear && unfinished.load(ordering: .relaxed) == 0
        lookForCall(atTicks: call, while: isDone ? latest : seen, atMost: most)
    }

    /// Waits until tasks of a new generation are ready, or until a call should have begun.
    ///
    /// The counters of two processors can differ, so the time that passes here is limited too.
    @_noLocks
    private borrowing func lookForCall(
        atTicks call: UInt64, while seen: UInt32, atMost most: UInt64
    ) {
        let start = rt_ticks()
        while generation.pointee.load(ordering: .relaxed) == seen {
            let now = rt_ticks()
            guard now < call &+ most, now &- start < 2 &* most else { return }
            rt_pause()
        }
    }

    /// Runs tasks until the cycle has ended, or until there has been none for a while.
    @_noLocks
    private borrowing func runTasks(runner: Int32) {
        var start = rt_ticks()
        while true {
            let task = claim()
            if task >= 0 {
                perform(task, runner: runner)
                start = rt_ticks()
            } else if unfinished.load(ordering: .relaxed) == 0
                || rt_ticks() &- start > patienceTicks.load(ordering: .relaxed)
            {
                return
            } else {
                rt_pause()
            }
        }
    }

    /// Allows workers to run; not on the audio thread.
    borrowing func begin() { isEnding.store(false, ordering: .relaxed) }

    /// Makes the workers return from `work`; not on the audio thread.
    borrowing func end() {
        isEnding.store(true, ordering: .relaxed)
        generation.pointee.add(1, ordering: .sequentiallyConsistent)
        rt_wake_sleepers(generation, .max)
    }

    // MARK: Tasks

    /// Removes and returns the ready task with the lowest number; -1 if no task is ready.
    @_noLocks
    private borrowing func claim() -> Int {
        for word in 0..<wordCount.load(ordering: .relaxed) {
            var bits = ready[word].load(ordering: .relaxed)
            while bits != 0 {
                let bit = bits & (0 &- bits)
                let old = ready[word].bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue
                if old & bit != 0 { return word &* 64 &+ bit.trailingZeroBitCount }
                bits = old & ~bit
            }
        }
        return -1
    }

    /// Runs a task that this runner owns, and counts it as finished.
    @_noLocks
    private borrowing func perform(_ task: Int, runner: Int32) {
        guard let table = table.pointee, var cycle = cycle.pointee else { return }
        let entry = table.tasks[task]
        cycle.runner = runner
        let state = table.runners + Int(runner)
        let start = rt_ticks()
        state.pointee.endTicks = start
        // A plugin of an earlier task may have changed the flags.
        rt_flush_denormals()
        ScheduleEntry.run(table.entries, Int(entry.first)..<Int(entry.end), &cycle)
        state.pointee.busyTicks &+= rt_ticks() &- start
        if runner > 0 { table.activeNodes[Int(runner)].leave() }
        var readyCount = 0
        for index in 0..<Int(entry.successorCount) {
            let next = Int(entry.successors[index])
            let waits = table.waiting[next].subtract(1, ordering: .acquiringAndReleasing).newValue
            if waits == 0 {
                ready[next / 64].bitwiseOr(1 &<< UInt64(next & 63), ordering: .releasing)
                readyCount &+= 1
            }
        }
        // This runner takes one of them.
        wake(forTasks: readyCount - 1)
        // From here on, the tables may be invalid.
        unfinished.subtract(1, ordering: .sequentiallyConsistent)
        if runner > 0 { wakeCallback() }
    }
}
