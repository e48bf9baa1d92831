internal import Platform

/// The open connections, and the limits on those of other machines.
///
/// Only the server's thread uses it.
struct OpenConnections {
    private let limits: ServerLimits
    private var connections: [ObjectIdentifier: any TimedConnection] = [:]
    /// The other machines of connections.
    private var machines: [ObjectIdentifier: IPAddress?] = [:]

    init(_ limits: ServerLimits) { self.limits = limits }

    /// The number of open connections.
    var count: Int { connections.count }
    /// All connections, in no order.
    var all: some Collection<any TimedConnection> { connections.values }

    /// Adds a connection.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - peer: The machine and the process at its other end.
    ///   - isLocal: Whether it comes from this machine; then only the total is limited.
    /// - Returns: Whether there was room.
    mutating func add(
        _ connection: any TimedConnection, from peer: Peer, isLocal: Bool
    ) -> Bool {
        guard connections.count < limits.connections else { return false }
        if !isLocal {
            let machine = peer.address?.network
            guard machines.count < limits.remoteConnections,
                machines.values.count(where: { $0 == machine }) < limits.connectionsPerAddress
            else { return false }
            machines.updateValue(machine, forKey: ObjectIdentifier(connection))
        }
        connections[ObjectIdentifier(connection)] = connection
        return true
    }

    /// Removes a connection.
    mutating func remove(_ id: ObjectIdentifier) {
        connections[id] = nil
        machines.removeValue(forKey: id)
    }

    /// Replaces a connection with the one that it has become, from the same machine.
    mutating func replace(_ id: ObjectIdentifier, with successor: any TimedConnection) {
        let machine = machines.removeValue(forKey: id)
        connections[id] = nil
        connections[ObjectIdentifier(successor)] = successor
        if let machine { machines.updateValue(machine, forKey: ObjectIdentifier(successor)) }
    }
}
