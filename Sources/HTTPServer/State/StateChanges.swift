/// The changes of the state in one turn of the server's thread.
struct StateChanges {
    /// The addresses with new values.
    var values: Set<String> = []
    /// The addresses with new reports.
    var reports: Set<String> = []
    /// The parts with new values.
    var parts: Set<StatePart> = []
    /// Events that have just happened, in order.
    var events: [LiveEvent] = []
    /// The number of events that were dropped before the first one.
    var droppedCount = 0
    /// Whether any address may have changed, so that pages need a new snapshot.
    var needsSnapshot = false

    /// Whether nothing has changed.
    var isEmpty: Bool {
        values.isEmpty && reports.isEmpty && parts.isEmpty && events.isEmpty && !needsSnapshot
    }
}
