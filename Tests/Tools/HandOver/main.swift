// Measures the costs of the hand-over of tasks between cores, which are constants of
// `TaskGraph.HandOver` and `TaskGrouping`. scripts/measure/cores.py --hand-over builds it together
// with the sources of the board, and runs it.
internal import CRealtime
internal import Glibc
internal import Synchronization

/// The state of a step: it notes when it began, and lasts for a while.
struct Timer: BitwiseCopyable {
    var lastsTicks: UInt64 = 0
    var beganTicks: UInt64 = 0
    var runner: Int32 = -1
    // Two runners must not write to the same cache line.
    private let padding = InlineArray<16, UInt64>(repeating: 0)
}

func note(_ state: UnsafeMutableRawPointer, _ cycle: UnsafePointer<RTCycle>) {
    let timer = state.assumingMemoryBound(to: Timer.self)
    let began = rt_ticks()
    timer.pointee.beganTicks = began
    timer.pointee.runner = cycle.pointee.runner
    while rt_ticks() &- began < timer.pointee.lastsTicks { rt_pause() }
}

/// Tasks of one step each, laid out for the board until the program ends.
struct TimedTasks {
    let table: TaskTable
    let timers: UnsafeMutablePointer<Timer>

    /// Lays out tasks from the successors of each one.
    init(_ successors: [[Int32]]) {
        let count = successors.count
        timers = .allocate(capacity: count)
        timers.initialize(repeating: Timer(), count: count)
        let entries = UnsafeMutablePointer<ScheduleEntry>.allocate(capacity: count)
        let tasks = UnsafeMutablePointer<TaskEntry>.allocate(capacity: count)
        let waiting = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: count)
        let roots = UnsafeMutablePointer<UInt64>.allocate(capacity: (count + 63) / 64)
        roots.initialize(repeating: 0, count: (count + 63) / 64)
        for task in 0..<count {
            (entries + task).initialize(
                to: ScheduleEntry(run: note, state: timers + task, inner: timers + task))
            let list = UnsafeMutablePointer<Int32>.allocate(
                capacity: max(1, successors[task].count))
            for (index, successor) in successors[task].enumerated() { list[index] = successor }
            let predecessorCount = successors.joined().filter { $0 == Int32(task) }.count
            (tasks + task).initialize(
                to: TaskEntry(
                    first: Int32(task), end: Int32(task + 1), successors: list,
                    successorCount: Int32(successors[task].count),
                    predecessorCount: Int32(predecessorCount)))
            (waiting + task).initialize(to: Atomic(0))
            if predecessorCount == 0 { roots[task / 64] |= 1 << UInt64(task % 64) }
        }
        let runners = UnsafeMutablePointer<RunnerState>.allocate(capacity: RunnerState.most)
        runners.initialize(repeating: RunnerState(), count: RunnerState.most)
        let nodes = UnsafeMutablePointer<ActiveNodeMarker>.allocate(capacity: RunnerState.most)
        for index in 0..<RunnerState.most { (nodes + index).initialize(to: ActiveNodeMarker()) }
        table = TaskTable(
            tasks: tasks, count: count, entries: UnsafePointer(entries), waiting: waiting,
            roots: roots, runners: runners, activeNodes: nodes)
    }
}

/// Gives the calling thread a real-time priority; returns whether the user may have it.
func becomeRealtime(priority: Int32) -> Bool {
    var parameters = sched_param(sched_priority: priority)
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
}

/// Returns the value below which a share of the values are.
func quantile(_ share: Double, _ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[Int(share * Double(values.count - 1))]
}

func median(_ values: [Double]) -> Double { quantile(0.5, values) }

let cycleCount = 2_000
let board = UnsafeMutablePointer<TaskBoard>.allocate(capacity: 1)
board.initialize(to: TaskBoard())
var transport = RTTransport()
var event = RTEvent()

// The frequency of the cycle counter.
let first = (ticks: rt_ticks(), nanoseconds: rt_nanoseconds())
usleep(200_000)
let ticksPerNanosecond =
    Double(rt_ticks() - first.ticks) / Double(rt_nanoseconds() - first.nanoseconds)

/// The period of 64 frames at 48 kHz.
let periodTicks = UInt64(1_333_333 * ticksPerNanosecond)

/// Returns the time from one tick to another one, in ns; negative if the second one is earlier.
func nanoseconds(_ from: UInt64, _ to: UInt64) -> Double {
    Double(Int64(bitPattern: to &- from)) / ticksPerNanosecond
}

/// Sleeps until a time of the cycle counter, as the thread of a JACK client does.
func sleep(untilTicks ticks: UInt64) {
    let rest = nanoseconds(rt_ticks(), ticks)
    guard rest > 0 else { return }
    var pause = timespec(tv_sec: 0, tv_nsec: Int(rest))
    nanosleep(&pause, nil)
}

