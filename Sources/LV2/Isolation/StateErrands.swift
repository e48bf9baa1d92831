internal import CRealtime
internal import Processing
internal import Synchronization

/// The tasks that save and restore an isolated plugin's state, on request and at intervals.
///
/// Only the guardian's thread uses it, except for `add`, which any thread may call.
final class StateErrands: @unchecked Sendable {
    // SAFETY: tasks cross threads under the lock; only the guardian's thread uses the rest.

    /// The interval between saves of the state, in nanoseconds, if the plugin answers quickly.
    private static let intervalNanoseconds: UInt64 = 2_000_000_000
    /// The pause before the next save, as a multiple of the time that the answer took.
    private static let restFactor: UInt64 = 50
    private static let patienceNanoseconds: UInt64 = 10_000_000_000

    private struct Present {
        let errand: StateErrand
        /// Whether this object itself started the task, because an interval was over.
        let isOwn: Bool
        let ticket: UInt32
        let startNanoseconds: UInt64
    }

    private let waiting = Mutex<(errands: [StateErrand], isClosed: Bool)>(([], false))
    private let incidents: IncidentLog
    /// The last state that the plugin reported; `nil` before the first.
    private(set) var latest: String?
    private var present: Present?
    private var nextSaveNanoseconds: UInt64
    /// Whether the state is saved at intervals without a request.
    private var savesByItself: Bool
    /// Whether the process does not return from a task.
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
    func add(_ errand: StateErrand) {
        let isClosed = waiting.withLock { waiting in
            if !waiting.isClosed { waiting.errands.append(errand) }
            return waiting.isClosed
        }
        if isClosed { errand.finish(.failure(PluginFault("its process has ended"))) }
    }

    /// Fails all current and later tasks.
    func close() {
        failPresent("its process has ended")
        let errands = waiting.withLock { waiting in
            waiting.isClosed = true
            defer { waiting.errands = [] }
            return waiting.errands
        }
        for errand in errands { errand.finish(.failure(PluginFault("its process has ended"))) }
    }

    /// Whether the process is carrying out a task.
    var isBusy: Bool { present != nil }

    /// Checks the current task, or starts the next one.
    func attend(to process: HostProcess) {
        let now = rt_nanoseconds()
        if let present { return look(at: present, process, now) }
        let next = waiting.withLock { $0.errands.isEmpty ? nil : $0.errands.removeFirst() }
        if let next {
            begin(next, isOwn: false, process, now)
        } else if savesByItself, !isStuck, process.keepsState, now >= nextSaveNanoseconds {
            begin(StateErrand(.save), isOwn: true, process, now)
        }
    }

    /// Fails the current task of a process that has ended.
    func leave(_ process: HostProcess) {
        // If saving makes a plugin end its process, it must not be asked to save at intervals.
        if process.place.contains(CrashMark.Place.save.text) {
            giveUp("saving its state ends its process")
        }
        failPresent("its process has ended")
        isStuck = false
        nextSaveNanoseconds = rt_nanoseconds() + Self.intervalNanoseconds
    }

    /// Discards a state with which no process could be started.
    func forget() { latest = nil }

    private func begin(_ errand: StateErrand, isOwn: Bool, _ process: HostProcess, _ now: UInt64) {
        guard !isStuck else {
            return errand.finish(
                .failure(PluginFault("it does not return from saving or restoring its state")))
        }
        guard let ticket = process.ask(errand.order, errand.text) else {
            return errand.finish(
                .failure(PluginFault("the state cannot be sent to its process")))
        }
        present = Present(errand: errand, isOwn: isOwn, ticket: ticket, startNanoseconds: now)
    }

    private func look(at present: Present, _ process: HostProcess, _ now: UInt64) {
        let tookNanoseconds = now - present.startNanoseconds
        guard let answer = process.answer(to: present.ticket) else {
            if tookNanoseconds > Self.patienceNanoseconds {
                isStuck = true
                failPresent("it has not answered within 10 s")
            }
            return
        }
        self.present = nil
        let rest = max(Self.intervalNanoseconds, tookNanoseconds * Self.restFactor)
        // A restored state is read back soon.
        nextSaveNanoseconds = present.errand.order == .save ? now + rest : now
        if present.errand.order == .save, case .success(let text) = answer { latest = text }
        if present.isOwn, case .failure(let fault) = answer { giveUp(fault.message) }
        present.errand.finish(answer)
    }

    private func failPresent(_ reason: String) {
        if present?.isOwn == true, isStuck { giveUp(reason) }
        present?.errand.finish(.failure(PluginFault(reason)))
        present = nil
    }

    private func giveUp(_ reason: String) {
        if savesByItself { incidents.add(.stateNotKept(reason: reason)) }
        savesByItself = false
    }
}
