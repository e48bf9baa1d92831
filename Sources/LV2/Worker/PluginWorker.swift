internal import CLilv
internal import CRealtime
internal import Glibc
internal import Realtime
internal import Synchronization
internal import Platform

/// The worker of one plugin instance, for work that would block the audio thread.
///
/// An example is the loading of a file. In a live session, each instance has its own thread, so
/// that a slow worker does not delay others. Offline, the work is done at the end of the run that
/// requested it, so that each render is the same. The worker outlives the instance.
final class PluginWorker: @unchecked Sendable {
    // SAFETY: threads share only the core, under its own rules; the rest is used while no worker
    // thread runs.

    /// The longest wait for the worker to finish when the plugin ends, in seconds.
    private static let timeoutSeconds: Int32 = 1

    /// The data of the feature `work:schedule`.
    let schedule = Buffer(
        count: 1, repeating: LV2_Worker_Schedule(handle: nil, schedule_work: scheduleWork))
    /// The same for restoring a state, because some plugins reserve the other for the audio thread.
    let restoreSchedule = Buffer(
        count: 1, repeating: LV2_Worker_Schedule(handle: nil, schedule_work: scheduleWork))
    /// The data that the audio thread uses; `nil` if the plugin does no work.
    private(set) var core: UnsafeMutablePointer<WorkerCore>?
    private var coreMemory: Buffer<WorkerCore>?
    private let wakeup = Semaphore()
    private let lock = Buffer(count: 1, repeating: pthread_mutex_t())
    private var thread: OwnThread?
    private let isEnding = Atomic<Bool>(false)

    init() { pthread_mutex_init(lock.start, nil) }

    deinit { pthread_mutex_destroy(lock.start) }

    /// Finds the instance's worker interface, if any; must be called before the first run.
    func connect(
        _ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle, _ mark: CrashMark,
        _ exit: ExitRecord
    ) {
        guard
            let found = descriptor.pointee.extension_data?(Namespace.worker("interface")),
            case let interface = found.assumingMemoryBound(to: LV2_Worker_Interface.self).pointee,
            let work = interface.work
        else { return }
        let calls = PluginWork(
            handle: handle, work: work, respond: interface.work_response, end: interface.end_run,
            lock: lock.start, record: exit.record)
        let made = WorkerCore.make(calls, mark: mark, wakeup: wakeup.signaller)
        core = made.start
        schedule[0].handle = UnsafeMutableRawPointer(made.start)
        restoreSchedule[0].handle = UnsafeMutableRawPointer(made.start)
        coreMemory = consume made
    }

    /// Starts the worker thread.
    ///
    /// If that fails, runs continue to do the work themselves.
    func start() {
        guard let core, thread == nil else { return }
        thread = OwnThread(name: "plugin worker") { self.workUntilEnd() }
        guard thread != nil else { return }
        core.pointee.isThreaded.store(true, ordering: .releasing)
        // Runs before the thread's start may have left work.
        wakeup.signal()
    }

    /// Ends the thread after its current piece of work; the plugin must no longer run.
    ///
    /// - Returns: Whether the thread ended. Otherwise it continues, and all data that the plugin
    ///   uses must be kept.
    func end() -> Bool {
        guard let thread else { return true }
        isEnding.store(true, ordering: .releasing)
        wakeup.signal()
        return thread.join(withinSeconds: Self.timeoutSeconds)
    }

    /// The body of the worker thread.
    private func workUntilEnd() {
        while true {
            wakeup.wait()
            if isEnding.load(ordering: .acquiring) { return }
            _ = core?.pointee.doPendingWork()
        }
    }
}

/// LV2's `schedule_work`: queues work from the plugin's run, and does other work at once.
private func scheduleWork(
    core: UnsafeMutableRawPointer?, byteCount: UInt32, data: UnsafeRawPointer?
) -> LV2_Worker_Status {
    guard let core = core?.assumingMemoryBound(to: WorkerCore.self) else {
        return LV2_WORKER_ERR_UNKNOWN
    }
    return core.pointee.isRunningHere
        ? core.pointee.ask(data, byteCount: byteCount)
        : core.pointee.workNow(data, byteCount: byteCount)
}
