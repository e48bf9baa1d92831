/// One listener: what it wants, what waits for it, and when it was last told.
package struct Subscriber {
    /// The most patterns of one listener.
    package static let mostSubscriptions = 16

    private var subscriptions: [Subscription] = []
    private var waiting: [String: Waiting] = [:]
    /// The keys of what waits, in their order.
    private var order: [String] = []
    private var lastSeconds: [String: Double] = [:]
    /// What it has set itself a moment ago, by path.
    private var own: [String: Own] = [:]

    /// A hand on a fader that is told where the fader was makes it jump: so long after its last move it is told of
    /// nothing that it moves.
    private static let handSeconds = 0.2
    /// The most faders that hands are on.
    private static let mostOwn = 1024

    private struct Own {
        var message: OSCMessage
        var seconds: Double
    }

    private struct Waiting {
        var message: OSCMessage
        var rateHertz: Double
    }

    /// One that wants nothing yet.
    package init() {}

    /// Whether it wants nothing any more.
    package var isGone: Bool { subscriptions.isEmpty }
    /// Whether anything waits to be sent.
    package var hasWaiting: Bool { !waiting.isEmpty }

    /// Begins a subscription, or renews the one of the same pattern.
    ///
    /// - Returns: Whether there was room.
    package mutating func add(_ subscription: Subscription) -> Bool {
        if let place = subscriptions.firstIndex(where: { $0.text == subscription.text }) {
            subscriptions[place] = subscription
            return true
        }
        guard subscriptions.count < Self.mostSubscriptions else { return false }
        subscriptions.append(subscription)
        return true
    }

    /// Ends the subscription of a pattern, or all.
    package mutating func remove(_ pattern: String?) {
        subscriptions.removeAll { pattern == nil || $0.text == pattern }
    }

    /// Ends what was not renewed.
    package mutating func expire(nowSeconds: Double) {
        subscriptions.removeAll { $0.endSeconds <= nowSeconds }
        // What was on its way at the last move has come by then.
        own = own.filter { waiting[$0.key] != nil || nowSeconds < $0.value.seconds + 1 }
    }

    /// Notes that it sets a value itself.
    package mutating func note(_ message: OSCMessage, nowSeconds: Double) {
        guard own.count < Self.mostOwn || own[message.path] != nil else { return }
        own[message.path] = Own(message: message, seconds: nowSeconds)
    }

    /// Keeps a message until it is due, in the place of an older one of the same key.
    package mutating func put(_ message: OSCMessage, key: String, isMeter: Bool) {
        let rates = subscriptions.filter { $0.isAbout(message, isMeter: isMeter) }.map(\.rateHertz)
        guard let rate = rates.max() else { return }
        let entry = Waiting(message: message, rateHertz: rate)
        if waiting.updateValue(entry, forKey: key) == nil { order.append(key) }
    }

    /// Forgets what is about addresses that may be gone.
    package mutating func forget() {
        waiting = [:]
        order = []
        lastSeconds = [:]
        own = [:]
    }

    /// Takes out all that may be sent now.
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
            // What it set is what came of it: it knows.
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
