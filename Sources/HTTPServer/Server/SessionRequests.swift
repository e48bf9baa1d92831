internal import SessionCore

/// The requests to the session whose final answers have not arrived.
///
/// Only the server's thread uses it.
final class SessionRequests {
    /// Receives the answers to a request: after `Answer.preparing` and `Answer.pending`, another
    /// one; `nil` if no answer came in time.
    typealias Receiver = (Answer?) -> Void

    private struct Pending {
        let owner: ObjectIdentifier?
        let receiver: Receiver
        var dueSeconds: Double
    }

    private let control: any SessionControl
    private let inbox: SessionInbox
    private let limits: ServerLimits
    private var pending: [Int: Pending] = [:]
    private var counts: [ObjectIdentifier: Int] = [:]
    private var lastNumber = 0

    init(to control: any SessionControl, inbox: SessionInbox, limits: ServerLimits) {
        self.control = control
        self.inbox = inbox
        self.limits = limits
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - owner: The connection that asks; `nil` for the server itself, which has no limit.
    ///   - nowSeconds: The time.
    ///   - receiver: Receives the answers.
    /// - Returns: Whether there was room for the request.
    func send(
        _ request: SessionRequest, for owner: ObjectIdentifier?, nowSeconds: Double,
        _ receiver: @escaping Receiver
    ) -> Bool {
        if let owner {
            guard pending.count < limits.pending,
                counts[owner, default: 0] < limits.pendingPerConnection
            else { return false }
            counts[owner, default: 0] += 1
        }
        lastNumber += 1
        let number = lastNumber
        pending[number] = Pending(
            owner: owner, receiver: receiver, dueSeconds: nowSeconds + limits.answerSeconds)
        control.ask(request) { [inbox] in inbox.put($0, to: number) }
        return true
    }

    /// Passes an answer on; an answer without a waiting receiver is ignored.
    func receive(_ answer: Answer, to number: Int, nowSeconds: Double) {
        guard var entry = pending[number] else { return }
        switch answer {
        case .preparing, .pending:
            entry.dueSeconds = nowSeconds + limits.longAnswerSeconds
            pending[number] = entry
        default: remove(number)
        }
        entry.receiver(answer)
    }

    /// Forgets the requests of a connection that is closed.
    func forget(_ owner: ObjectIdentifier) {
        guard counts.removeValue(forKey: owner) != nil else { return }
        pending = pending.filter { $0.value.owner != owner }
    }

    /// Ends the requests whose time is over.
    func expire(nowSeconds: Double) {
        for (number, entry) in pending where entry.dueSeconds <= nowSeconds {
            remove(number)
            entry.receiver(nil)
        }
    }

    private func remove(_ number: Int) {
        guard let owner = pending.removeValue(forKey: number)?.owner else { return }
        let left = counts[owner, default: 1] - 1
        counts[owner] = left > 0 ? left : nil
    }
}
