internal import Threads

/// How a session stands with its server.
enum Presence {
    /// It is a part of the server's graph.
    case joined
    /// The client is being closed: libjack knows one server at a time, so no other may be open. Where it does not come
    /// to an end, that is to be told of at this time.
    case parting(Errand, patientUntil: UInt64)
    /// There is no server; the next look is due at this time.
    case away(retryDue: UInt64)
    /// A server is being joined, which one that hangs holds up: to be told of at this time.
    case joining(patientUntil: UInt64)

    /// Whether no client is just being opened or closed.
    var isSettled: Bool {
        switch self {
        case .joined, .away: true
        case .parting, .joining: false
        }
    }

    /// When something is to be done by itself.
    var due: UInt64 {
        switch self {
        case .joined: .max
        case .away(let time), .parting(_, let time), .joining(let time): time
        }
    }

    /// Whether JACK's library has not answered for long, which is told of once.
    mutating func hangs(at now: UInt64) -> Bool {
        guard due <= now else { return false }
        switch self {
        case .joined, .away: return false
        case .parting(let errand, _): self = .parting(errand, patientUntil: .max)
        case .joining: self = .joining(patientUntil: .max)
        }
        return true
    }

    /// Lets libjack come to an end with the old client before the program ends, until then at most.
    func waitForParting(untilNanoseconds time: UInt64) {
        if case .parting(let errand, _) = self { _ = errand.isDone(untilNanoseconds: time) }
    }
}
