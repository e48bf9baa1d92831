internal import Platform

/// The state of a session's connection to a server.
///
/// Times are in ns of the monotonic clock.
enum ConnectionState {
    /// The session is part of the server's graph.
    case joined
    /// The client is being closed. libjack knows one server at a time, so no other client may be
    /// open. If the task is not done at this time, the server hangs.
    case closing(BlockingTask, deadline: UInt64)
    /// There is no server. The next attempt to join one is due at this time.
    case away(retryDue: UInt64)
    /// A task joins a server. If it is not done at this time, the server hangs.
    case joining(deadline: UInt64)

    /// Whether no task is opening or closing a client.
    var isSettled: Bool {
        switch self {
        case .joined, .away: true
        case .closing, .joining: false
        }
    }

    /// Whether JACK's library has not answered for too long.
    var isHanging: Bool { !isSettled && due == .max }

    /// The time at which work is due that needs no message.
    var due: UInt64 {
        switch self {
        case .joined: .max
        case .away(let time), .closing(_, let time), .joining(let time): time
        }
    }

    /// Returns whether JACK's library has not answered for too long; `true` only once.
    mutating func detectHang(at now: UInt64) -> Bool {
        guard due <= now else { return false }
        switch self {
        case .joined, .away: return false
        case .closing(let task, _): self = .closing(task, deadline: .max)
        case .joining: self = .joining(deadline: .max)
        }
        return true
    }

    /// Waits until the old client is closed, but not beyond a time.
    func waitForClosing(untilNanoseconds time: UInt64) {
        if case .closing(let task, _) = self { _ = task.isDone(untilNanoseconds: time) }
    }
}
