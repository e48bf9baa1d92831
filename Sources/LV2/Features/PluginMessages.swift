internal import CLilv
internal import Glibc
internal import Processing
internal import Realtime
internal import Platform

/// The log of one plugin instance; its messages go to standard error, except those from a run.
///
/// Formatting and printing would delay the audio thread. Therefore messages from a run are only
/// counted, and the count is printed when the plugin is freed.
final class PluginMessages {
    /// The log to which the `log:log` feature points.
    var log: UnsafeMutablePointer<PluginLog> { memory.start }
    private let memory: Buffer<PluginLog>
    /// The plugin's name, terminated by zero.
    private let prefix: Buffer<CChar>

    /// Creates a log.
    ///
    /// - Parameter name: The plugin's name, with which each line begins.
    init(name: String) {
        prefix = Buffer(Array(name.utf8CString))
        let context = UnsafeMutableRawPointer(prefix.start)
        memory = Buffer(
            count: 1,
            repeating: PluginLog(
                feature: LV2_Log_Log(), sink: printMessage, context: context, isRunning: false,
                droppedCount: 0))
        plugin_log_prepare(log, printMessage, context)
    }

    /// Prints a note of the host, which begins with the plugin's name.
    func say(_ text: String) {
        printMessage(UnsafeMutableRawPointer(prefix.start), 0, text)
    }

    deinit {
        let droppedCount = plugin_log_dropped(log)
        if droppedCount > 0 { say("\(droppedCount) messages from its run were dropped") }
    }
}

/// Prints one message as `NAME: KIND: TEXT`, on the thread on which the plugin logs it.
private func printMessage(
    _ name: UnsafeMutableRawPointer, _ kind: UInt32, _ text: UnsafePointer<CChar>
) {
    let kindName: String
    switch Namespace.log.term(of: URIDTable.unmap(kind)) {
    case "Error": kindName = "error"
    case "Warning": kindName = "warning"
    // Traces are of use only to the plugin's author.
    case "Trace": return
    default: kindName = "note"
    }
    let name = String(cString: name.assumingMemoryBound(to: CChar.self))
    let lines = String(cString: text).split(separator: "\n")
    for line in lines {
        let message = "\("\(name): \(kindName): \(line)".printable)\n"
        if PrintSource.put("\(kindName): \(line)", of: name) { continue }
        // Standard error may be closed; then the message is lost.
        _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
