internal import Platform
internal import Processing

/// A request about the state of a plugin in its own process.
enum StateRequest: UInt32 {
    case save
    /// Restore before the first run.
    case restore
    case restorePlaying
}

/// A blocking task that saves or restores the state of an isolated plugin.
///
/// Any thread may request it; the guardian's thread carries it out.
final class StateTask: @unchecked Sendable {
    // SAFETY: the outcome is written before `isDone` is signalled, and read after it.
    let order: StateRequest
    /// The state to restore; empty for a save.
    let text: String
    private var outcome: Result<String, PluginError> = .success("")
    private let isDone = Semaphore()

    init(_ order: StateRequest, _ text: String = "") {
        (self.order, self.text) = (order, text)
    }

    /// Completes the task with the saved state, an empty text, or the reason for the failure.
    func finish(_ outcome: Result<String, PluginError>) {
        self.outcome = outcome
        isDone.signal()
    }

    /// Waits for the completion, and returns the saved state; empty after a restore.
    ///
    /// - Throws: `PluginError` with the reason for the failure.
    func result() throws(PluginError) -> String {
        isDone.wait()
        return try outcome.get()
    }
}
