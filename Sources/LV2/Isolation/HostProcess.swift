internal import CLilv
internal import CRealtime
internal import Glibc
internal import Processing
internal import Synchronization
internal import Platform

/// A child process that runs one plugin, and the memory that it shares with this process.
final class HostProcess {
    /// The program's first argument in a child process that runs a plugin.
    static let command = "plugin-host"
    /// The child's exit status if it finds that the shared memory was overwritten.
    static let damagedStatus: Int32 = 86
    /// The reported reason in that case.
    static let damage =
        "its process was abandoned because the shared memory was overwritten"

    let memory: ShareMemory
    private let process: ChildProcess
    /// A descriptor that becomes readable when the child ends; -1 if the kernel has none.
    let ending: Int32
    private let stateFile: StateFile
    /// The number of the last request about the state; the plugin may overwrite the shared copy.
    private var ticket: UInt32 = 0
    /// How the child ended; `nil` until that is known.
    private(set) var end: String?
    /// Starts a child process without waiting for it.
    ///
    /// - Parameters:
    ///   - program: The path of this program.
    ///   - request: The plugin that the child creates, with its settings.
    ///   - size: The sizes of the areas in the shared memory.
    /// - Throws: `PluginError` if there is no memory or the child cannot be started.
    init(_ program: String, _ request: HostRequest, _ size: PluginShare.Size) throws(PluginError) {
        var size = size
        let bytes = request.bytes
        size.requestBytes = bytes.count
        let started = ShareMemory.make(size) { share, file in
            share.request.copyMemory(from: bytes, byteCount: bytes.count)
            return (
                Self.start(program, file, request), fcntl(file, F_DUPFD_CLOEXEC, 0)
            )
        }
        guard let (memory, (child, file)) = started else {
            throw PluginError("cannot allocate shared memory for its process")
        }
        guard let child else {
            close(file)
            throw PluginError("its process cannot be started")
        }
        self.memory = memory
        stateFile = StateFile(file: file, offset: memory.share.pointee.bytes)
        process = child
        ending = child.makeEndDescriptor()
    }

    deinit {
        kill()
        if ending >= 0 { close(ending) }
        close(stateFile.file)
    }

    /// The view of the shared memory, which exists as long as `memory`.
    var share: UnsafeMutablePointer<PluginShare> { memory.share }

    /// The child's progress; `nil` if the shared number is not a valid stage.
    var stage: PluginShare.Stage? {
        .init(rawValue: share.pointee.stage.pointee.load(ordering: .acquiring))
    }

