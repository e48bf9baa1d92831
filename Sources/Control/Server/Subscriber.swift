/// A listener: its subscriptions, its waiting messages, and the times of the last ones sent.
package struct Subscriber {
    /// The maximum number of subscriptions of a listener.
    package static let maximumSubscriptions = 16

    private var subscriptions: [Subscription] = []
    private var waiting: [String: Waiting] = [:]
    /// The keys of the waiting messages, in order.
    private var order: [String] = []
    private var lastSeconds: [String: Double] = [:]
    /// The values that the listener has set recently, by path.
    private var ownValues: [String: OwnValue] = [:]

    /// The time after a listener has set a value in which it does not receive values of that
    /// address, in seconds: the echo of an older value would make a fader jump under the user's
    /// hand.
    private static let echoPauseSeconds = 0.2
    /// The maximum number of addresses whose recent values are stored.
    private static let maximumOwnValues = 1024

    private struct OwnValue {
        var message: OSCMessage
        var seconds: Double
    }

    private struct Waiting {
        var message: OSCMessage
        var rateHertz: Double
    }

    /// Creates a listener without subscriptions.
    package init() {}

    /// Whether the listener has no subscriptions.
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
        guard subscriptions.count < Self.maximumSubscriptions else { return false }
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
        // After a second, all pending events have arrived.
        ownValues = ownValues.filter { waiting[$0.key] != nil || nowSeconds < $0.value.seconds + 1 }
    }

    /// Stores a value that the listener sets.
    package mutating func note(_ message: OSCMessage, nowSeconds: Double) {
        guard ownValues.count < Self.maximumOwnValues || ownValues[message.path] != nil else {
            return
        }
        ownValues[message.path] = OwnValue(message: message, seconds: nowSeconds)
    }

    /// Keeps a message until it is due; it replaces an older one of the same key.
    package mutating func put(_ message: OSCMessage, key: String, topic: Subscription.Topic) {
        let rates = subscriptions.filter { $0.isAbout(message, topic) }.map(\.rateHertz)
        guard let rate = rates.max() else { return }
        let entry = Waiting(message: message, rateHertz: rate)
        if waiting.updateValue(entry, forKey: key) == nil { order.append(key) }
    }

    /// Discards all messages, because their addresses may no longer exist.
    package mutating func forget() {
        waiting = [:]
        order = []
        lastSeconds = [:]
        ownValues = [:]
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
            if ownValues.removeValue(forKey: key)?.message == entry.message { continue }
            due.append(entry.message)
            lastSeconds[key] = nowSeconds
        }
        order = later
        return due
    }

    private func isTooEarly(_ entry: Waiting, key: String, nowSeconds: Double) -> Bool {
        if let value = ownValues[key], nowSeconds < value.seconds + Self.echoPauseSeconds {
            return true
        }
        guard let last = lastSeconds[key] else { return false }
        return nowSeconds < last + 1 / entry.rateHertz
    }
}
