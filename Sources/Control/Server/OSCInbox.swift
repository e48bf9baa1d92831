internal import Show
internal import Synchronization
internal import Threads

/// What the show's thread leaves for the server's: bounded by the number of addresses, and never waited for.
final class OSCInbox: Sendable {
    /// What came since the last time.
    struct Contents {
        /// Each with the number of its request.
        var answers: [(number: Int, answer: Answer)] = []
        /// The newest of each kind and address, in the order in which they first came.
        var notices: [NoticeKey: Notice] = [:]
        var order: [NoticeKey] = []
        /// Whether the server is to end.
        var isOver = false
    }

    /// Of what only the newest counts.
    enum NoticeKey: Hashable, Sendable {
        case value(String), level(String), load, pitch, structure
    }

    /// Rings when something came.
    let bell = Bell()
    private let contents = Mutex(Contents())
    private let hasListeners = Atomic(false)

    /// Puts the answer to a request in.
    func put(_ answer: Answer, to number: Int) {
        contents.withLock { $0.answers.append((number, answer)) }
        bell.ring()
    }

    /// Puts a notice in, in the place of an older one of its kind; where nobody listens, only of new addresses.
    func put(_ notice: Notice) {
        guard hasListeners.load(ordering: .relaxed) || notice == .structure else { return }
        let key = NoticeKey(notice)
        contents.withLock {
            if $0.notices.updateValue(notice, forKey: key) == nil { $0.order.append(key) }
        }
        bell.ring()
    }

    /// Has the server end.
    func end() {
        contents.withLock { $0.isOver = true }
        bell.ring()
    }

    /// Says whether anybody listens to notices.
    func listen(_ hasListeners: Bool) { self.hasListeners.store(hasListeners, ordering: .relaxed) }

    /// Takes all out.
    func take() -> Contents {
        bell.silence()
        return contents.withLock { contents in
            let taken = contents
            contents = Contents()
            contents.isOver = taken.isOver
            return taken
        }
    }
}

extension OSCInbox.NoticeKey {
    init(_ notice: Notice) {
        switch notice {
        case .changed(let entry): self = .value(entry.address)
        case .structure: self = .structure
        case .level(let port, _, _): self = .level(port)
        case .load: self = .load
        case .pitch: self = .pitch
        }
    }
}
