internal import CLilv
internal import Processing
internal import Realtime
internal import Synchronization

/// Whether and where a plugin instance called `exit`, which ends the instance but not the program.
final class ExitRecord: Sendable {
    // SAFETY: the thread that leaves the plugin writes it once; the other fields are read after
    // `hasLeft` was acquired.
    private nonisolated(unsafe) let memory = Buffer(count: 1, repeating: PluginExit())
    private let isReported = Mutex(false)

    /// The record that the calls of the plugin's functions write.
    var record: UnsafeMutablePointer<PluginExit> { memory.start }

    /// Whether the instance called `exit`; if so, it must not be called again.
    private var hasLeft: Bool { plugin_has_left(record) }

    /// A word for the engine that is not 0 after the instance has called `exit`.
    var missedOutput: UnsafePointer<UInt32> {
        UnsafeRawPointer(record).assumingMemoryBound(to: UInt32.self)
    }

    /// The end of a sentence about the plugin; `nil` if it did not call `exit`.
    var reason: String? {
        guard hasLeft else { return nil }
        let phrase = CrashMark.PluginCall(rawValue: Int(record.pointee.kind))?.text ?? ""
        return "it called exit(\(record.pointee.status)) \(phrase)"
    }

    /// Returns the incident at the first call after the exit; `nil` otherwise.
    func popIncident() -> Incident? {
        guard let reason else { return nil }
        return isReported.withLock { isReported in
            defer { isReported = true }
            return isReported ? nil : .abandoned(reason: reason)
        }
    }
}
