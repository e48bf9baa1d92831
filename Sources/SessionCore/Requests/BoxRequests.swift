/// The requests for a box of the last minutes, which the host writes.
///
/// The session's thread uses this.
final class BoxRequests {
    /// Receives the final answer to a request.
    typealias Receiver = (Answer) -> Void

    /// The largest number of requests that wait for their boxes.
    private static let capacity = 64

    private let events: EventStream
    private var lastNumber = 0
    private var waiting: [Int: Receiver] = [:]

    init(events: EventStream) { self.events = events }

    /// Orders the host to write a box.
    ///
    /// - Parameter receiver: Receives the final answer; `nil` if no client waits for it.
    /// - Returns: `Answer.pending`, or the reason for refusing.
    func order(_ receiver: Receiver?) -> Answer {
        guard waiting.count < Self.capacity else {
            return .refused("too many boxes are being written; try again", suggestion: nil)
        }
        lastNumber += 1
        waiting[lastNumber] = receiver
        events.publish(.boxRequested(number: lastNumber))
        return .pending
    }

    /// Answers a request; does nothing if no client waits for the answer.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - answer: `Answer.kept`, or the reason why the box was not written.
    func finish(_ number: Int, _ answer: Answer) { waiting.removeValue(forKey: number)?(answer) }

    /// Refuses all waiting requests.
    ///
    /// - Parameter reason: A sentence without its full stop.
    func refuseAll(_ reason: String) {
        let refused = waiting
        waiting = [:]
        for receiver in refused.values { receiver(.refused(reason, suggestion: nil)) }
    }

    /// Continues the numbers of a session that has stopped, so that late results of its requests
    /// are recognised.
    func replace(_ former: BoxRequests) { lastNumber = max(lastNumber, former.lastNumber) }
}
