internal import CRealtime
internal import Processing
internal import Synchronization

/// Sees to it that a plugin in a process of its own keeps its state: asks for it at intervals, and carries out errands of others.
///
/// All but `add` and `close` is the guardian's thread's.
final class StateErrands: @unchecked Sendable {
    // SAFETY: errands cross threads under the lock; all else is the guardian's thread's alone.

    /// How often the state is asked for, in nanoseconds, where that is quickly done.
    private static let intervalNanoseconds: UInt64 = 2_000_000_000
    /// How many times as long as an answer took the next question waits.
    private static let restFactor: UInt64 = 50
    private static let patienceNanoseconds: UInt64 = 10_000_000_000

    private struct Present {
        let errand: StateErrand
        /// Whether nobody else asked for it.
        let isOwn: Bool
        let ticket: UInt32
        let startNanoseconds: UInt64
    }

    private let waiting = Mutex<(errands: [StateErrand], isClosed: Bool)>(([], false))
    private let incidents: IncidentLog
    /// The state that the plugin told last; nil before the first.
    private(set) var latest: String?
    private var present: Present?
    private var nextSaveNanoseconds: UInt64
    /// Whether the state is asked for at intervals, without anybody's wish.
    private var savesByItself: Bool
    /// Whether the process does not come back from an errand.
    private var isStuck = false

    /// - Parameters:
    ///   - isKeeping: Whether the state is asked for at intervals, without anybody's wish.
    ///   - incidents: Where it is told that a state cannot be kept.
    init(isKeeping: Bool, _ incidents: IncidentLog) {
        savesByItself = isKeeping
        self.incidents = incidents
        nextSaveNanoseconds = rt_nanoseconds() + Self.intervalNanoseconds / 2
    }

    /// Adds an errand, which fails at once where the plugin has ended.
    func add(_ errand: StateErrand) {
        let isClosed = waiting.withLock { waiting in
            if !waiting.isClosed { waiting.errands.append(errand) }
            return waiting.isClosed
        }
        if isClosed { errand.finish(.failure(PluginFault("its process is gone"))) }
    }

    /// Fails all errands from here on.
    func close() {
        failPresent("its process is gone")
        let errands = waiting.withLock { waiting in
            waiting.isClosed = true
            defer { waiting.errands = [] }
            return waiting.errands
        }
        for errand in errands { errand.finish(.failure(PluginFault("its process is gone"))) }
    }

    /// Whether a process is at an errand.
    var isBusy: Bool { present != nil }

    /// Sees what has come of the present errand, or begins the next.
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

    /// Gives up what a process that is gone was asked.
    func leave(_ process: HostProcess) {
        // A plugin that ends its process when it is asked shall not be asked for nothing.
        if process.place.contains(CrashMark.Place.save.text) {
            giveUp("it ends its process when it is saved")
        }
        failPresent("its process has ended")
        isStuck = false
        nextSaveNanoseconds = rt_nanoseconds() + Self.intervalNanoseconds
    }

    /// Forgets a state with which no process could be started.
    func forget() { latest = nil }

    private func begin(_ errand: StateErrand, isOwn: Bool, _ process: HostProcess, _ now: UInt64) {
        guard !isStuck else {
            return errand.finish(.failure(PluginFault("it does not come back from its state")))
        }
        guard let ticket = process.ask(errand.order, errand.text) else {
            return errand.finish(.failure(PluginFault("the state does not reach its process")))
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
        // What was restored is asked for soon.
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
