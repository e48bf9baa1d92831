package import Show

/// All listeners of a server.
package struct Subscribers {
    /// The most listeners at a time.
    package static let most = 32

    private var all: [Endpoint: Subscriber] = [:]

    /// None yet.
    package init() {}

    package var isEmpty: Bool { all.isEmpty }
    /// Whether anything waits to be sent.
    package var haveWaiting: Bool { all.values.contains(where: \.hasWaiting) }

    /// Begins or renews a subscription.
    ///
    /// - Throws: Why there is no room for it.
    package mutating func add(_ subscription: Subscription, of endpoint: Endpoint)
        throws(Subscription.Refusal)
    {
        guard all[endpoint] != nil || all.count < Self.most else {
            throw .init("there are \(Self.most) listeners already")
        }
        guard all[endpoint, default: Subscriber()].add(subscription) else {
            throw .init("a listener has at most \(Subscriber.mostSubscriptions) patterns")
        }
    }

    /// Ends the subscription of a pattern, or all of a listener's.
    package mutating func remove(_ pattern: String?, of endpoint: Endpoint) {
        all[endpoint]?.remove(pattern)
        if all[endpoint]?.isGone == true { all[endpoint] = nil }
    }

    /// Ends what was not renewed.
    package mutating func expire(nowSeconds: Double) {
        for endpoint in all.keys { all[endpoint]?.expire(nowSeconds: nowSeconds) }
        all = all.filter { !$0.value.isGone }
    }

    /// Notes that a listener sets a value itself.
    package mutating func note(_ message: OSCMessage, of endpoint: Endpoint, nowSeconds: Double) {
        all[endpoint]?.note(message, nowSeconds: nowSeconds)
    }

    /// Keeps a notice for all who want it.
    package mutating func put(_ notice: Notice) {
        let (message, key, isMeter) = Self.message(of: notice)
        for endpoint in all.keys {
            if notice == .structure { all[endpoint]?.forget() }
            all[endpoint]?.put(message, key: key, isMeter: isMeter)
        }
    }

    /// Takes out all that may be sent now.
    package mutating func due(nowSeconds: Double) -> [(endpoint: Endpoint, messages: [OSCMessage])]
    {
        all.keys.compactMap { endpoint in
            let messages = all[endpoint]?.due(nowSeconds: nowSeconds) ?? []
            return messages.isEmpty ? nil : (endpoint, messages)
        }
    }

    private static func message(of notice: Notice) -> (OSCMessage, key: String, isMeter: Bool) {
        switch notice {
        case .changed(let entry):
            let message = OSCMessage(entry)
            return (message, message.path, false)
        case .structure: return (Subscription.structure, Subscription.structure.path, false)
        case .level(let port, let peak, let rms):
            let figures = [peak, rms].map { OSCMessage.Argument.float(Float($0)) }
            // The port is in the key: one port's level does not replace another's.
            return (OSCMessage("/level", [.text(port)] + figures), "/level/\(port)", true)
        case .load(let mean, let worst, let xruns):
            let count = Int32(clamping: xruns)
            let message = OSCMessage(
                "/load", .float(Float(mean)), .float(Float(worst)), .integer(count))
            return (message, "/load", true)
        case .pitch(let hertz):
            return (OSCMessage("/pitch", .float(Float(hertz))), "/pitch", true)
        }
    }
}
