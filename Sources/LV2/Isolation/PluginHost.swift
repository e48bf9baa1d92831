internal import CLilv
internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime
internal import Synchronization

/// The process that plays one plugin for another process of this program.
public enum PluginHost {
    /// What the program is called with to be such a process.
    public static var command: String { HostProcess.command }

    /// Makes the plugin that the shared memory asks for and plays it until it is told to end.
    ///
    /// - Parameter parent: The process that started this one; where it is gone already, nothing is done.
    /// - Returns: Whether there was anything to play.
    public static func play(for parent: Int32) -> Bool {
        guard plugin_child_tie(parent), let share = PluginShare.inherited(plugin_child_share)
        else { return false }
        // Programs that the plugin starts shall not have it.
        _ = fcntl(plugin_child_share, F_SETFD, FD_CLOEXEC)
        let request = HostRequest(
            UnsafeRawBufferPointer(start: share.request, count: share.size.requestBytes))
        guard let request else { return false }
        do throws(PluginFault) {
            let marks = CrashMarks(share.marks, count: PluginShare.markCount)
            let world = PluginWorld(bundleFolders: request.bundleFolders, marks: marks)
            let processor = try world.makeProcessor(forPlugin: request.uri, request.request)
            // One that cannot be restored is still better heard than not.
            if let state = request.state {
                try? processor.memory?.restore(state, isPlaying: false)
            }
            let memory = processor.memory.map {
                HostedMemory(
                    $0, share, StateFile(file: plugin_child_share, offset: share.bytes))
            }
            hurry(request.request.format)
            HostedPlugin(processor, share, request.request).play()
            // A plugin that is still at its state cannot be freed.
            if let memory, !memory.end() { _exit(0) }
        } catch { refuse(error, share) }
        return true
    }

    /// What the audio thread of a live host has, its process' own shall have too.
    private static func hurry(_ format: AudioFormat) {
        guard format.isLive else { return }
        _ = MemoryLock.lock()
        if let priority = format.realtimePriority { _ = plugin_child_hurry(priority) }
    }

    private static func refuse(_ fault: PluginFault, _ share: PluginShare) {
        let text = Array(fault.message.utf8.prefix(PluginShare.reasonBytes - 1)) + [0]
        share.reason.copyMemory(from: text, byteCount: text.count)
        share.stage.pointee.store(PluginShare.Stage.refused.rawValue, ordering: .releasing)
        rt_wake(share.stage)
    }
}
