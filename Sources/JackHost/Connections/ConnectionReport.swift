package import SessionCore

/// Decides when the connections of a session are reported, so that many changes of the graph within
/// a short time cause one report.
///
/// Times are in ns of the monotonic clock.
package struct ConnectionReport {
    /// The time without a change after which the graph counts as settled.
    package static let settlingNanoseconds: UInt64 = 300_000_000
    /// The longest time that a report waits while changes continue.
    package static let longestNanoseconds: UInt64 = 1_500_000_000

    /// The times of the first and the last change that are not reported yet; `nil` without one.
    private var pending: (first: UInt64, last: UInt64)?
    /// The ports in the last report; `nil` before the first one.
    private var reported: [SessionConnections.Port]?

    package init() {}

    /// Notes that connections may have changed.
    package mutating func noteChange(at now: UInt64) { pending = (pending?.first ?? now, now) }

    /// Forgets a change, because the session leaves the server.
    package mutating func cancel() { pending = nil }

    /// Forgets all reports, because another session follows.
    package mutating func forget() {
        pending = nil
        reported = nil
    }

    /// Returns whether the graph has changed and has settled, or has changed for too long.
    package func isDue(at now: UInt64) -> Bool {
        guard let pending else { return false }
        return now >= pending.last + Self.settlingNanoseconds
            || now >= pending.first + Self.longestNanoseconds
    }

    /// Notes that a report is made.
    ///
    /// - Parameter ports: The current connections.
    /// - Returns: The report; `nil` if nothing differs from the last one.
    package mutating func report(_ ports: [SessionConnections.Port]) -> SessionConnections? {
        pending = nil
        defer { reported = ports }
        guard let reported else {
            return SessionConnections(ports: ports, changed: Array(ports.indices))
        }
        guard reported != ports else { return nil }
        let changed = ports.indices.filter { index in
            !reported.contains { $0.hasSameState(as: ports[index]) }
        }
        return SessionConnections(ports: ports, changed: changed)
    }
}

extension SessionConnections.Port {
    /// Returns whether both are the same port with the same connections and unmatched rules.
    ///
    /// The most similar names may differ.
    fileprivate func hasSameState(as other: Self) -> Bool {
        name == other.name && isInput == other.isInput && others == other.others
            && unmatchedRules.map(\.text) == other.unmatchedRules.map(\.text)
    }
}
