/// What one listener wants to be told of.
package struct Subscription {
    /// As it was written; also its name.
    package let text: String
    /// Messages a second of one path.
    package var rateHertz: Double
    /// When it ends, unless it is renewed, in seconds.
    package var endSeconds: Double
    private let pattern: OSCPattern
    private let wantsMeters: Bool

    /// The pattern of those who want levels, load and pitch.
    package static let meters = "/meters"
    /// The pattern of those who give none: the values of all addresses.
    package static let everything = "/"
    /// How long one lives that says nothing, and how long at most.
    package static let usualSeconds = 30.0
    package static let longestSeconds = 3600.0
    package static let usualHertz = 30.0
    package static let hertz = 0.1...200.0

    /// What tells that the addresses are others than before; for all who want values.
    package static let structure = OSCMessage("/structure")

    /// A subscription of a message's arguments: a pattern, seconds, messages a second, all of which may be left out.
    ///
    /// - Throws: What is wrong with them, in a sentence without its full stop.
    package init(_ arguments: [OSCMessage.Argument], nowSeconds: Double) throws(Refusal) {
        var rest = arguments[...]
        text = rest.first?.text ?? Self.everything
        if rest.first?.text != nil { rest = rest.dropFirst() }
        guard let pattern = OSCPattern(text) else {
            throw Refusal(
                "a pattern begins with / and has at most \(OSCPattern.maximumBytes) bytes")
        }
        let numbers = rest.compactMap(\.number)
        guard numbers.count == rest.count, rest.count <= 2 else {
            throw Refusal("it takes a pattern, seconds, and messages a second, in this order")
        }
        let seconds = numbers.first ?? Self.usualSeconds
        guard seconds > 0 else { throw Refusal("it must last longer than 0 seconds") }
        endSeconds = nowSeconds + min(seconds, Self.longestSeconds)
        let rate = numbers.count > 1 ? numbers[1] : Self.usualHertz
        rateHertz = min(max(rate, Self.hertz.lowerBound), Self.hertz.upperBound)
        self.pattern = pattern
        wantsMeters = text == Self.meters
    }

    /// Whether it is about a message.
    package func isAbout(_ message: OSCMessage, isMeter: Bool) -> Bool {
        guard isMeter == wantsMeters else { return false }
        return isMeter || message == Self.structure || pattern.covers(message.path)
    }

    /// Why something is not done: a sentence without its full stop.
    package struct Refusal: Error {
        package let message: String

        init(_ message: String) { self.message = message }
    }
}
