/// Counts errors that may be very frequent, and reports them at most twice per second.
struct ErrorLog {
    /// The kinds of frequent errors.
    enum Kind: Hashable, CaseIterable {
        case dropped, damaged, stranger, wrongToken, unproven
    }

    /// The pause between two reports, in seconds.
    ///
    /// It is shorter than the second for which a caller waits, because a caller's error may follow
    /// directly after another one.
    private static let pauseSeconds = 0.5

    private var counts: [Kind: (count: Int, sender: Endpoint)] = [:]
    private var lastSeconds = -Double.infinity

    var isEmpty: Bool { counts.isEmpty }

    /// Counts an error.
    mutating func add(_ kind: Kind, _ sender: Endpoint) {
        counts[kind] = ((counts[kind]?.count ?? 0) + 1, sender)
    }

    /// Removes and returns the due messages, each for the last sender that caused the error.
    mutating func due(nowSeconds: Double) -> [(endpoint: Endpoint, message: OSCMessage)] {
        guard !counts.isEmpty, nowSeconds >= lastSeconds + Self.pauseSeconds else { return [] }
        defer { counts = [:] }
        lastSeconds = nowSeconds
        return Kind.allCases.compactMap { kind in
            counts[kind].map { ($0.sender, Self.message(kind, count: $0.count)) }
        }
    }

    private static func message(_ kind: Kind, count: Int) -> OSCMessage {
        switch kind {
        case .dropped: .error("/", "too many requests: \(count) were dropped")
        case .damaged:
            .error(
                "/",
                "\(count) datagrams were not OSC, or exceeded \(OSCPacket.maximumBytes) bytes")
        case .stranger: .tokenWanted
        case .wrongToken: .tokenRefused
        case .unproven: .challengeUnanswered("/")
        }
    }
}

extension OSCMessage {
    // The answers are short, so that a sender with an unproven address may receive them.

    /// The answer to a sender that has not sent the token.
    static let tokenWanted = error("/", "send /token first")
    /// The answer to a sender that has sent a wrong token.
    static let tokenRefused = error("/token", "wrong token")

    /// Returns the answer to a sender that requests more than an unproven address may receive.
    static func challengeUnanswered(_ path: String) -> OSCMessage {
        error(path, "answer /challenge first")
    }
}
