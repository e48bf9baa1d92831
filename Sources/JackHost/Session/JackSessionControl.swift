internal import SessionCore
internal import Platform

/// Controls and watches a session by messages to its thread.
final class JackSessionControl: SessionControl {
    private let mailbox: Mailbox<SessionMessage>
    private let origin: RequestOrigin

    init(_ mailbox: Mailbox<SessionMessage>, for origin: RequestOrigin) {
        self.mailbox = mailbox
        self.origin = origin
    }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        mailbox.post(.request(request, origin, answer))
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        mailbox.post(.watch(ObjectIdentifier(self), watcher))
    }
}
