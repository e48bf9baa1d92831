package import SessionCore

/// A request of a sender that is not answered yet.
package struct Asked: Equatable {
    /// The sender.
    package var sender: Endpoint
    /// The path of the request, for the answer.
    package var path: String
    package var content: Content

    /// Creates a request from its parts.
    package init(sender: Endpoint, path: String, content: Content) {
        self.sender = sender
        self.path = path
        self.content = content
    }

    /// The content of a request.
    package enum Content: Equatable {
        case session(SessionRequest)
        /// A reply once all requests before it are answered.
        case sync(Int32)
    }
}

/// Queues requests in order, and passes only a few at a time to the session.
///
/// The queue is bounded: if a fader moves faster than the session answers, only its newest value
/// waits.
package struct RequestQueue {
    /// The maximum number of requests that the session has at a time.
    package static let mostUnderWay = 32
    /// The maximum number of waiting requests.
    package static let mostWaiting = 512
    /// The time after which a request without an answer fails, in seconds.
    package static let patienceSeconds = 10.0

    private var waiting: [Asked] = []
    private var underWay: [Int: (asked: Asked, sinceSeconds: Double)] = [:]
    private var nextNumber = 0

    /// Creates an empty queue.
    package init() {}

    /// Whether no request waits or is being answered.
    package var isEmpty: Bool { waiting.isEmpty && underWay.isEmpty }

    /// Adds a request at the end, or replaces an older value for the same address.
    ///
    /// - Returns: Whether there was room.
    package mutating func put(_ asked: Asked) -> Bool {
        if let index = indexOfOlderValue(for: asked) {
            waiting[index] = asked
            return true
        }
        guard waiting.count < Self.mostWaiting else { return false }
        waiting.append(asked)
        return true
    }

    /// Returns the index of an older value for the same address.
    ///
    /// A value does not overtake requests of other kinds, such as a scene or a query, because the
    /// order may matter.
    private func indexOfOlderValue(for asked: Asked) -> Int? {
        guard let address = asked.movedAddress else { return nil }
        for index in waiting.indices.reversed() {
            guard let other = waiting[index].movedAddress else { return nil }
            if other == address { return index }
        }
        return nil
    }

    /// Removes and returns the next request, with a number for its answer; `nil` if it has to wait.
    package mutating func next(nowSeconds: Double) -> (number: Int, asked: Asked)? {
        guard let asked = waiting.first, underWay.count < Self.mostUnderWay else { return nil }
        if case .sync = asked.content, !underWay.isEmpty { return nil }
        waiting.removeFirst()
        nextNumber += 1
        if case .session = asked.content { underWay[nextNumber] = (asked, nowSeconds) }
        return (nextNumber, asked)
    }

    /// Removes and returns the request of an answer; `nil` if it was given up.
    package mutating func finish(_ number: Int) -> Asked? {
        underWay.removeValue(forKey: number)?.asked
    }

    /// Removes and returns the requests that have waited too long for an answer.
    package mutating func giveUp(nowSeconds: Double) -> [Asked] {
        let late = underWay.filter { nowSeconds - $0.value.sinceSeconds > Self.patienceSeconds }
        for number in late.keys { underWay.removeValue(forKey: number) }
        return late.values.map(\.asked)
    }
}

extension Asked {
    /// The address of a node whose value the request sets; `nil` for all other requests.
    fileprivate var movedAddress: String? {
        guard case .session(.set(let address, _)) = content, OSCAddress.isOfNode(address) else {
            return nil
        }
        return address
    }
}
