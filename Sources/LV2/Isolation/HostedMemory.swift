internal import CLilv
internal import CRealtime
internal import Processing
internal import Synchronization
internal import Platform

/// The thread that saves and restores a hosted plugin's state when the other process asks.
final class HostedMemory: @unchecked Sendable {
    // SAFETY: only this thread uses the plugin's memory, which synchronizes with the thread that
    // runs the plugin.

    /// The longest wait for a pending answer when the plugin ends, in seconds.
    private static let timeoutSeconds: Int32 = 1

    private let memory: any ProcessorMemory
    private let share: PluginShare
    private let file: StateFile
    private let isEnding = Atomic<Bool>(false)
    private var thread: OwnThread?

    /// Starts the thread.
    init(_ memory: any ProcessorMemory, _ share: PluginShare, _ file: StateFile) {
        (self.memory, self.share, self.file) = (memory, share, file)
        thread = OwnThread(name: "plugin state") { self.answerUntilEnd() }
    }

    /// Stops the thread; returns `false` if the plugin does not return from a pending answer.
    func end() -> Bool {
        guard let thread else { return true }
        isEnding.store(true, ordering: .releasing)
        rt_wake(share.stateRequested)
        return thread.join(withinSeconds: Self.timeoutSeconds)
    }

    private func answerUntilEnd() {
        while !isEnding.load(ordering: .acquiring) {
            let asked = share.stateRequested.pointee.load(ordering: .acquiring)
            if asked == share.stateAnswered.pointee.load(ordering: .relaxed) {
                rt_wait_while(share.stateRequested, asked, 100_000_000)
            } else {
                answer()
                share.stateAnswered.pointee.store(asked, ordering: .releasing)
            }
        }
    }

    private func answer() {
        var text = ""
        var isError: UInt32 = 0
        do throws(PluginError) { text = try carryOut() } catch {
            (text, isError) = (error.message, 1)
        }
        if !file.write(text) { (text, isError) = ("", 1) }
        share.stateBytes.pointee.store(UInt32(text.utf8.count), ordering: .relaxed)
        share.isStateError.pointee.store(isError, ordering: .relaxed)
    }

    private func carryOut() throws(PluginError) -> String {
        let order =
            StateRequest(rawValue: share.stateOrder.pointee.load(ordering: .relaxed)) ?? .save
        if order == .save {
            let text = try memory.savedState()
            guard text.utf8.count <= StateFile.maximumBytes else {
                throw PluginError("its state is larger than \(StateFile.maximumBytes >> 20) MiB")
            }
            return text
        }
        let byteCount = Int(share.stateBytes.pointee.load(ordering: .relaxed))
        guard let text = file.read(byteCount: byteCount) else {
            throw PluginError("the state cannot be sent to its process")
        }
        try memory.restore(text, isPlaying: order == .restorePlaying)
        return ""
    }
}
