internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import Synchronization
internal import Platform

/// The thread that starts a plugin's process, detects its end or a hang, and restarts it.
final class PluginGuardian: @unchecked Sendable {
    // SAFETY: mutable data belongs to the thread, except for the outcome of the start, which is
    // read after `hasStarted` was signalled, and `isEnding`.

    /// The maximum number of restarts within a minute.
    private static let restartsAMinute = 3
    /// The longest time for the creation of a plugin, in seconds.
    private static let timeoutSeconds = 30.0

    private let program: String
    private let hostRequest: HostRequest
    private let size: PluginShare.Size
    private let memory: IsolatedMemory
    private let incidents: IncidentLog
    /// Receives the plugin if it hangs; `nil` if nobody asks for that.
    private let hungPlugins: HungPlugins?
    private let states: StateTasks
    /// The longest time that the process may make no progress, in seconds.
    private let hangSeconds: Double
    private let isEnding = Atomic<Bool>(false)
    private let ends: (read: Int32, write: Int32)
    private let hasStarted = Semaphore()
    private var thread: OwnThread?
    /// The memory that is shared with the first child.
    private var outcome: Result<UnsafeMutablePointer<PluginShare>, PluginError>
    private var process: HostProcess?
    /// The shared memory that the audio thread may use, of the current and earlier processes.
    private var sharesInUse: [ShareMemory] = []
    private var restarts: [UInt64] = []
    private var hasReportedWriting = false
    /// The folder for the plugin's files, which all its processes share one after another.
    private let scratch: PluginScratch?
    private var reportedCalls: Set<String> = []
    private var reportedFiles: Set<SandboxRefusals.File> = []
    private var hasReportedMissingRestrictions = false

