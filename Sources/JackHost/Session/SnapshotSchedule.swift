internal import SessionCore

/// Hands over the state of a session after changes, but not too often.
struct SnapshotSchedule {
    /// The shortest time between two snapshots, in ns.
    private static let pauseNanoseconds: UInt64 = 300_000_000

    private let receiver: (@Sendable (SessionSnapshot) -> Void)?
    private var revision: Int?
    private var dueNanoseconds: UInt64 = 0

    /// Creates a schedule.
    ///
    /// - Parameter receiver: Receives the state; `nil` without a receiver.
    init(_ receiver: (@Sendable (SessionSnapshot) -> Void)?) { self.receiver = receiver }

    /// Hands over the state if it has changed and the pause is over.
    mutating func advance(_ session: Session, nowNanoseconds now: UInt64) {
        guard now >= dueNanoseconds, deliver(session) else { return }
        dueNanoseconds = now + Self.pauseNanoseconds
    }

    /// Hands over the state at the end of the session.
    mutating func finish(_ session: Session) { _ = deliver(session) }

    private mutating func deliver(_ session: Session) -> Bool {
        guard let receiver, revision != session.snapshotRevision else { return false }
        revision = session.snapshotRevision
        receiver(session.snapshot)
        return true
    }
}
