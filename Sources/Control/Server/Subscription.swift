/// A subscription of a listener.
package struct Subscription {
    /// The pattern as written, which also identifies the subscription.
    package let text: String
    /// The maximum number of messages per second and path.
    package var rateHertz: Double
    /// The time at which it ends unless it is renewed, in seconds of the monotonic clock.
    package var endSeconds: Double
    private let pattern: OSCPattern
    private let wantsMeters: Bool

    /// The pattern for levels, load and pitch.
    package static let meters = ClientMessage.meters.rawValue
    /// The default pattern: the values of all addresses.
    package static let everything = "/"
    /// The default and the longest duration, in seconds.
    package static let defaultSeconds = 30.0
    package static let longestSeconds = 3600.0
    package static let defaultHertz = 30.0
    package static let hertz = 0.1...200.0

    /// The message that reports changed addresses, for all listeners that subscribe to values.
    package static let structure = OSCMessage(.structure)

    /// Creates a subscription from the arguments of a message: a pattern, seconds, and messages per
    /// second, all optional.
    ///
    /// - Throws: A refusal if the arguments are invalid.
    package init(_ arguments: [OSCMessage.Argument], nowSeconds: Double) throws(Refusal) {
        var rest = arguments[...]
        text = rest.first?.text ?? Self.everything
        if rest.first?.text != nil { rest = rest.dropFirst() }
        guard let pattern = OSCPattern(text) else {
            throw Refusal(
                "a pattern must begin with / and have at most \(OSCPattern.maximumBytes) bytes")
        }
        let numbers = rest.compactMap(\.number)
        guard numbers.count == rest.count, rest.count <= 2 else {
            throw Refusal("expected a pattern, seconds, and messages per second, in this order")
        }
        let seconds = numbers.first ?? Self.defaultSeconds
        guard seconds > 0 else { throw Refusal("the duration must be longer than 0 seconds") }
        endSeconds = nowSeconds + min(seconds, Self.longestSeconds)
        let rate = numbers.count > 1 ? numbers[1] : Self.defaultHertz
        rateHertz = min(max(rate, Self.hertz.lowerBound), Self.hertz.upperBound)
        self.pattern = pattern
        wantsMeters = text == Self.meters
    }

    /// The kind of a message that listeners subscribe to.
    package enum Topic: Sendable {
        /// A value that can be set, or the structure.
        case values
        /// A value that a node reports. A subscription without a path does not include it, because
        /// many reports change all the time.
        case reports
        /// Levels, load and pitch.
        case meters
    }

    /// Returns whether the subscription includes a message.
    package func isAbout(_ message: OSCMessage, _ topic: Topic) -> Bool {
        guard (topic == .meters) == wantsMeters else { return false }
        return switch topic {
        case .meters: true
        case .values: message == Self.structure || pattern.covers(message.path)
        case .reports: text != Self.everything && pattern.covers(message.path)
        }
    }

    /// The reason why a subscription is refused: a sentence without its full stop.
    package struct Refusal: Error {
        package let message: String

        init(_ message: String) { self.message = message }
    }
}
