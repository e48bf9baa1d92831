internal import CLilv
internal import Platform
internal import Realtime
internal import Synchronization

/// The data that a plugin's audio thread and worker share: queues of requests and responses.
struct WorkerCore: ~Copyable {
    // SAFETY: only the audio thread writes requests and reads responses. Responses are written
    // while the work's lock is held. Requests are read by the worker thread, or, without such a
    // thread, by the thread that runs the plugin.

    /// Bytes of a ring; a message may be slightly shorter.
    static let ringBytes = 1 << 14
    /// The maximum number of rounds of work and responses in one offline run.
    private static var maximumRounds: Int { @_noLocks get { 16 } }

    private let calls: PluginWork
    private let mark: CrashMark
    private let requests = MessageQueue(capacity: ringBytes)
    private let responses = MessageQueue(capacity: ringBytes)
    /// Wakes the worker thread.
    private let wakeup: Semaphore.Signaller
    /// The address of this value, which the plugin passes back with its responses.
    private var address: UnsafeMutableRawPointer?
    /// Whether a thread does the work; otherwise each run does it at its end.
    let isThreaded = Atomic<Bool>(false)
    /// The thread that is in the plugin's run; 0 outside a run.
    private let runningThread = Atomic<UInt>(0)
    /// The thread that does the plugin's work; 0 if no work is being done.
    private let workingThread = Atomic<UInt>(0)
    /// Whether the current run requested work.
    private let isRequested = Atomic<Bool>(false)
    /// Whether the queue may contain responses from before the first run.
    private let hasEarlyResponses = Atomic<Bool>(false)

    /// Creates empty queues at a fixed address.
    ///
    /// - Parameters:
    ///   - calls: The plugin's functions.
    ///   - mark: The mark that records when the plugin works.
    ///   - wakeup: Wakes the worker thread.
    /// - Returns: A buffer with the queues as its only element.
    static func make(
        _ calls: PluginWork, mark: CrashMark, wakeup: Semaphore.Signaller
    ) -> Buffer<WorkerCore> {
        let core = Buffer(count: 1) { _ in WorkerCore(calls, mark: mark, wakeup: wakeup) }
        core.start.pointee.address = UnsafeMutableRawPointer(core.start)
        return core
    }

    private init(_ calls: PluginWork, mark: CrashMark, wakeup: Semaphore.Signaller) {
        self.calls = calls
        self.mark = mark
        self.wakeup = wakeup
    }

    // MARK: On the thread that runs the plugin

    /// Prepares a run, and delivers early responses.
    @_noLocks
    func beginRun() {
        runningThread.store(plugin_thread(), ordering: .relaxed)
        guard hasEarlyResponses.load(ordering: .acquiring) else { return }
        hasEarlyResponses.store(false, ordering: .relaxed)
        _ = deliver()
    }

    /// Ends a run: delivers the worker's responses, and wakes the worker if there is work.
    ///
    /// Like other hosts, it delivers responses after the run, when plugins may append to the events
    /// that they have just written.
    ///
    /// - Returns: Whether work was requested or answered.
    @_noLocks
    func endRun() -> Bool {
        var isBusy = false
        if isThreaded.load(ordering: .acquiring) {
            isBusy = deliver()
        } else {
            for _ in 0..<Self.maximumRounds where doPendingWork() { _ = deliver() }
        }
        if isRequested.load(ordering: .relaxed) {
            isBusy = true
            isRequested.store(false, ordering: .relaxed)
            if isThreaded.load(ordering: .relaxed) { wakeup.signal() }
        }
        plugin_end_run(calls)
        runningThread.store(0, ordering: .relaxed)
        return isBusy
    }

    /// Whether the current thread is in the plugin's run.
    var isRunningHere: Bool {
        @_noLocks get { runningThread.load(ordering: .relaxed) == plugin_thread() }
    }

    /// Queues a request from the plugin's run; fails if there is no room.
    @_noLocks
    func ask(_ data: UnsafeRawPointer?, byteCount: UInt32) -> LV2_Worker_Status {
        isRequested.store(true, ordering: .relaxed)
        return requests.ring.write(data, byteCount: byteCount)
            ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
    }

    @_noLocks
    private func deliver() -> Bool {
        var isAny = false
        while let response = responses.ring.read() {
            plugin_respond(calls, response.byteCount, response.data)
            isAny = true
        }
        return isAny
    }

    // MARK: On the thread that does the work

    /// Does all work that runs have requested.
    ///
    /// - Returns: Whether there was any work.
    @_noLocks
    func doPendingWork() -> Bool {
        var isAny = false
        while let request = requests.ring.read() {
            work(request.data, byteCount: request.byteCount)
            isAny = true
        }
        return isAny
    }

    /// Does work at once, for a request from outside a run; refuses requests from other work.
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

    /// Queues a response from the plugin's work; fails if there is no room.
    @_noLocks
    func respond(_ data: UnsafeRawPointer?, byteCount: UInt32) -> LV2_Worker_Status {
        responses.ring.write(data, byteCount: byteCount)
            ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
    }

    @_noLocks
    private func work(_ data: UnsafeRawPointer?, byteCount: UInt32) {
        plugin_begin_work(calls)
        workingThread.store(plugin_thread(), ordering: .relaxed)
        mark.enterWork()
        plugin_work(calls, receivePluginResponse, address, byteCount, data)
        mark.leaveWork()
        workingThread.store(0, ordering: .relaxed)
        plugin_end_work(calls)
    }
}

/// LV2's function for responses from a plugin's work.
@_noLocks
private func receivePluginResponse(
    core: UnsafeMutableRawPointer?, byteCount: UInt32, data: UnsafeRawPointer?
) -> LV2_Worker_Status {
    guard let core else { return LV2_WORKER_ERR_UNKNOWN }
    // SAFETY: `work` passes the address of this value, which outlives the work.
    return core.assumingMemoryBound(to: WorkerCore.self).pointee.respond(data, byteCount: byteCount)
}
