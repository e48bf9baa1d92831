internal import CLilv
internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import Synchronization
internal import Platform

/// The child process that runs one plugin for another process of this program.
public enum PluginHost {
    /// The program's first argument for such a process.
    public static var command: String { HostProcess.command }

    /// Creates the plugin that the shared memory describes, and runs it until asked to stop.
    ///
    /// - Parameter parent: The process that started this one. If it has already ended, the function
    ///   returns at once.
    /// - Returns: Whether there was a plugin to run.
    public static func play(for parent: Int32) -> Bool {
        PluginExits.endProcess()
        LineBuffering.begin()
        guard plugin_child_tie(parent), let inherited = ShareMemory.inherited(plugin_child_share)
        else { return false }
        // The plugin's threads may use it until this process ends.
        _ = Unmanaged.passRetained(inherited)
        let share = inherited.share.pointee
        // Programs that the plugin starts must not inherit it.
        _ = fcntl(plugin_child_share, F_SETFD, FD_CLOEXEC)
        let request = HostRequest(
            UnsafeRawBufferPointer(start: share.request, count: share.size.requestBytes))
        guard let request else { return false }
        if let sandbox = request.sandbox {
            let force = sandbox.enter(
                bundleFolders: request.bundleFolders, format: request.request.format,
                refusals: share.refusals)
            share.sandboxForce.pointee.store(UInt32(force.rawValue), ordering: .relaxed)
        }
        do throws(PluginError) {
            let marks = CrashMarks(share.marks, count: PluginShare.markCount)
            let world = PluginWorld(bundleFolders: request.bundleFolders, marks: marks)
            let processor = try world.makeProcessor(forPlugin: request.uri, request.request)
            // A plugin whose state cannot be restored is still better than no plugin.
            if let state = request.state {
                try? processor.memory?.restore(state, isPlaying: false)
            }
            let memory = processor.memory.map {
                HostedMemory(
                    $0, share, StateFile(file: plugin_child_share, offset: share.bytes))
            }
            raisePriority(request.request.format)
            let isWhole = HostedPlugin(processor, share, request.request).play()
            // The plugin's own data cannot be trusted either, so it is not freed.
            if !isWhole { _exit(HostProcess.damagedStatus) }
            // A plugin that is still saving or restoring its state cannot be freed.
            if let memory, !memory.end() { _exit(0) }
        } catch { refuse(error, share) }
        return true
    }

    /// Gives this process the locked memory and real-time priority that a live audio thread has.
    private static func raisePriority(_ format: AudioFormat) {
        guard format.isLive else { return }
        // Without files, which the sandbox would refuse.
        _ = MemoryLock.lockWhole()
        guard let priority = format.realtimePriority else { return }
        plugin_child_limit(processorMicroseconds(format))
        _ = plugin_child_hurry(priority)
    }

    /// Returns the run time that a real-time thread may use without sleeping, in microseconds.
    ///
    /// The thread sleeps after each run. After a delay, the plugin has at most the longest backlog
    /// to catch up with: two blocks or 43 ms. With a limit of 200 ms, or four blocks if they are
    /// longer, it may do so at three quarters of full load. A thread that spins is ended before it
    /// has cost more than a few cycles.
    private static func processorMicroseconds(_ format: AudioFormat) -> UInt64 {
        let blockSeconds = Double(format.maximumBlockFrames) / format.sampleRate
        return UInt64(max(0.2, 4 * blockSeconds) * 1e6)
    }

    private static func refuse(_ error: PluginError, _ share: PluginShare) {
        let text = Array(error.message.utf8.prefix(PluginShare.reasonBytes - 1)) + [0]
        share.reason.copyMemory(from: text, byteCount: text.count)
        share.stage.pointee.store(PluginShare.Stage.refused.rawValue, ordering: .releasing)
        rt_wake(share.stage)
    }
}
