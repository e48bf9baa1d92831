/// The edit of a song's file that the host carries out, and the request that waits for it.
struct FileEditRequests {
    /// Receives the answer to a request.
    typealias Receiver = (Answer) -> Void

    private var lastNumber = 0
    private var pending: (number: Int, receiver: Receiver?)?

    /// Begins an edit.
    ///
    /// - Parameters:
    ///   - task: The edit.
    ///   - receiver: Receives the answer; `nil` if nobody waits for it.
    /// - Returns: The order for the host; `nil` if an earlier edit is not done.
    mutating func begin(_ task: FileEditOrder.Task, _ receiver: Receiver?) -> FileEditOrder? {
        guard pending == nil else { return nil }
        lastNumber += 1
        pending = (lastNumber, receiver)
        return FileEditOrder(number: lastNumber, task: task)
    }

    /// Ends an edit.
    ///
    /// - Parameter number: The number of its order.
    /// - Returns: The receiver of the answer, if somebody waits for it; `nil` if no such edit is
    ///   pending.
    mutating func end(_ number: Int) -> (isAwaited: Bool, answer: Receiver)? {
        guard let ended = pending, ended.number == number else { return nil }
        pending = nil
        return (ended.receiver != nil, ended.receiver ?? { _ in })
    }

    /// Ends the pending edit, and returns the receiver of its answer; `nil` if nobody waits.
    mutating func removeReceiver() -> Receiver? {
        defer { pending = nil }
        return pending?.receiver
    }
}
