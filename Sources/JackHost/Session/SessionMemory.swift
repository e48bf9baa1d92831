internal import Platform
internal import Realtime
internal import SessionCore

/// Locks the memory of the process for a session: at its start, and again after each new schedule
/// if the process has a limit.
///
/// Only the session's thread uses it.
final class SessionMemory {
    private let isWanted: Bool
    private let mailbox: Mailbox<SessionMessage>
    private var last = MemoryLock.Outcome.current

    /// Creates a lock that does nothing if it is not wanted.
    init(isWanted: Bool, mailbox: Mailbox<SessionMessage>) {
        self.isWanted = isWanted
        self.mailbox = mailbox
    }

    /// Locks the memory before the first cycle.
    ///
    /// The outcome is a message, because the page and OSC receive events only after their own
    /// messages, which are handled first.
    func lockNow() {
        if isWanted { mailbox.post(.memoryLocked(MemoryLock.lock())) }
    }

    /// Locks new memory on another thread, which posts the outcome.
    func lockSoon() {
        guard isWanted, last != .all else { return }
        _ = BlockingTask { [mailbox] in mailbox.post(.memoryLocked(MemoryLock.lock())) }
    }

    /// Publishes that not all memory is locked, unless that is known.
    func report(_ outcome: MemoryLock.Outcome, _ session: Session) {
        defer { last = outcome }
        guard case .part(let part) = outcome else { return }
        if case .part = last { return }
        session.publish(
            .memoryNotLocked(
                lockedBytes: part.lockedBytes, unlockedBytes: part.unlockedBytes,
                limitBytes: part.limitBytes))
    }
}
