package import SessionCore

/// The words for the connections of ports.
package enum ConnectionText {
    /// The most ports in a line.
    private static let maximumPorts = 12
    /// The most names of other ports for one port.
    private static let maximumOthers = 4

    /// Returns one line with the ports that have changed, those that lack a connection first.
    ///
    /// - Returns: The line; `nil` if no port has changed.
    static func line(for connections: SessionConnections) -> String? {
        let changed = connections.changed.map { connections.ports[$0] }
        guard !changed.isEmpty else { return nil }
        let ports = changed.filter(\.lacksConnection) + changed.filter { !$0.lacksConnection }
        let left = ports.count - min(ports.count, maximumPorts)
        let parts = ports.prefix(maximumPorts).map(words) + (left > 0 ? ["and \(left) more"] : [])
        return "connections: " + parts.joined(separator: "; ")
    }

    /// Returns the connections of one port: "mic from system:capture_1", "aux not connected", or
    /// "mic NOT CONNECTED: " with the rules that match no port.
    package static func words(for port: SessionConnections.Port) -> String {
        let missing = missingPorts(of: port)
        if port.lacksConnection { return "\(port.name) NOT CONNECTED: \(missing)" }
        guard !port.others.isEmpty else { return "\(port.name) not connected" }
        let left = port.others.count - min(port.others.count, maximumOthers)
        let others =
            port.others.prefix(maximumOthers).joined(separator: ", ")
            + (left > 0 ? " and \(left) more" : "")
        return "\(port.name) \(port.isInput ? "from" : "to") \(others)"
            + (missing.isEmpty ? "" : ", but \(missing)")
    }

    /// Returns the rules that match no port: `no port "a:b" (did you mean a:c?)`; empty without
    /// one.
    private static func missingPorts(of port: SessionConnections.Port) -> String {
        port.unmatchedRules.map { rule in
            "no port \"\(rule.text)\"" + (rule.nearest.map { " (did you mean \($0)?)" } ?? "")
        }.joined(separator: ", ")
    }
}