    /// Starts the process and waits until its plugin is ready.
    ///
    /// - Throws: `PluginError` with the plugin's own reason, or if the process ends or needs more
    ///   than 30 seconds.
    init(
        _ program: String, _ hostRequest: HostRequest, _ size: PluginShare.Size,
        _ memory: IsolatedMemory,
        _ incidents: IncidentLog, _ hungPlugins: HungPlugins?
    ) throws(PluginError) {
        scratch = hostRequest.request.sandbox == .off ? nil : PluginScratch()
        var hostRequest = hostRequest
        hostRequest.sandbox = PluginSandbox(
            of: hostRequest.request, scratchFolder: scratch?.path ?? "")
        (self.program, self.hostRequest, self.size) = (program, hostRequest, size)
        (self.memory, self.incidents) = (memory, incidents)
        self.hungPlugins = hungPlugins
        // Offline, a process is never restarted.
        states = StateTasks(isKeeping: hostRequest.request.format.isLive, incidents)
        hangSeconds = hostRequest.request.format.isLive ? 0.5 : 10
        outcome = .failure(PluginError("its process was not started"))
        var files: [Int32] = [-1, -1]
        pipe(&files)
        for file in files {
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
        }
        ends = (files[0], files[1])
        guard let thread = OwnThread(name: "plugin guard", stack: .small, { self.run() }) else {
            throw PluginError("cannot start a thread for its process")
        }
        self.thread = thread
        hasStarted.wait()
        if case .failure(let error) = outcome {
            thread.join()
            throw error
        }
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// Asks the child to free its plugin and exit, and waits for its end.
    ///
    /// Must be called once, before this object is released.
    func stop() {
        isEnding.store(true, ordering: .relaxed)
        wake()
        thread?.join()
    }

    /// Asks the plugin's process to save or restore its state, and waits for the result.
    ///
    /// - Returns: The saved state; empty after a restore.
    /// - Throws: `PluginError` with the reason for the failure.
    func carryOut(_ order: StateRequest, _ text: String = "") throws(PluginError) -> String {
        let task = StateTask(order, text)
        states.add(task)
        wake()
        return try task.result()
    }

    private func wake() {
        var byte: UInt8 = 0
        write(ends.write, &byte, 1)
    }

    /// The memory that this process shares with the first child.
    var firstShare: UnsafeMutablePointer<PluginShare> {
        switch outcome {
        case .success(let share): share
        case .failure: preconditionFailure("a guardian is made with a process")
        }
    }

    // MARK: The thread

    private func run() {
        outcome = Result { () throws(PluginError) in
            let first = try launch(hostRequest.request.parameters)
            process = first
            return first.share
        }
        hasStarted.signal()
        guard process != nil else { return }
        var watch = HangWatch(seconds: hangSeconds)
        while !isEnding.load(ordering: .relaxed) {
            let isWatched = process.map { $0.ending >= 0 } ?? true
            let milliseconds: Int32 = isWatched && !states.isBusy ? 50 : 5
            PollWait.untilReadable(process?.ending ?? -1, ends.read, milliseconds: milliseconds)
            var bytes: (UInt64, UInt64) = (0, 0)
            read(ends.read, &bytes, 16)
            collect()
            guard let process else { continue }
            reportWriting(process)
            reportSandbox(process)
            states.attend(to: process)
            if process.hasEnded {
                lose(process)
                watch = HangWatch(seconds: hangSeconds)
            } else if process.hasDamagedMemory {
                lose(process, reason: HostProcess.damage + process.activeCode)
                watch = HangWatch(seconds: hangSeconds)
            } else if watch.hangs(process.share.pointee) {
                // In a live run, a busy machine can be the reason.
                if !hostRequest.request.format.isLive { hungPlugins?.add(hostRequest.uri) }
                let reason = "its process has not answered for \(hangSeconds) s"
                lose(process, reason: reason + process.activeCode)
                watch = HangWatch(seconds: hangSeconds)
            }
        }
        states.close()
        process?.leave()
        finish()
    }

    /// Starts a process and waits until its plugin is ready.
    private func launch(_ parameters: [Float]) throws(PluginError) -> HostProcess {
        var hostRequest = hostRequest
        hostRequest.request.parameters = parameters
        // The last attempt omits the state, in case the state itself ends the process.
        hostRequest.state = restarts.count < Self.restartsAMinute ? states.latest : nil
        let process = try HostProcess(program, hostRequest, size)
        let deadline = rt_nanoseconds() + UInt64(Self.timeoutSeconds * 1e9)
        while rt_nanoseconds() < deadline, !isEnding.load(ordering: .relaxed) {
            switch process.stage {
            case .ready:
                let format = hostRequest.request.format
                if format.isLive, let priority = format.realtimePriority {
                    process.raisePriority(priority)
                }
                sharesInUse.append(process.memory)
                return process
            case .refused: throw PluginError(process.reason + Self.hint(at: process.refusals))
            case .starting: break
            case nil: throw PluginError(HostProcess.damage + process.activeCode)
            }
            if process.hasEnded {
                throw PluginError((process.end ?? "") + Self.hint(at: process.refusals))
            }
            rt_wait_while(process.share.pointee.stage, 0, 10_000_000)
        }
        if !isEnding.load(ordering: .relaxed) { hungPlugins?.add(hostRequest.uri) }
        throw PluginError(
            "its process did not create the plugin within \(Int(Self.timeoutSeconds)) s"
                + process.activeCode)
    }

    /// Gives up a process, and starts another one while restarts are allowed.
    private func lose(_ lost: HostProcess, reason: String? = nil) {
        let isLive = hostRequest.request.format.isLive
        if isLive { lost.markAsLost() }
        // Offline, a run waits for the mark, and its caller then finds the incident.
        defer { if !isLive { lost.markAsLost() } }
        lost.kill()
        reportSandbox(lost)
        process = nil
        states.leave(lost)
        var reason = reason ?? lost.end ?? ""
        while !isEnding.load(ordering: .relaxed) {
            let now = rt_nanoseconds()
            restarts.removeAll { now - $0 > 60_000_000_000 }
            guard isLive, restarts.count < Self.restartsAMinute else {
                states.close()
                return incidents.add(.abandoned(reason: reason))
            }
            restarts.append(now)
            incidents.add(.lost(reason: reason))
            do throws(PluginError) {
                let new = try launch(memory.parameters)
                process = new
                collect()
                let unclaimed = memory.handover[0].incoming.exchange(
                    UInt(bitPattern: new.share), ordering: .acquiringAndReleasing)
                free(unclaimed)
                return incidents.add(.back)
            } catch {
                reason = error.message
                states.forget()
            }
        }
    }

    /// Returns a text with the calls and files that the sandbox refused, as a possible reason for
    /// the plugin's failure.
    private static func hint(at refusals: SandboxRefusals) -> String {
        let refused = refusals.calls + refusals.files.map { "to \($0.action.verb) \($0.path)" }
        guard !refused.isEmpty else { return "" }
        return "; its sandbox refused \(refused.joined(separator: ", ")) "
            + "(\"sandbox\": false allows it)"
    }

    /// Reports each refused call and each refused access to a file once.
    ///
    /// One process can record only a limited number of them. The reports stop at that number,
    /// because the plugin can write anything there.
    private func reportSandbox(_ process: HostProcess) {
        guard hostRequest.sandbox != nil else { return }
        if !hasReportedMissingRestrictions, let missing = process.missingRestrictions {
            hasReportedMissingRestrictions = true
            incidents.add(.sandboxIncomplete(reason: missing))
        }
        for call in process.refusals.calls
        where reportedCalls.count < SandboxRefusals.callCount && !reportedCalls.contains(call) {
            reportedCalls.insert(call)
            incidents.add(.callRefused(name: call))
        }
        for file in process.refusals.files
        where reportedFiles.count < SandboxRefusals.fileCount && !reportedFiles.contains(file) {
            reportedFiles.insert(file)
            incidents.add(.fileRefused(access: file.action.access, path: file.path))
        }
    }

    private func reportWriting(_ process: HostProcess) {
        guard !hasReportedWriting,
            process.share.pointee.wroteBeyond.pointee.load(ordering: .relaxed) != 0
        else { return }
        hasReportedWriting = true
        incidents.add(.wroteBeyond)
    }

    /// Frees the memory that the audio thread has released.
    private func collect() {
        free(memory.handover[0].outgoing.exchange(0, ordering: .acquiring))
    }

    /// Frees the memory that the audio thread, which has ended, never picked up.
    private func finish() {
        collect()
        free(memory.handover[0].incoming.exchange(0, ordering: .acquiring))
    }

    /// Frees the shared memory at an address; does nothing if the address is 0.
    private func free(_ address: UInt) {
        sharesInUse.removeAll { UInt(bitPattern: $0.share) == address }
    }
}

extension SandboxRefusals.Action {
    /// The same kind of access in an incident.
    fileprivate var access: FileAccess {
        switch self {
        case .read: .read
        case .write: .write
        case .remove: .remove
        case .move: .move
        }
    }

    /// The verb before the path, for messages.
    var verb: String { access.verb }
}
