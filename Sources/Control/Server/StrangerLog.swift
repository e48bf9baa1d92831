/// The recent activity of senders without access.
public struct OSCWarning: Sendable, Equatable {
    /// Datagrams that were ignored.
    public var datagrams = 0
    /// Wrong tokens.
    public var wrongTokens = 0
    /// Tokens that were not compared, because too many were tried.
    public var uncomparedTokens = 0
    /// The last sender.
    public var sender: Endpoint
}

extension OSCWarning: CustomStringConvertible {
    /// A sentence without its full stop.
    public var description: String {
        let tried = wrongTokens + uncomparedTokens
        let guesses =
            tried == 0
            ? "they did not send the token"
            : "\(tried) of them tried tokens, of which \(uncomparedTokens) were not compared"
        return "OSC: \(datagrams) datagrams from senders without access, "
            + "the last from \(sender): \(guesses)"
    }
}

/// Counts the activity of senders without access, and reports it at once and then once per minute.
struct StrangerLog {
    private static let pauseSeconds = 60.0
    private var counts: OSCWarning?
    private var lastSeconds = -Double.infinity

    var isEmpty: Bool { counts == nil }

    /// The kinds of activity.
    enum Kind {
        case datagram, wrongToken, uncompared
    }

    /// Counts an activity of a sender.
    mutating func add(_ kind: Kind, from sender: Endpoint) {
        var counts = counts ?? OSCWarning(sender: sender)
        counts.sender = sender
        switch kind {
        case .datagram: counts.datagrams += 1
        case .wrongToken: counts.wrongTokens += 1
        case .uncompared: counts.uncomparedTokens += 1
        }
        self.counts = counts
    }

    /// Removes and returns the warning if it is due.
    mutating func due(nowSeconds: Double) -> OSCWarning? {
        guard nowSeconds >= lastSeconds + Self.pauseSeconds, let due = counts else { return nil }
        lastSeconds = nowSeconds
        counts = nil
        return due
    }
}
