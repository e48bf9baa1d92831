/// One listener: its subscriptions, the messages that wait for it, and the times of the last ones.
package struct Subscriber {
    /// The most subscriptions of one listener.
    package static let mostSubscriptions = 16

    private var subscriptions: [Subscription] = []
    private var waiting: [String: Waiting] = [:]
    /// The keys of the waiting messages, in order.
    private var order: [String] = []
    private var lastSeconds: [String: Double] = [:]
    /// The values that the listener has set recently, by path.
    private var own: [String: Own] = [:]

    /// A listener gets no value of an address that it has set within this time, in seconds: the echo of an older value would
    /// make a fader jump under the user's hand.
    private static let handSeconds = 0.2
    /// The most addresses whose recent values are remembered.
    private static let mostOwn = 1024

    private struct Own {
        var message: OSCMessage
        var seconds: Double
    }

    private struct Waiting {
        var message: OSCMessage
        var rateHertz: Double
    }

    /// Creates a listener without subscriptions.
    package init() {}

    /// Whether it has no subscriptions.
    package var isGone: Bool { subscriptions.isEmpty }
    /// Whether any message waits to be sent.
    package var hasWaiting: Bool { !waiting.isEmpty }

    /// Adds a subscription, or renews the one with the same pattern.
    ///
    /// - Returns: Whether there was room.
    package mutating func add(_ subscription: Subscription) -> Bool {
        if let index = subscriptions.firstIndex(where: { $0.text == subscription.text }) {
            subscriptions[index] = subscription
            return true
        }
        guard subscriptions.count < Self.mostSubscriptions else { return false }
        subscriptions.append(subscription)
        return true
    }

    /// Ends the subscription of a pattern, or all subscriptions.
    package mutating func remove(_ pattern: String?) {
        subscriptions.removeAll { pattern == nil || $0.text == pattern }
    }

    /// Ends subscriptions that were not renewed.
    package mutating func expire(nowSeconds: Double) {
        subscriptions.removeAll { $0.endSeconds <= nowSeconds }
        // By then all events that were on their way have come.
        own = own.filter { waiting[$0.key] != nil || nowSeconds < $0.value.seconds + 1 }
    }

    /// Notes a value that the listener sets.
    package mutating func note(_ message: OSCMessage, nowSeconds: Double) {
        guard own.count < Self.mostOwn || own[message.path] != nil else { return }
        own[message.path] = Own(message: message, seconds: nowSeconds)
    }

    /// Keeps a message until it is due; it replaces an older one of the same key.
    package mutating func put(_ message: OSCMessage, key: String, isMeter: Bool) {
        let rates = subscriptions.filter { $0.isAbout(message, isMeter: isMeter) }.map(\.rateHertz)
        guard let rate = rates.max() else { return }
        let entry = Waiting(message: message, rateHertz: rate)
        if waiting.updateValue(entry, forKey: key) == nil { order.append(key) }
    }

    /// Forgets all messages, because their addresses may not exist any more.
    package mutating func forget() {
        waiting = [:]
        order = []
        lastSeconds = [:]
        own = [:]
    }

    /// Removes and returns the messages that may be sent now.
    package mutating func due(nowSeconds: Double) -> [OSCMessage] {
        var due: [OSCMessage] = []
        var later: [String] = []
        for key in order {
            guard let entry = waiting[key] else { continue }
            if isTooEarly(entry, key: key, nowSeconds: nowSeconds) {
                later.append(key)
                continue
            }
            waiting[key] = nil
            // The listener has set this value itself.
            if own.removeValue(forKey: key)?.message == entry.message { continue }
            due.append(entry.message)
            lastSeconds[key] = nowSeconds
        }
        order = later
        return due
    }

    private func isTooEarly(_ entry: Waiting, key: String, nowSeconds: Double) -> Bool {
        if let own = own[key], nowSeconds < own.seconds + Self.handSeconds { return true }
        guard let last = lastSeconds[key] else { return false }
        return nowSeconds < last + 1 / entry.rateHertz
    }
}
