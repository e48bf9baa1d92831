internal import CLilv
internal import Glibc

/// The log of one plugin instance: its messages go to standard error, save those from within run.
///
/// Formatting and printing would hold up the audio thread, so what is said there is counted, and the count is
/// printed when the plugin is freed.
final class PluginMessages {
    /// What the `log:log` feature points to.
    let log: UnsafeMutablePointer<PluginLog>
    private let prefix: UnsafeMutablePointer<CChar>?

    /// - Parameter name: The plugin's name, which each line begins with.
    init(name: String) {
        prefix = strdup(name)
        log = .allocate(capacity: 1)
        plugin_log_prepare(
            log, printMessage, UnsafeMutableRawPointer(prefix) ?? UnsafeMutableRawPointer(log))
    }

    /// Prints a note of the host's own under the plugin's name.
    func say(_ text: String) {
        if let prefix { printMessage(UnsafeMutableRawPointer(prefix), 0, text) }
    }

    deinit {
        let droppedCount = plugin_log_dropped(log)
        if droppedCount > 0 { say("\(droppedCount) messages left out that came from its run") }
        log.deallocate()
        Glibc.free(prefix)
    }
}

/// Prints one message as `NAME: KIND: TEXT`, on whatever thread of its own the plugin says it.
private func printMessage(
    _ name: UnsafeMutableRawPointer, _ kind: UInt32, _ text: UnsafePointer<CChar>
) {
    let kindName: String
    switch Namespace.log.term(of: URIDTable.unmap(kind)) {
    case "Error": kindName = "error"
    case "Warning": kindName = "warning"
    // For the plugin's author alone.
    case "Trace": return
    default: kindName = "note"
    }
    let name = String(cString: name.assumingMemoryBound(to: CChar.self))
    let lines = String(cString: text).split(separator: "\n")
    for line in lines {
        let message = "\(name): \(kindName): \(line)\n"
        // Standard error may be closed; then there is nobody to tell.
        _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
