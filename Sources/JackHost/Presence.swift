internal import Show

/// How a session stands with its server.
enum Presence {
    /// How long the end of the session waits for the client of a lost server, in seconds.
    private static let patienceSeconds = 0.25

    /// It is a part of the server's graph.
    case joined
    /// The client is being closed: libjack knows one server at a time, so no other may be open.
    case parting(Errand)
    /// There is no server; the next look is due at this time.
    case away(retryDue: UInt64)
    /// A server is being joined, which one that hangs holds up.
    case joining

    /// Whether no client is just being opened or closed.
    var isSettled: Bool {
        switch self {
        case .joined, .away: true
        case .parting, .joining: false
        }
    }

    /// When something is to be done by itself.
    var due: UInt64? { if case .away(let retryDue) = self { retryDue } else { nil } }

    /// Lets libjack come to an end with the old client before the program ends.
    func waitForParting() {
        if case .parting(let errand) = self {
            _ = errand.isDone(withinSeconds: Self.patienceSeconds)
        }
    }
}
