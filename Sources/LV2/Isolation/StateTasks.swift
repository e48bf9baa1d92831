internal import CRealtime
internal import Processing
internal import Synchronization

/// The tasks that save and restore an isolated plugin's state, on request and at intervals.
///
/// Only the guardian's thread uses it, except for `add`, which any thread may call.
final class StateTasks: @unchecked Sendable {
    // SAFETY: tasks cross threads under the lock; only the guardian's thread uses the rest.

    /// The interval between saves of the state, in nanoseconds, if the plugin answers quickly.
    private static let intervalNanoseconds: UInt64 = 2_000_000_000
    /// The pause before the next save, as a multiple of the time that the answer took.
    private static let restFactor: UInt64 = 50
    private static let timeoutNanoseconds: UInt64 = 10_000_000_000

    private struct Present {
        let task: StateTask
        /// Whether this object started the task, because an interval had ended.
        let isOwn: Bool
        let ticket: UInt32
        let startNanoseconds: UInt64
    }

    private let waiting = Mutex<(tasks: [StateTask], isClosed: Bool)>(([], false))
    private let incidents: IncidentLog
    /// The last state that the plugin reported; `nil` before the first one.
    private(set) var latest: String?
    private var present: Present?
    private var nextSaveNanoseconds: UInt64
    /// Whether the state is saved at intervals without a request.
    private var savesByItself: Bool
    /// Whether the process has not returned from a task in time.
    private var isStuck = false

    /// Starts without a task.
    ///
    /// - Parameters:
    ///   - isKeeping: `true` to save the state at intervals without a request.
    ///   - incidents: The log that receives an entry if the state cannot be kept.
    init(isKeeping: Bool, _ incidents: IncidentLog) {
        savesByItself = isKeeping
        self.incidents = incidents
        nextSaveNanoseconds = rt_nanoseconds() + Self.intervalNanoseconds / 2
    }

    /// Adds a task, which fails at once if the plugin has ended.
    func add(_ task: StateTask) {
        let isClosed = waiting.withLock { waiting in
            if !waiting.isClosed { waiting.tasks.append(task) }
            return waiting.isClosed
        }
        if isClosed { task.finish(.failure(PluginError("its process has ended"))) }
    }

    /// Fails all current and later tasks.
    func close() {
        failPresent("its process has ended")
        let tasks = waiting.withLock { waiting in
            waiting.isClosed = true
            defer { waiting.tasks = [] }
            return waiting.tasks
        }
        for task in tasks { task.finish(.failure(PluginError("its process has ended"))) }
    }

    /// Whether the process is carrying out a task.
    var isBusy: Bool { present != nil }

    /// Checks the current task, or starts the next one.
    func attend(to process: HostProcess) {
        let now = rt_nanoseconds()
        if let present { return look(at: present, process, now) }
        let next = waiting.withLock { $0.tasks.isEmpty ? nil : $0.tasks.removeFirst() }
        if let next {
            begin(next, isOwn: false, process, now)
        } else if savesByItself, !isStuck, process.keepsState, now >= nextSaveNanoseconds {
            begin(StateTask(.save), isOwn: true, process, now)
        }
    }

    /// Fails the current task of a process that has ended.
    func leave(_ process: HostProcess) {
        // If saving makes a plugin end its process, it must not be asked to save at intervals.
        if process.activeCode.contains(CrashMark.PluginCall.save.text) {
            giveUp("saving its state ends its process")
        }
        failPresent("its process has ended")
        isStuck = false
        nextSaveNanoseconds = rt_nanoseconds() + Self.intervalNanoseconds
    }

    /// Discards a state with which no process could be started.
    func forget() { latest = nil }

    private func begin(_ task: StateTask, isOwn: Bool, _ process: HostProcess, _ now: UInt64) {
        guard !isStuck else {
            return task.finish(
                .failure(PluginError("it does not return from saving or restoring its state")))
        }
        guard let ticket = process.ask(task.order, task.text) else {
            return task.finish(
                .failure(PluginError("the state cannot be sent to its process")))
        }
        present = Present(task: task, isOwn: isOwn, ticket: ticket, startNanoseconds: now)
    }

    /// Completes the current task if the process has answered; fails it after a time limit.
    private func look(at present: Present, _ process: HostProcess, _ now: UInt64) {
        let tookNanoseconds = now - present.startNanoseconds
        guard let answer = process.answer(to: present.ticket) else {
            if tookNanoseconds > Self.timeoutNanoseconds {
                isStuck = true
                failPresent("it has not answered within 10 s")
            }
            return
        }
        self.present = nil
        let rest = max(Self.intervalNanoseconds, tookNanoseconds * Self.restFactor)
        // A restored state is read back soon.
        nextSaveNanoseconds = present.task.order == .save ? now + rest : now
        if present.task.order == .save, case .success(let text) = answer { latest = text }
        if present.isOwn, case .failure(let error) = answer { giveUp(error.message) }
        present.task.finish(answer)
    }

    private func failPresent(_ reason: String) {
        if present?.isOwn == true, isStuck { giveUp(reason) }
        present?.task.finish(.failure(PluginError(reason)))
        present = nil
    }

    /// Stops saving at intervals, and reports the reason.
    private func giveUp(_ reason: String) {
        if savesByItself { incidents.add(.stateNotKept(reason: reason)) }
        savesByItself = false
    }
}
