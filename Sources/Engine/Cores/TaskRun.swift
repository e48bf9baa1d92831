internal import CRealtime
internal import Synchronization

/// A step of a schedule: a function and its state.
struct ScheduleEntry: BitwiseCopyable {
    let run: RTStep
    let state: UnsafeMutableRawPointer
    /// The memory that the step reads next after its own state: the state of its processor.
    var inner: UnsafeRawPointer

    /// Runs consecutive steps.
    @_noLocks
    @inline(__always)
    static func run(
        _ entries: UnsafePointer<ScheduleEntry>, _ range: Range<Int>,
        _ cycle: UnsafePointer<RTCycle>
    ) {
        for index in range.lowerBound..<range.upperBound {
            // Prefetch the next step's state while this step runs.
            let next = min(index + 1, range.upperBound - 1)
            rt_expect(entries[next].state)
            rt_expect(entries[next].inner)
            rt_step(entries[index].run, entries[index].state, cycle)
        }
    }
}

/// A task of a schedule.
struct TaskEntry: BitwiseCopyable {
    /// The steps of the task.
    let first: Int32
    let end: Int32
    /// The tasks that wait for this one.
    let successors: UnsafeMutablePointer<Int32>
    let successorCount: Int32
    /// The number of tasks that this one waits for.
    let predecessorCount: Int32
}

/// The tasks of a schedule, with their state in the current cycle.
struct TaskTable: BitwiseCopyable {
    let tasks: UnsafeMutablePointer<TaskEntry>
    let count: Int
    let entries: UnsafePointer<ScheduleEntry>
    /// The number of unfinished predecessors of each task.
    ///
    /// Only the owner of a task changes the numbers of its successors.
    let waiting: UnsafeMutablePointer<Atomic<Int32>>
    /// The tasks without predecessors, one bit each.
    let roots: UnsafeMutablePointer<UInt64>
    let runners: UnsafeMutablePointer<RunnerState>
    let activeNodes: UnsafeMutablePointer<ActiveNodeMarker>

    /// The number of words for one bit per task.
    var wordCount: Int { @_noLocks get { (count + 63) / 64 } }
}

/// The measurements of a runner in a cycle: of the callback or of a worker.
struct RunnerState: BitwiseCopyable {
    /// The maximum number of runners.
    static var most: Int { @_noLocks get { 32 } }

    /// The time at which the previous step ended.
    var endTicks: UInt64 = 0
    /// The time of the tasks in this cycle.
    var busyTicks: UInt64 = 0
    /// The time in which the callback has waited for workers in this cycle.
    var idleTicks: UInt64 = 0
    /// Whether a plugin took longer than the period in this cycle.
    var hasPluginOverrun = false
    // Two runners must not write to the same cache line.
    private let padding = InlineArray<12, UInt64>(repeating: 0)

    /// Prepares a cycle.
    @_noLocks
    mutating func begin() {
        busyTicks = 0
        idleTicks = 0
        hasPluginOverrun = false
    }
}
