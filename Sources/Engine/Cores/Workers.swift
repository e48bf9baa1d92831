internal import CRealtime
internal import Synchronization

/// The workers of an engine, as the callback sees them.
struct Workers: BitwiseCopyable {
    /// The share of its period that a worker looks for a task before it sleeps.
    static var patiencePeriods: Double { @_noLocks get { 0.25 } }

    // SAFETY: the engine owns the board and the number of cores, and outlives the callback.
    let board: UnsafeMutablePointer<TaskBoard>
    /// The number of workers.
    let count: Int
    /// The number of cores that cycles use, at least 1; any thread may change it.
    let coreCount: UnsafeMutablePointer<Atomic<Int>>

    /// Lets the workers wake up for the call after this one; on the audio thread.
    ///
    /// - Parameters:
    ///   - start: The time at which this call began, in ticks.
    ///   - frames: The frames of this call.
    ///   - isRealTime: Whether calls have a fixed time.
    ///   - meters: The meters, which know the duration of a frame.
    @_noLocks
    func expectCall(
        after start: UInt64, frames: Int, isRealTime: Bool, _ meters: borrowing Meters
    ) {
        guard coreCount.pointee.load(ordering: .relaxed) > 1 else { return }
        let period = Double(frames) * meters.ticksPerFrame
        board.pointee.expectCall(
            after: start, periodTicks: isRealTime && period < 1e12 ? UInt64(max(0, period)) : 0,
            ticksPerMillisecond: UInt64(max(1, min(meters.ticksPerMillisecond, 1e9))))
    }

    /// Returns the workers for the next cycle; `nil` if the callback runs alone.
    @_noLocks
    func forCycle(_ frames: Int, _ meters: borrowing Meters) -> RunningWorkers? {
        let cores = coreCount.pointee.load(ordering: .relaxed)
        guard cores > 1 else { return nil }
        let periodTicks = Double(frames) * meters.ticksPerFrame
        return RunningWorkers(
            board: board, count: cores - 1,
            patienceTicks: UInt64(max(0, min(periodTicks * Self.patiencePeriods, 1e9))))
    }
}

/// The workers that take part in a cycle.
struct RunningWorkers: BitwiseCopyable {
    let board: UnsafeMutablePointer<TaskBoard>
    let count: Int
    let patienceTicks: UInt64

    /// Runs the tasks of a cycle.
    @_noLocks
    func run(_ tasks: TaskTable, _ cycle: UnsafePointer<RTCycle>) {
        board.pointee.run(tasks, cycle, workers: count, patienceTicks: patienceTicks)
    }
}

/// A worker of an engine: a plain value for the one thread that runs it.
public struct EngineWorker: @unchecked Sendable {
    // SAFETY: the board is made for several threads, and the engine outlives its workers.
    let board: UnsafeMutablePointer<TaskBoard>
    let runner: Int32

    /// Runs nodes together with the callback until `Engine.endWorkers`.
    ///
    /// Call it on a separate thread, with a real-time priority just below that of the callback.
    @_noLocks
    public func run() {
        rt_flush_denormals()
        rt_enter_realtime()
        board.pointee.work(runner: runner)
        rt_leave_realtime()
    }
}
