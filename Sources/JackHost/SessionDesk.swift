internal import Show
internal import Threads

/// A remote control's end of a session.
final class SessionDesk: Desk {
    private let mailbox: Mailbox<Letter>

    init(_ mailbox: Mailbox<Letter>) { self.mailbox = mailbox }

    func ask(_ request: Request, answer: @escaping @Sendable (Answer) -> Void) {
        mailbox.post(.request(request, answer))
    }

    func listen(_ listener: (@Sendable (Notice) -> Void)?) {
        mailbox.post(.listen(ObjectIdentifier(self), listener))
    }
}
