internal import CLilv
internal import Synchronization

/// What the audio thread and the worker of a plugin share: work on its way there, and responses on their way back.
struct WorkerCore: ~Copyable {
    // SAFETY: the audio thread alone writes requests and reads responses; responses are written with the work's lock
    // held. Requests are read by the worker thread, or where there is none by the thread that runs the plugin.

    /// Bytes of a ring; a message may have a little less.
    static let ringBytes = 1 << 14
    /// How often work that responses ask for is done in one run that is not live.
    private static var mostRounds: Int { @_noLocks get { 16 } }

    private let calls: PluginWork
    private let mark: CrashMark
    private let requests = MessageRing(capacity: ringBytes)
    private let responses = MessageRing(capacity: ringBytes)
    /// What the worker thread waits for.
    private let wakeup: UnsafeMutablePointer<sem_t>
    /// Where this is, for the plugin to respond to.
    private let place: UnsafeMutableRawPointer
    /// Whether a thread does the work; otherwise each run does it at its end.
    let isThreaded = Atomic<Bool>(false)
    /// The thread that is in the plugin's run; 0 outside of it.
    private let runningThread = Atomic<UInt>(0)
    /// The thread that does the plugin's work; 0 while none does.
    private let workingThread = Atomic<UInt>(0)
    /// Whether the present run asked for work.
    private let isAsked = Atomic<Bool>(false)
    /// Whether responses may lie here that came before the first run.
    private let hasEarlyResponses = Atomic<Bool>(false)

    /// - Parameters:
    ///   - calls: The plugin's part.
    ///   - mark: Where it is noted that the plugin works.
    ///   - wakeup: What the worker thread waits for.
    ///   - place: Where this is.
    init(
        _ calls: PluginWork, mark: CrashMark, wakeup: UnsafeMutablePointer<sem_t>,
        place: UnsafeMutableRawPointer
    ) {
        self.calls = calls
        self.mark = mark
        self.wakeup = wakeup
        self.place = place
    }

    deinit {
        requests.deallocate()
        responses.deallocate()
    }

    // MARK: On the thread that runs the plugin

    /// Before each run.
    @_noLocks
    func beginRun() {
        runningThread.store(plugin_thread(), ordering: .relaxed)
        guard hasEarlyResponses.load(ordering: .acquiring) else { return }
        hasEarlyResponses.store(false, ordering: .relaxed)
        _ = deliver()
    }

    /// After each run: delivers what the worker answered, and wakes it where there is work.
    ///
    /// As in other hosts, responses come after the run: plugins may append to the events that they just put out.
    ///
    /// - Returns: Whether work was asked for or answered.
    @_noLocks
    func endRun() -> Bool {
        var isBusy = false
        if isThreaded.load(ordering: .acquiring) {
            isBusy = deliver()
        } else {
            for _ in 0..<Self.mostRounds where workOff() { _ = deliver() }
        }
        if isAsked.load(ordering: .relaxed) {
            isBusy = true
            isAsked.store(false, ordering: .relaxed)
            if isThreaded.load(ordering: .relaxed) { plugin_wake(wakeup) }
        }
        plugin_end_run(calls)
        runningThread.store(0, ordering: .relaxed)
        return isBusy
    }

    /// Whether this thread is in the plugin's run.
    var isRunningHere: Bool {
        @_noLocks get { runningThread.load(ordering: .relaxed) == plugin_thread() }
    }

    /// Takes a request that comes from within the run.
    @_noLocks
    func ask(_ data: UnsafeRawPointer?, byteCount: UInt32) -> LV2_Worker_Status {
        isAsked.store(true, ordering: .relaxed)
        return requests.write(data, byteCount: byteCount)
            ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
    }

    @_noLocks
    private func deliver() -> Bool {
        var isAny = false
        while let response = responses.read() {
            plugin_respond(calls, response.byteCount, response.data)
            isAny = true
        }
        return isAny
    }

    // MARK: Where the work is done

    /// Does all work that was asked for in runs.
    ///
    /// - Returns: Whether there was any.
    @_noLocks
    func workOff() -> Bool {
        var isAny = false
        while let request = requests.read() {
            work(request.data, byteCount: request.byteCount)
            isAny = true
        }
        return isAny
    }

    /// Works at once, for a request from outside of the run; refused from within other work.
    func workNow(_ data: UnsafeRawPointer?, byteCount: UInt32) -> LV2_Worker_Status {
        guard workingThread.load(ordering: .relaxed) != plugin_thread() else {
            return LV2_WORKER_ERR_UNKNOWN
        }
        work(data, byteCount: byteCount)
        if !isThreaded.load(ordering: .relaxed) {
            hasEarlyResponses.store(true, ordering: .releasing)
        }
        return LV2_WORKER_SUCCESS
    }

    /// Takes an answer of the plugin's work.
    @_noLocks
    func respond(_ data: UnsafeRawPointer?, byteCount: UInt32) -> LV2_Worker_Status {
        responses.write(data, byteCount: byteCount) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
    }

    @_noLocks
    private func work(_ data: UnsafeRawPointer?, byteCount: UInt32) {
        plugin_begin_work(calls)
        workingThread.store(plugin_thread(), ordering: .relaxed)
        mark.enterWork()
        plugin_work(calls, takePluginResponse, place, byteCount, data)
        mark.leaveWork()
        workingThread.store(0, ordering: .relaxed)
        plugin_end_work(calls)
    }
}

/// LV2's function by which a plugin's work answers.
@_noLocks
private func takePluginResponse(
    core: UnsafeMutableRawPointer?, byteCount: UInt32, data: UnsafeRawPointer?
) -> LV2_Worker_Status {
    guard let core else { return LV2_WORKER_ERR_UNKNOWN }
    // SAFETY: `work` hands out its own place, which outlives the work.
    return core.assumingMemoryBound(to: WorkerCore.self).pointee.respond(data, byteCount: byteCount)
}
