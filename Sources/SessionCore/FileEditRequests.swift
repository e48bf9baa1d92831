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

    /// Continues the numbers of a session that this one replaces, so that late results of its edits
    /// are recognised.
    ///
    /// - Returns: The receiver of the answer to its pending edit; `nil` if nobody waits.
    mutating func adopt(_ former: FileEditRequests) -> Receiver? {
        lastNumber = max(lastNumber, former.lastNumber)
        return former.pending?.receiver
    }
}
