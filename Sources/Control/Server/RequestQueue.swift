package import SessionCore

/// A request of a sender that is not answered yet.
package struct QueuedRequest: Equatable {
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

/// The reason why the answer to a request takes long.
package enum Delay: Equatable {
    /// The song with this name is being prepared.
    case song(String)
    /// A box of the last minutes is being written.
    case box

    /// The time after which the request fails, in seconds.
    fileprivate var limitSeconds: Double {
        switch self {
        case .song: RequestQueue.preparationSeconds
        case .box: RequestQueue.boxSeconds
        }
    }
}

/// Queues requests in order, and passes only a few at a time to the session.
///
/// The queue is bounded: if a fader moves faster than the session answers, only its newest value
/// waits.
package struct RequestQueue {
    /// The maximum number of requests that the session has at a time.
    package static let maximumUnderWay = 32
    /// The maximum number of waiting requests.
    package static let maximumWaiting = 512
    /// The time after which a request without an answer fails, in seconds.
    package static let timeoutSeconds = 10.0
    /// The time after which a request whose song is being prepared fails, in seconds.
    package static let preparationSeconds = 60.0
    /// The time after which a request whose box is being written fails, in seconds.
    package static let boxSeconds = 600.0
    /// The time between two reminders that an answer takes long, in seconds.
    package static let reminderSeconds = 1.0

    private var waiting: [QueuedRequest] = []
    private var inProgress: [Int: (queued: QueuedRequest, sinceSeconds: Double)] = [:]
    /// The requests whose answers take long; they delay no other request.
    private var delayed: [Int: DelayedRequest] = [:]
    private var nextNumber = 0

    /// A request whose answer takes long.
    private struct DelayedRequest {
        let queued: QueuedRequest
        let delay: Delay
        let sinceSeconds: Double
        var remindedSeconds: Double
    }

    /// Creates an empty queue.
    package init() {}

    /// Whether no request waits or is being answered.
    package var isEmpty: Bool { waiting.isEmpty && inProgress.isEmpty && delayed.isEmpty }

    /// Adds a request at the end, or replaces an older value for the same address.
    ///
    /// - Returns: Whether there was room.
    package mutating func put(_ queued: QueuedRequest) -> Bool {
        if let index = indexOfOlderValue(for: queued) {
            waiting[index] = queued
            return true
        }
        guard waiting.count < Self.maximumWaiting else { return false }
        waiting.append(queued)
        return true
    }

    /// Returns the index of an older value for the same address.
    ///
    /// A value does not overtake requests of other kinds, such as a scene or a query, because the
    /// order may matter.
    private func indexOfOlderValue(for queued: QueuedRequest) -> Int? {
        guard let address = queued.movedAddress else { return nil }
        for index in waiting.indices.reversed() {
            guard let other = waiting[index].movedAddress else { return nil }
            if other == address { return index }
        }
        return nil
    }

    /// Removes and returns the next request, with a number for its answer; `nil` if it has to wait.
    package mutating func next(nowSeconds: Double) -> (number: Int, queued: QueuedRequest)? {
        guard let queued = waiting.first, inProgress.count < Self.maximumUnderWay else {
            return nil
        }
        if case .sync = queued.content, !inProgress.isEmpty { return nil }
        waiting.removeFirst()
        nextNumber += 1
        if case .session = queued.content { inProgress[nextNumber] = (queued, nowSeconds) }
        return (nextNumber, queued)
    }

    /// Removes and returns the request of an answer; `nil` if it was given up.
    package mutating func finish(_ number: Int) -> QueuedRequest? {
        inProgress.removeValue(forKey: number)?.queued
            ?? delayed.removeValue(forKey: number)?.queued
    }

    /// Returns whether a request that is being answered asks for a box.
    package func asksForBox(_ number: Int) -> Bool {
        inProgress[number]?.queued.content == .session(.perform(.keep))
    }

    /// Keeps a request until its final answer; meanwhile it delays no other one.
    ///
    /// - Returns: The request; `nil` if it was given up.
    package mutating func delay(
        _ number: Int, by delay: Delay, nowSeconds: Double
    ) -> QueuedRequest? {
        guard let queued = inProgress.removeValue(forKey: number)?.queued else { return nil }
        delayed[number] = DelayedRequest(
            queued: queued, delay: delay, sinceSeconds: nowSeconds, remindedSeconds: nowSeconds)
        return queued
    }

    /// Returns the requests whose senders should be reminded that the answer takes long.
    package mutating func dueReminders(nowSeconds: Double) -> [(
        queued: QueuedRequest, delay: Delay
    )] {
        let due = delayed.filter {
            nowSeconds - $0.value.remindedSeconds >= Self.reminderSeconds
        }
        for number in due.keys { delayed[number]?.remindedSeconds = nowSeconds }
        return due.values.map { ($0.queued, $0.delay) }
    }

    /// Removes and returns the requests whose answers take too long.
    package mutating func giveUpDelayed(nowSeconds: Double) -> [(
        queued: QueuedRequest, delay: Delay
    )] {
        let overdue = delayed.filter {
            nowSeconds - $0.value.sinceSeconds > $0.value.delay.limitSeconds
        }
        for number in overdue.keys { delayed.removeValue(forKey: number) }
        return overdue.values.map { ($0.queued, $0.delay) }
    }

    /// Removes and returns the requests that have waited too long for an answer.
    package mutating func giveUp(nowSeconds: Double) -> [QueuedRequest] {
        let overdue = inProgress.filter { nowSeconds - $0.value.sinceSeconds > Self.timeoutSeconds }
        for number in overdue.keys { inProgress.removeValue(forKey: number) }
        return overdue.values.map(\.queued)
    }
}

extension QueuedRequest {
    /// The address of a node whose value the request sets; `nil` for all other requests.
    fileprivate var movedAddress: String? {
        guard case .session(.set(let address, _)) = content, OSCAddress.isOfNode(address) else {
            return nil
        }
        return address
    }
}
