internal import SessionCore
internal import Synchronization
internal import Platform

/// Passes answers and events from the session's thread to the server's thread; neither waits for
/// the other.
///
/// It contains at most one event per kind and address.
final class OSCInbox: Sendable {
    /// The contents since they were last removed.
    struct Contents {
        /// Each answer with the number of its request.
        var answers: [(number: Int, answer: Answer)] = []
        /// The newest event of each kind and address.
        var events: [EventKey: SessionEvent] = [:]
        /// The keys of the events, in order of their first arrival.
        var order: [EventKey] = []
        /// Whether the server must end.
        var isOver = false
    }

    /// The kind and address of an event that listeners can subscribe to; only the newest event of a
    /// key counts.
    enum EventKey: Hashable, Sendable {
        case value(String), level(String), load, pitch, addresses
    }

    /// Rings when an answer or event arrives.
    let bell = Bell()
    private let contents = Mutex(Contents())
    private let hasListeners = Atomic(false)

    /// Adds the answer to a request.
    func put(_ answer: Answer, to number: Int) {
        contents.withLock { $0.answers.append((number, answer)) }
        bell.ring()
    }

    /// Adds an event, which replaces an older one of its key.
    ///
    /// Events that listeners cannot subscribe to are ignored. Without listeners, only changed
    /// addresses count.
    func put(_ event: SessionEvent) {
        guard let key = EventKey(event) else { return }
        guard hasListeners.load(ordering: .relaxed) || key == .addresses else { return }
        contents.withLock {
            if $0.events.updateValue(event, forKey: key) == nil { $0.order.append(key) }
        }
        bell.ring()
    }

    /// Ends the server.
    func end() {
        contents.withLock { $0.isOver = true }
        bell.ring()
    }

    /// Notes whether the server has listeners.
    func listen(_ hasListeners: Bool) { self.hasListeners.store(hasListeners, ordering: .relaxed) }

    /// Removes and returns the contents.
    func popAll() -> Contents {
        bell.silence()
        return contents.withLock { contents in
            let popped = contents
            contents = Contents()
            contents.isOver = popped.isOver
            return popped
        }
    }
}

extension OSCInbox.EventKey {
    init?(_ event: SessionEvent) {
        switch event {
        case .valueChanged(let entry): self = .value(entry.address)
        case .reportChanged(let report): self = .value(report.address)
        case .addressesChanged: self = .addresses
        case .level(let port, _, _): self = .level(port)
        case .load: self = .load
        case .pitch: self = .pitch
        default: return nil
        }
    }
}