    /// The reason why the child could not create the plugin.
    var reason: String {
        // A private copy: the text may change while it is decoded.
        let bytes = [UInt8](
            UnsafeRawBufferPointer(start: share.pointee.reason, count: PluginShare.reasonBytes))
        let text = bytes.prefix { $0 != 0 }.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the audio thread found invalid numbers in the shared memory for several cycles.
    var hasDamagedMemory: Bool {
        share.pointee.ledger.pointee.isDamaged.load(ordering: .acquiring) != 0
    }

    /// Whether the child's plugin has a state beyond its control values.
    var keepsState: Bool { share.pointee.keepsState.pointee.load(ordering: .relaxed) != 0 }

    /// Sends a request about the plugin's state to the child; only one may be pending.
    ///
    /// - Parameters:
    ///   - order: The request.
    ///   - text: The state to restore.
    /// - Returns: The number that identifies the answer; `nil` if the text is too long.
    func ask(_ order: StateRequest, _ text: String) -> UInt32? {
        guard stateFile.write(text) else { return nil }
        let share = share.pointee
        share.stateBytes.pointee.store(UInt32(text.utf8.count), ordering: .relaxed)
        share.stateOrder.pointee.store(order.rawValue, ordering: .relaxed)
        ticket &+= 1
        share.stateRequested.pointee.store(ticket, ordering: .releasing)
        rt_wake(share.stateRequested)
        return ticket
    }

    /// Returns the answer to the last request: a state or an error; `nil` until it has arrived.
    func answer(to ticket: UInt32) -> Result<String, PluginError>? {
        let share = share.pointee
        guard share.stateAnswered.pointee.load(ordering: .acquiring) == ticket else { return nil }
        let byteCount = Int(share.stateBytes.pointee.load(ordering: .relaxed))
        let isError = share.isStateError.pointee.load(ordering: .relaxed) != 0
        guard let text = stateFile.read(byteCount: byteCount) else {
            return .failure(PluginError("its state arrived incomplete"))
        }
        return isError ? .failure(PluginError(text)) : .success(text)
    }

    /// Sets the real-time priority of the child's main thread, which runs the plugin.
    ///
    /// The priority is just below the audio thread's. The child requests it itself, but in its
    /// sandbox it lacks root's privileges.
    func raisePriority(_ audioPriority: Int32) {
        guard sched_getscheduler(process.id) & ~resetOnFork != SCHED_FIFO else { return }
        var parameters = sched_param()
        parameters.sched_priority = max(1, audioPriority - 1)
        _ = sched_setscheduler(process.id, SCHED_FIFO | resetOnFork, &parameters)
    }

    /// Whether the child has ended; if so, `end` describes how.
    var hasEnded: Bool {
        if end == nil, let found = process.currentEnd() { note(found) }
        return end != nil
    }

    /// Notes for the audio thread that this process is given up.
    func markAsLost() { share.pointee.ledger.pointee.isLost.store(1, ordering: .releasing) }

    /// Kills the child at once and waits for its end.
    func kill() {
        guard end == nil else { return }
        note(process.kill())
    }

    /// Asks the child to free its plugin and exit; kills it after half a second.
    func leave() {
        share.pointee.shouldEnd.pointee.store(1, ordering: .sequentiallyConsistent)
        for _ in 0..<100 where !hasEnded {
            rt_wake(share.pointee.posted)
            PollWait.untilReadable(ending, milliseconds: 5)
        }
        kill()
    }

    /// The plugin code that the child is in, as a phrase; empty if it is in none.
    var activeCode: String {
        let found = CrashMarks.found(in: share.pointee.marks, count: PluginShare.markCount)
        // One thread may be in `run` while another is in the worker.
        return found.isEmpty ? "" : " " + found.map(\.phrase).joined(separator: " or ")
    }

    /// The system calls and file accesses that the child's sandbox has refused.
    var refusals: SandboxRefusals { share.pointee.refusals }

    /// The restrictions that the child's sandbox lacks, once its plugin is ready; `nil` if none.
    var missingRestrictions: String? {
        let force = share.pointee.sandboxForce.pointee.load(ordering: .relaxed)
        return ProcessSandbox.Force(rawValue: Int32(truncatingIfNeeded: force)).missing
    }

    private func note(_ found: ChildEnd) {
        end =
            switch found {
            case .exit(Self.damagedStatus): Self.damage
            case .exit(let status): "its process exited with status \(status)\(activeCode)"
            case .signal(SIGXCPU):
                "its process was killed: it used the processor longer than a real-time thread may"
                    + activeCode
            case .signal(SIGSYS):
                "its process was killed because it made a call that its sandbox refuses\(activeCode)"
            case .signal(let signal):
                "its process was terminated by signal \(signal)\(Self.name(ofSignal: signal))\(activeCode)"
            case .unknown: "its process has ended\(activeCode)"
            }
    }

    private static func name(ofSignal signal: Int32) -> String {
        strsignal(signal).map { " (\(String(cString: $0)))" } ?? ""
    }

    private static func start(
        _ program: String, _ share: Int32, _ request: HostRequest
    ) -> ChildProcess? {
        var launch = ChildProcess.Launch(
            ["stompline", command, "\(getpid())", request.uri], program: program)
        // The plugin's output must not mix with the output of this program.
        let pipe = PrintSource.makePipe(of: request.name)
        defer { if let pipe { close(pipe) } }
        let output = pipe ?? STDERR_FILENO
        (launch.output, launch.errors) = (.descriptor(output), .descriptor(output))
        launch.shared = share
        return try? ChildProcess(launch)
    }
}

/// SCHED_RESET_ON_FORK: threads that the child starts do not inherit the priority.
private let resetOnFork: Int32 = 0x4000_0000
