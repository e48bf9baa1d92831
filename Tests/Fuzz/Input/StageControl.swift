internal import SessionCore

/// A session control that runs on the calling thread.
final class StageControl: SessionControl, @unchecked Sendable {
    // SAFETY: one thread creates and uses it.
    private let session: Session

    init(_ session: Session) { self.session = session }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        answer(session.perform(request, later: answer))
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        session.watch(for: ObjectIdentifier(self), watcher)
    }
}
