internal import CLilv
internal import CRealtime
internal import Glibc
internal import Processing
internal import Synchronization

/// A process that a plugin plays in, and the memory it shares with ours.
///
/// It dies with the thread that starts it, so that must be one that lives as long.
final class HostProcess {
    /// What a process of this program is called with to play a plugin.
    static let command = "plugin-host"

    let share: UnsafeMutablePointer<PluginShare>
    let process: pid_t
    /// Becomes readable when the process ends; -1 where the kernel has no such thing.
    let ending: Int32
    private let stateFile: StateFile
    /// How it ended, once that is known.
    private(set) var end: String?
    /// Whether the audio thread may use the memory, so that it is not to be freed with this object.
    var isShareInUse = false

    /// Starts a process; nothing is awaited.
    ///
    /// - Parameters:
    ///   - program: The program, this very one.
    ///   - request: What it is to make.
    ///   - size: What the memory is for.
    /// - Throws: `PluginFault` where there is no memory or no process.
    init(_ program: String, _ request: HostRequest, _ size: PluginShare.Size) throws(PluginFault) {
        var size = size
        let bytes = request.bytes
        size.requestBytes = bytes.count
        let started = PluginShare.make(size) { share, file in
            share.request.copyMemory(from: bytes, byteCount: bytes.count)
            return (share, start(program, request.uri, file), fcntl(file, F_DUPFD_CLOEXEC, 0))
        }
        guard let (memory, child, file) = started else {
            throw PluginFault("there is no memory to share with a process of its own")
        }
        guard child > 0 else {
            memory.unmap()
            close(file)
            throw PluginFault("a process of its own cannot be started")
        }
        share = .allocate(capacity: 1)
        share.initialize(to: memory)
        stateFile = StateFile(file: file, offset: memory.bytes)
        process = child
        ending = plugin_child_watch(child)
    }

    deinit {
        kill()
        if ending >= 0 { close(ending) }
        close(stateFile.file)
        if !isShareInUse { Self.free(share) }
    }

    /// Frees memory that nobody uses any more.
    static func free(_ share: UnsafeMutablePointer<PluginShare>) {
        share.pointee.unmap()
        share.deallocate()
    }

    /// How far it has come.
    var stage: PluginShare.Stage {
        .init(rawValue: share.pointee.stage.pointee.load(ordering: .acquiring)) ?? .starting
    }

    /// Why it has made no plugin.
    var reason: String {
        let bytes = UnsafeRawBufferPointer(
            start: share.pointee.reason, count: PluginShare.reasonBytes)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Whether its plugin has a state beyond its control values.
    var keepsState: Bool { share.pointee.keepsState.pointee.load(ordering: .relaxed) != 0 }

    /// Asks something of the plugin's state.
    ///
    /// - Parameters:
    ///   - order: What is asked; one thing at a time.
    ///   - text: The state that is to be restored.
    /// - Returns: What the answer is found by; nil where the text is too long.
    func ask(_ order: StateOrder, _ text: String) -> UInt32? {
        guard stateFile.write(text) else { return nil }
        let share = share.pointee
        share.stateBytes.pointee.store(UInt32(text.utf8.count), ordering: .relaxed)
        share.stateOrder.pointee.store(order.rawValue, ordering: .relaxed)
        let ticket = share.stateAsked.pointee.load(ordering: .relaxed) &+ 1
        share.stateAsked.pointee.store(ticket, ordering: .releasing)
        rt_wake(share.stateAsked)
        return ticket
    }

    /// The answer to what was asked last: a state, or why there is none; nil while there is no answer.
    func answer(to ticket: UInt32) -> Result<String, PluginFault>? {
        let share = share.pointee
        guard share.stateAnswered.pointee.load(ordering: .acquiring) == ticket else { return nil }
        let byteCount = Int(share.stateBytes.pointee.load(ordering: .relaxed))
        let isFault = share.isStateFault.pointee.load(ordering: .relaxed) != 0
        guard let text = stateFile.read(byteCount: byteCount) else {
            return .failure(PluginFault("its state did not come whole"))
        }
        return isFault ? .failure(PluginFault(text)) : .success(text)
    }

    /// Whether it is gone; how is in `end` then.
    var hasEnded: Bool {
        if end != nil { return true }
        var status: Int32 = 0
        let found = waitpid(process, &status, WNOHANG)
        if found == process { note(status) }
        // Somebody else, a plugin in our own process, has taken its status.
        if found < 0, errno == ECHILD { end = "its process is gone\(place)" }
        return end != nil
    }

    /// Ends it at once and waits for that.
    func kill() {
        guard end == nil else { return }
        _ = Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        note(status)
    }

    /// Asks it to free its plugin and end; kills it where it does not within half a second.
    func leave() {
        share.pointee.isToEnd.pointee.store(1, ordering: .sequentiallyConsistent)
        for _ in 0..<100 where !hasEnded {
            rt_wake(share.pointee.posted)
            plugin_child_sleep(ending, -1, 5)
        }
        kill()
    }

    /// What the plugin is in, as a sentence about it has it; empty where it is in none of its own code.
    var place: String {
        let found = CrashMarks.found(in: share.pointee.marks, count: PluginShare.markCount)
        // One thread may be in its run while another is in its worker.
        return found.isEmpty ? "" : " " + found.map(\.place).joined(separator: " or ")
    }

    private func note(_ status: Int32) {
        let signal = status & 0x7f
        if signal == 0 {
            end = "its process ended with status \(status >> 8 & 0xff)\(place)"
        } else {
            let name = strsignal(signal).map { " (\(String(cString: $0)))" } ?? ""
            end = "its process was ended by signal \(signal)\(name)\(place)"
        }
    }
}

private func start(_ program: String, _ plugin: String, _ share: Int32) -> pid_t {
    // The plugin is named for those who look at the list of processes.
    let words = ["stompline", HostProcess.command, "\(getpid())", plugin]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    return plugin_child_start(program, &arguments, environ, share)
}
