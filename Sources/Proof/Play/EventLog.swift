internal import SessionCore
internal import Synchronization

/// The events of a session that can be findings.
final class EventLog: Sendable {
    private let events = Mutex<[SessionEvent]>([])

    /// Notes an event.
    func receive(_ event: SessionEvent) {
        switch event {
        case .nonFinite, .incident, .messagesDropped, .preparationFailed, .songSkipped,
            .nodeLevels, .status:
            events.withLock { $0.append(event) }
        default: break
        }
    }

    /// Returns the events since the last call.
    func drain() -> [SessionEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
