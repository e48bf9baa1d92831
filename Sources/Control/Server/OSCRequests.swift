internal import Platform
package import SessionCore

/// The requests of a server's clients, from the message to the session's answer.
package struct OSCRequests {
    /// The number of the server's own request for all addresses; other requests have other numbers.
    private static let addressRequestNumber = 0
    /// The number of the server's own request for all reports.
    private static let reportRequestNumber = -1

    private let control: any SessionControl
    private let put: @Sendable (Answer, Int) -> Void
    private var table = AddressTable()
    /// The paths of everything that nodes report.
    private var reportPaths: [String] = []
    private var queue = RequestQueue()

    /// The meaning of a message for one path.
    package enum Reading: Equatable {
        /// A request, and its path for the answer.
        case request(SessionRequest, path: String)
        /// The answer to a message that is not valid.
        case error(OSCMessage)
    }

    /// Creates an empty queue without known addresses.
    ///
    /// - Parameters:
    ///   - control: The interface of the session.
    ///   - put: Called with each answer and the number of its request, on any thread; the server's
    ///     thread passes both to `receive`.
    package init(
        to control: any SessionControl, answer put: @escaping @Sendable (Answer, Int) -> Void
    ) {
        self.control = control
        self.put = put
    }

    /// Whether no request waits or is being answered.
    package var isEmpty: Bool { queue.isEmpty }

    // MARK: Messages

    /// Returns the requests of a message: one per matching path if it has wildcards, and none for
    /// the release of a button.
    package func read(_ message: OSCMessage) -> [Reading] {
        guard OSCPattern.hasWildcards(message.path) else {
            return [readOne(message)].compactMap(\.self)
        }
        guard let pattern = OSCPattern(message.path),
            case let paths = paths(matching: pattern, forReading: message.arguments.isEmpty),
            !paths.isEmpty
        else { return [.error(.error(message.path, "no address of a node matches"))] }
        return paths.compactMap { readOne(OSCMessage($0, message.arguments)) }
    }

    /// Returns the paths that a pattern matches; those of reports only for reading.
    private func paths(matching pattern: OSCPattern, forReading isReading: Bool) -> [String] {
        let reports = isReading ? reportPaths.filter { pattern.matches($0) } : []
        return table.paths(matching: pattern) + reports
    }

    /// Returns the request of a message for one address; `nil` if the message requests nothing.
    private func readOne(_ message: OSCMessage) -> Reading? {
        let path = message.path
        let address = table.address(of: path)
        let command = SessionCommand(rawValue: address)
        guard let argument = message.arguments.first else {
            return .request(command.map { .perform($0) } ?? .get(address), path: path)
        }
        if message.arguments.count == 2, command == nil, let value = argument.value,
            let seconds = message.arguments[1].number
        {
            let fitted = table.fitted(value, to: path)
            return .request(.fade(address, fitted, seconds: seconds), path: path)
        }
        guard message.arguments.count == 1, let value = argument.value else {
            let expected =
                "expected one value: a number, true, false or text; and perhaps a time in seconds"
            return .error(.error(path, expected))
        }
        guard let command, !(command.readsText && value.isText),
            !(command == .fadeAll && value.isTime)
        else {
            return .request(.set(address, table.fitted(value, to: path)), path: path)
        }
        // A button sends 1 when it is pressed, and 0 when it is released.
        guard value != .number(0), value != .toggle(false) else { return nil }
        return .request(.perform(command), path: path)
    }

    // MARK: Queue

    /// Queues a request.
    ///
    /// - Returns: Whether there was room.
    package mutating func add(_ queued: QueuedRequest) -> Bool { queue.put(queued) }

    /// Sends queued requests to the session, up to the limit of pending requests.
    ///
    /// - Parameter nowSeconds: The time.
    /// - Returns: The answers that do not come from the session: to `/sync`, and to requests that
    ///   the session has not answered in time.
    package mutating func send(
        nowSeconds: Double
    ) -> [(endpoint: Endpoint, message: OSCMessage)] {
        var answers: [(endpoint: Endpoint, message: OSCMessage)] = []
        while let (number, queued) = queue.next(nowSeconds: nowSeconds) {
            switch queued.content {
            case .session(let request): ask(request, number: number)
            case .sync(let sign): answers.append((queued.sender, .init(.synced, .integer(sign))))
            }
        }
        for queued in queue.giveUp(nowSeconds: nowSeconds) {
            answers.append((queued.sender, .error(queued.path, "the session did not answer")))
        }
        for (queued, delay) in queue.giveUpDelayed(nowSeconds: nowSeconds) {
            answers.append((queued.sender, .error(queued.path, delay.reason)))
        }
        return answers
    }

    /// Returns the requests whose senders should be reminded that the answer takes long.
    ///
    /// - Parameter nowSeconds: The time.
    /// - Returns: The requests, each with the reason.
    package mutating func dueReminders(nowSeconds: Double) -> [(
        queued: QueuedRequest, delay: Delay
    )] {
        queue.dueReminders(nowSeconds: nowSeconds)
    }

    /// Requests the values of all addresses from the session.
    package func requestAddresses() {
        ask(.dump, number: Self.addressRequestNumber)
        ask(.reports, number: Self.reportRequestNumber)
    }

    private func ask(_ request: SessionRequest, number: Int) {
        control.ask(request) { [put] answer in put(answer, number) }
    }

    /// Receives an answer of the session.
    ///
    /// A request whose song is being prepared, whose box is being written, or that edits a file, is
    /// kept until its final answer.
    ///
    /// - Returns: The request that it answers; `nil` for the server's own request, for a request
    ///   that was given up, and for one that edits a file and has no final answer yet.
    package mutating func receive(_ answer: Answer, to number: Int) -> QueuedRequest? {
        if case .preparing(let song) = answer {
            return queue.delay(number, by: .song(song), nowSeconds: MonotonicTime.nowSeconds)
        }
        if answer == .pending {
            guard queue.asksForBox(number) else { return nil }
            return queue.delay(number, by: .box, nowSeconds: MonotonicTime.nowSeconds)
        }
        if number == Self.reportRequestNumber {
            if case .reports(let reports) = answer {
                reportPaths = reports.map { OSCAddress.path(of: $0.address) }
            }
            return nil
        }
        guard number == Self.addressRequestNumber else { return queue.finish(number) }
        if case .values(let entries) = answer { table = AddressTable(entries) }
        return nil
    }
}

extension Delay {
    /// The reason why a request gets no answer any more.
    fileprivate var reason: String {
        switch self {
        case .song(let song):
            "the song \(song) is still being prepared; it plays when it is ready"
        case .box: "the box is still being written; the session reports its path when it is there"
        }
    }
}

extension Value {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
    /// Whether the value is a number, and not the release of a button.
    fileprivate var isTime: Bool {
        if case .number(let number) = self { number != 0 } else { false }
    }
}
