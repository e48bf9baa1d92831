package import SessionCore

/// All listeners of a server.
package struct Subscribers {
    /// The maximum number of listeners.
    package static let maximumCount = 32

    private var all: [Endpoint: Subscriber] = [:]

    /// Creates a list without listeners.
    package init() {}

    package var isEmpty: Bool { all.isEmpty }
    /// Whether any message waits to be sent.
    package var haveWaiting: Bool { all.values.contains(where: \.hasWaiting) }

    /// Adds or renews a subscription.
    ///
    /// - Throws: A refusal if there are too many listeners, or this listener has too many patterns.
    package mutating func add(_ subscription: Subscription, of endpoint: Endpoint)
        throws(Subscription.Refusal)
    {
        guard all[endpoint] != nil || all.count < Self.maximumCount else {
            throw .init("there are already \(Self.maximumCount) listeners")
        }
        guard all[endpoint, default: Subscriber()].add(subscription) else {
            throw .init("a listener can have at most \(Subscriber.maximumSubscriptions) patterns")
        }
    }

    /// Ends the subscription of a pattern, or all subscriptions of a listener.
    package mutating func remove(_ pattern: String?, of endpoint: Endpoint) {
        all[endpoint]?.remove(pattern)
        if all[endpoint]?.isGone == true { all[endpoint] = nil }
    }

    /// Ends subscriptions that were not renewed in time.
    package mutating func expire(nowSeconds: Double) {
        for endpoint in all.keys { all[endpoint]?.expire(nowSeconds: nowSeconds) }
        all = all.filter { !$0.value.isGone }
    }

    /// Stores a value that a listener has set.
    package mutating func note(_ message: OSCMessage, of endpoint: Endpoint, nowSeconds: Double) {
        all[endpoint]?.note(message, nowSeconds: nowSeconds)
    }

    /// Queues an event for all listeners that have subscribed to it.
    package mutating func put(_ event: SessionEvent) {
        guard let (message, key, topic) = Self.message(of: event) else { return }
        for endpoint in all.keys {
            if event == .addressesChanged { all[endpoint]?.forget() }
            all[endpoint]?.put(message, key: key, topic: topic)
        }
    }

    /// Removes and returns the messages that may be sent now.
    package mutating func due(nowSeconds: Double) -> [(endpoint: Endpoint, messages: [OSCMessage])]
    {
        all.keys.compactMap { endpoint in
            let messages = all[endpoint]?.due(nowSeconds: nowSeconds) ?? []
            return messages.isEmpty ? nil : (endpoint, messages)
        }
    }

    /// Returns the message of an event; `nil` if listeners cannot subscribe to it.
    private static func message(
        of event: SessionEvent
    ) -> (OSCMessage, key: String, topic: Subscription.Topic)? {
        switch event {
        case .valueChanged(let entry):
            let message = OSCMessage(entry)
            return (message, message.path, .values)
        case .reportChanged(let report):
            guard let value = report.value else { return nil }
            let message = OSCMessage(AddressValue(report.address, value))
            return (message, message.path, .reports)
        case .addressesChanged:
            return (Subscription.structure, Subscription.structure.path, .values)
        case .level(let port, let peak, let rms):
            let figures = [peak, rms].map { OSCMessage.Argument.float(Float($0)) }
            // The port is in the key: the level of one port does not replace that of another.
            return (
                OSCMessage(ServerMessage.level.rawValue, [.text(port)] + figures),
                "/level/\(port)", .meters
            )
        case .load(let mean, let worst, let xruns):
            let count = Int32(clamping: xruns)
            let message = OSCMessage(
                .load, .float(Float(mean)), .float(Float(worst)), .integer(count))
            return (message, message.path, .meters)
        case .pitch(let hertz):
            return (OSCMessage(.pitch, .float(Float(hertz))), "/pitch", .meters)
        default: return nil
        }
    }
}
