internal import CLilv
internal import CRealtime
internal import Glibc
internal import Processing
internal import Synchronization
internal import Threads

/// The thread that starts a plugin's process, notices its end or that it hangs, and starts it again.
///
/// The process is tied to this thread, and so to the life of ours.
final class PluginGuardian: @unchecked Sendable {
    // SAFETY: what is mutable is the thread's own, save the start's outcome, which is read after `hasStarted` was posted,
    // and `isEnding`.

    /// How often a process is started again within a minute.
    static let restartsAMinute = 3
    /// How long a plugin may take to be made.
    private static let patienceSeconds = 30.0

    private let program: String
    private let wish: HostRequest
    private let size: PluginShare.Size
    private let memory: IsolatedMemory
    private let incidents: IncidentLog
    private let states: StateErrands
    /// How long the process may go without an answer.
    private let hangSeconds: Double
    private let isEnding = Atomic<Bool>(false)
    private let ends: (read: Int32, write: Int32)
    private let hasStarted: UnsafeMutablePointer<sem_t>
    private var thread: OwnThread?
    private var outcome: Result<HostProcess, PluginFault>
    private var process: HostProcess?
    private var restarts: [UInt64] = []
    private var hasToldOfWriting = false

    /// Starts the process and waits until its plugin is ready.
    ///
    /// - Throws: `PluginFault` with the plugin's own reason, or where the process ends or takes half a minute.
    init(
        _ program: String, _ wish: HostRequest, _ size: PluginShare.Size, _ memory: IsolatedMemory,
        _ incidents: IncidentLog
    ) throws(PluginFault) {
        (self.program, self.wish, self.size) = (program, wish, size)
        (self.memory, self.incidents) = (memory, incidents)
        // Off the clock no process is started again.
        states = StateErrands(isKeeping: wish.request.format.isLive, incidents)
        hangSeconds = wish.request.format.isLive ? 0.5 : 10
        outcome = .failure(PluginFault("its process was not started"))
        hasStarted = .allocate(capacity: 1)
        hasStarted.initialize(to: sem_t())
        sem_init(hasStarted, 0, 0)
        var files: [Int32] = [-1, -1]
        pipe(&files)
        for file in files {
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
        }
        ends = (files[0], files[1])
        guard let thread = OwnThread(name: "plugin guard", stack: .small, { self.run() }) else {
            throw PluginFault("no thread can be had for its process")
        }
        self.thread = thread
        sem_wait(hasStarted)
        if case .failure(let fault) = outcome {
            thread.join()
            throw fault
        }
    }

    deinit {
        sem_destroy(hasStarted)
        hasStarted.deallocate()
        close(ends.read)
        close(ends.write)
    }

    /// Has the plugin freed and its process end, and waits for that; to be called once, before the object goes.
    func stop() {
        isEnding.store(true, ordering: .relaxed)
        wake()
        thread?.join()
    }

    /// Has the plugin's process save or restore its state, and waits for that.
    ///
    /// - Returns: The saved state; empty where one was restored.
    /// - Throws: `PluginFault` with the reason why it failed.
    func carryOut(_ order: StateOrder, _ text: String = "") throws(PluginFault) -> String {
        let errand = StateErrand(order, text)
        states.add(errand)
        wake()
        return try errand.result()
    }

    private func wake() {
        var byte: UInt8 = 0
        write(ends.write, &byte, 1)
    }

    /// The memory that the first process shares.
    var firstShare: UnsafeMutablePointer<PluginShare> {
        switch outcome {
        case .success(let process): process.share
        case .failure: preconditionFailure("a guardian is made with a process")
        }
    }

    // MARK: The thread

    private func run() {
        outcome = Result { () throws(PluginFault) in try launch(wish.request.parameters) }
        if case .success(let first) = outcome { process = first }
        sem_post(hasStarted)
        guard process != nil else { return }
        var watch = HangWatch(seconds: hangSeconds)
        while !isEnding.load(ordering: .relaxed) {
            let isWatched = process.map { $0.ending >= 0 } ?? true
            let milliseconds: Int32 = isWatched && !states.isBusy ? 50 : 5
            plugin_child_sleep(process?.ending ?? -1, ends.read, milliseconds)
            var bytes: (UInt64, UInt64) = (0, 0)
            read(ends.read, &bytes, 16)
            collect()
            guard let process else { continue }
            tellOfWriting(process)
            states.attend(to: process)
            if process.hasEnded {
                lose(process)
                watch = HangWatch(seconds: hangSeconds)
            } else if watch.hangs(process.share.pointee) {
                lose(
                    process,
                    reason: "its process has not answered for \(hangSeconds) s\(process.place)")
                watch = HangWatch(seconds: hangSeconds)
            }
        }
        states.close()
        process?.leave()
        finish()
    }

    /// Starts a process and waits until its plugin is ready.
    private func launch(_ parameters: [Float]) throws(PluginFault) -> HostProcess {
        var wish = wish
        wish.request.parameters = parameters
        // At last without it: it may be the state that ends the process.
        wish.state = restarts.count < Self.restartsAMinute ? states.latest : nil
        let process = try HostProcess(program, wish, size)
        let deadline = rt_nanoseconds() + UInt64(Self.patienceSeconds * 1e9)
        while rt_nanoseconds() < deadline, !isEnding.load(ordering: .relaxed) {
            switch process.stage {
            case .ready:
                process.isShareInUse = true
                return process
            case .refused: throw PluginFault(process.reason)
            case .starting: break
            }
            if process.hasEnded { throw PluginFault(process.end ?? "") }
            rt_wait_while(process.share.pointee.stage, 0, 10_000_000)
        }
        throw PluginFault(
            "its process has not made it within \(Int(Self.patienceSeconds)) s\(process.place)")
    }

    /// Gives a process up, and starts another while that is allowed.
    private func lose(_ lost: HostProcess, reason: String? = nil) {
        lost.share.pointee.isLost.pointee.store(1, ordering: .releasing)
        lost.kill()
        process = nil
        states.leave(lost)
        var reason = reason ?? lost.end ?? ""
        while !isEnding.load(ordering: .relaxed) {
            let now = rt_nanoseconds()
            restarts.removeAll { now - $0 > 60_000_000_000 }
            guard wish.request.format.isLive, restarts.count < Self.restartsAMinute else {
                states.close()
                return incidents.add(.abandoned(reason: reason))
            }
            restarts.append(now)
            incidents.add(.lost(reason: reason))
            do throws(PluginFault) {
                let new = try launch(memory.parameters)
                process = new
                collect()
                let untaken = memory.handover.pointee.incoming.exchange(
                    UInt(bitPattern: new.share), ordering: .acquiringAndReleasing)
                Self.free(untaken)
                return incidents.add(.back)
            } catch {
                reason = error.message
                states.forget()
            }
        }
    }

    private func tellOfWriting(_ process: HostProcess) {
        guard !hasToldOfWriting,
            process.share.pointee.wroteBeyond.pointee.load(ordering: .relaxed) != 0
        else { return }
        hasToldOfWriting = true
        incidents.add(.wroteBeyond)
    }

    /// Frees the memory that the audio thread has let go of.
    private func collect() {
        Self.free(memory.handover.pointee.outgoing.exchange(0, ordering: .acquiring))
    }

    /// Frees what the audio thread, which has ended, never took.
    private func finish() {
        collect()
        Self.free(memory.handover.pointee.incoming.exchange(0, ordering: .acquiring))
    }

    private static func free(_ handle: UInt) {
        if let share = UnsafeMutablePointer<PluginShare>(bitPattern: handle) {
            HostProcess.free(share)
        }
    }
}