/// Plays a cycle after a pause in which the worker falls asleep.
///
/// - Parameters:
///   - tasks: The tasks.
///   - workers: The number of workers to use, at most 1.
///   - call: The time at which the worker expects the cycle, in ticks; `nil` if it expects none.
/// - Returns: The times of the begin and the end, in ticks.
func play(
    _ tasks: TimedTasks, workers: Int, at call: UInt64? = nil
) -> (begin: UInt64, end: UInt64) {
    if let call { sleep(untilTicks: call) } else { usleep(300) }
    return withUnsafePointer(to: &transport) { transport -> (begin: UInt64, end: UInt64) in
        withUnsafePointer(to: &event) { event -> (begin: UInt64, end: UInt64) in
            var cycle = RTCycle(
                frameCount: 64, events: event, messages: nil, sinks: nil,
                transport: transport, runner: 0)
            let begin = rt_ticks()
            if call != nil {
                board.pointee.expectCall(
                    after: begin, periodTicks: periodTicks,
                    ticksPerMillisecond: UInt64(ticksPerNanosecond * 1e6))
            }
            board.pointee.run(
                tasks.table, &cycle, workers: workers,
                patienceTicks: UInt64(300_000 * ticksPerNanosecond))
            return (begin, rt_ticks())
        }
    }
}

var thread = pthread_t()
pthread_create(
    &thread, nil,
    { argument in
        guard let argument else { return nil }
        _ = becomeRealtime(priority: 10)
        argument.assumingMemoryBound(to: TaskBoard.self).pointee.work(runner: 1)
        return nil
    }, board)
let isRealtime = becomeRealtime(priority: 11)
usleep(10_000)

// Two tasks: the callback wakes the worker for one of them, and the other one lasts until that has
// begun.
let pair = TimedTasks([[], []])
pair.timers[0].lastsTicks = UInt64(100_000 * ticksPerNanosecond)
var alone: [Double] = []
var waking: [Double] = []
var delays: [Double] = []
for _ in 0..<cycleCount {
    let (withoutWorker, _) = play(pair, workers: 0)
    alone.append(nanoseconds(withoutWorker, pair.timers[0].beganTicks))
    let (begin, _) = play(pair, workers: 1)
    guard pair.timers[0].runner == 0, pair.timers[1].runner == 1 else { continue }
    waking.append(nanoseconds(begin, pair.timers[0].beganTicks))
    delays.append(nanoseconds(pair.timers[0].beganTicks, pair.timers[1].beganTicks))
}

// The same with a worker that wakes up by itself before each cycle.
var awaiting: [Double] = []
var early: [Double] = []
var call = rt_ticks() &+ periodTicks
for _ in 0..<cycleCount {
    let (begin, _) = play(pair, workers: 1, at: call)
    call += periodTicks
    guard pair.timers[0].runner == 0, pair.timers[1].runner == 1 else { continue }
    awaiting.append(nanoseconds(begin, pair.timers[0].beganTicks))
    early.append(nanoseconds(pair.timers[0].beganTicks, pair.timers[1].beganTicks))
}
board.pointee.expectCall(after: 0, periodTicks: 0, ticksPerMillisecond: 1)

// Tasks that do nothing, with and without the board.
let many = TimedTasks([[Int32]](repeating: [], count: 64))
var onBoard: [Double] = []
var inLoop: [Double] = []
for _ in 0..<cycleCount {
    let (begin, end) = play(many, workers: 0)
    onBoard.append(nanoseconds(begin, end) / 64)
    withUnsafePointer(to: &transport) { transport in
        withUnsafePointer(to: &event) { event in
            var cycle = RTCycle(
                frameCount: 64, events: event, messages: nil, sinks: nil,
                transport: transport, runner: 0)
            let begin = rt_ticks()
            ScheduleEntry.run(many.table.entries, 0..<64, &cycle)
            inLoop.append(nanoseconds(begin, rt_ticks()) / 64)
        }
    }
}

// A worker that was woken for the second task looks for more when the first one ends, which two
// others wait for.
let fork = TimedTasks([[2, 3], [], [], []])
let longTicks = UInt64(100_000 * ticksPerNanosecond)
fork.timers[0].lastsTicks = longTicks
// The callback does not take both.
fork.timers[2].lastsTicks = longTicks / 5
fork.timers[3].lastsTicks = longTicks / 5
var handOvers: [Double] = []
for _ in 0..<cycleCount {
    _ = play(fork, workers: 1)
    guard fork.timers[0].runner == 0 else { continue }
    for task in 2...3 where fork.timers[task].runner == 1 {
        let end = fork.timers[0].beganTicks &+ longTicks
        handOvers.append(nanoseconds(end, fork.timers[task].beganTicks))
    }
}

board.pointee.end()
pthread_join(thread, nil)

func line(_ name: String, _ nanoseconds: Double, _ count: Int) {
    let text = nanoseconds.isNaN ? "not measured" : "\(Int(nanoseconds.rounded())) ns"
    print("\(name): \(text), the median of \(count)")
}
print("with\(isRealtime ? "" : "out") real-time priority")
line("to wake one worker", median(waking) - median(alone), waking.count)
line("until the worker runs", median(delays), delays.count)
line(
    "to begin with a worker that woke up by itself", median(awaiting) - median(alone),
    awaiting.count)
line("until such a worker runs", median(early), early.count)
let most = (quantile(0.95, awaiting) - median(alone), quantile(0.95, early))
print("95 of 100 times: \(Int(most.0)) ns and \(Int(most.1)) ns")
line("additional time of each task", median(onBoard) - median(inLoop), onBoard.count)
line("hand-over to a worker that is awake", median(handOvers), handOvers.count)
