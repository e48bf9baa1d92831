internal import CLilv
internal import Glibc
internal import Synchronization
internal import Threads

/// The worker of one plugin instance: it does what must not be done on the audio thread, such as loading a file.
///
/// Live, each instance has a thread of its own, so that no slow worker holds up another's. Elsewhere the work is done
/// at the end of the run that asked for it, so that every render is the same. It outlives the instance.
final class PluginWorker: @unchecked Sendable {
    // SAFETY: threads meet in the core alone, as that says; the rest is used while no thread runs.

    /// How long the end of a plugin waits for its work to end.
    private static let patienceSeconds: Int32 = 1

    /// What the feature `work:schedule` points to.
    let schedule: UnsafeMutablePointer<LV2_Worker_Schedule>
    /// The same for where a state is restored: some plugins take the other for one of the audio thread's alone.
    let restoreSchedule: UnsafeMutablePointer<LV2_Worker_Schedule>
    /// What the audio thread acts on; nil where the plugin does no work.
    private(set) var core: UnsafeMutablePointer<WorkerCore>?
    private let wakeup: UnsafeMutablePointer<sem_t>
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var thread: OwnThread?
    private let isEnding = Atomic<Bool>(false)

    init() {
        wakeup = .allocate(capacity: 1)
        sem_init(wakeup, 0, 0)
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        schedule = .allocate(capacity: 1)
        restoreSchedule = .allocate(capacity: 1)
        for place in [schedule, restoreSchedule] {
            place.initialize(to: LV2_Worker_Schedule(handle: nil, schedule_work: scheduleWork))
        }
    }

    deinit {
        core?.deinitialize(count: 1)
        core?.deallocate()
        schedule.deallocate()
        restoreSchedule.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
        sem_destroy(wakeup)
        wakeup.deallocate()
    }

    /// Finds the instance's own part of the worker, if it has one; before its first run.
    func connect(
        _ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle, _ mark: CrashMark
    ) {
        guard
            let found = descriptor.pointee.extension_data?(Namespace.worker("interface")),
            case let interface = found.assumingMemoryBound(to: LV2_Worker_Interface.self).pointee,
            let work = interface.work
        else { return }
        let core = UnsafeMutablePointer<WorkerCore>.allocate(capacity: 1)
        let calls = PluginWork(
            handle: handle, work: work, respond: interface.work_response, end: interface.end_run,
            lock: lock)
        core.initialize(
            to: WorkerCore(
                calls, mark: mark, wakeup: wakeup, place: UnsafeMutableRawPointer(core)))
        self.core = core
        for place in [schedule, restoreSchedule] {
            place.pointee.handle = UnsafeMutableRawPointer(core)
        }
    }

    /// Starts the thread that works from here on; without one, runs go on doing the work themselves.
    func start() {
        guard let core, thread == nil else { return }
        thread = OwnThread(name: "plugin worker") { self.workUntilEnd() }
        guard thread != nil else { return }
        core.pointee.isThreaded.store(true, ordering: .releasing)
        // Runs before the thread may have left work.
        sem_post(wakeup)
    }

    /// Ends the thread once its present work is done; the plugin no longer runs.
    ///
    /// - Returns: Whether it ended. Otherwise it is left to its work, and all that the plugin uses must stay.
    func end() -> Bool {
        guard let thread else { return true }
        isEnding.store(true, ordering: .releasing)
        sem_post(wakeup)
        return thread.join(withinSeconds: Self.patienceSeconds)
    }

    /// The thread's life.
    private func workUntilEnd() {
        while true {
            while sem_wait(wakeup) != 0 {}
            if isEnding.load(ordering: .acquiring) { return }
            _ = core?.pointee.workOff()
        }
    }
}

/// LV2's `schedule_work`: queues work from within the plugin's run, and does any other at once.
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
