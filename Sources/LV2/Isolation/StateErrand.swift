internal import CLilv
internal import Glibc
internal import Processing

/// What a plugin's own process is to do with its state.
enum StateOrder: UInt32 {
    case save
    /// Before its first run.
    case restore
    case restorePlaying
}

/// Saving or restoring the state of a plugin in a process of its own: asked for on one thread, seen to by the guardian's.
final class StateErrand: @unchecked Sendable {
    // SAFETY: the outcome is written before `isDone` is posted, and read after it.
    let order: StateOrder
    /// The state that is to be restored; empty where one is to be saved.
    let text: String
    private var outcome: Result<String, PluginFault> = .success("")
    private let isDone: UnsafeMutablePointer<sem_t>

    init(_ order: StateOrder, _ text: String = "") {
        (self.order, self.text) = (order, text)
        isDone = .allocate(capacity: 1)
        isDone.initialize(to: sem_t())
        sem_init(isDone, 0, 0)
    }

    deinit {
        sem_destroy(isDone)
        isDone.deallocate()
    }

    /// Ends the errand with the saved state, with an empty text, or with the reason why it failed.
    func finish(_ outcome: Result<String, PluginFault>) {
        self.outcome = outcome
        sem_post(isDone)
    }

    /// Waits for the end.
    ///
    /// - Throws: `PluginFault` with the reason why it failed.
    func result() throws(PluginFault) -> String {
        while sem_wait(isDone) != 0 {}
        return try outcome.get()
    }
}
