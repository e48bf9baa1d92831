/// Remembers which connections the program's ports should have: the existing ones, and those whose
/// ports are missing.
///
/// This type only keeps a record and does not call JACK. If the user removes a connection while
/// both ports exist, the record drops it. If a connection ends because a port or the server
/// disappears, it is restored when they come back.
///
/// JACK's graph is ahead of JACK's notifications: a port may have disappeared and come back, or be
/// new, before its notification arrives. Therefore a missing connection is dropped only after a
/// time without a notification about its ports. If a port was missing, its connections are not
/// dropped before its notification arrives, however long that takes: its client is not ready
/// earlier.
package struct ConnectionMemory {
    /// The time that JACK may take to report a port, in seconds.
    package static let notificationSeconds = 0.1

    /// The names of one port of the program and of another port.
    ///
    /// Names of the program's ports begin with a colon and omit the client's name, which a server
    /// may change.
    package struct Pair: Hashable, Sendable {
        package var own: String
        package var other: String

        package init(own: String, other: String) {
            self.own = own
            self.other = other
        }
    }

    /// The current graph.
    package struct Graph {
        /// The names of all ports.
        package var ports: Set<String>
        /// The connections of the program's ports.
        package var connections: Set<Pair>

        package init(ports: Set<String>, connections: Set<Pair>) {
            self.ports = ports
            self.connections = connections
        }

        fileprivate func hasPorts(_ pair: Pair) -> Bool {
            ports.contains(pair.own) && ports.contains(pair.other)
        }
    }

    /// The connections that exist, or should exist when their ports do.
    package private(set) var wantedConnections: Set<Pair> = []
    /// The connections that the rules have already requested once.
    private var requested: Set<Pair> = []
    /// Ports that have appeared since the graph was last read, so that the user did not remove
    /// their missing connections.
    private var arrivals: Set<String> = []
    /// Ports that were missing when the graph was read, and that JACK has not reported since.
    private var unreported: Set<String> = []
    /// Missing connections between existing ports, with the time when each was first found missing,
    /// in seconds.
    private var missingSince: [Pair: Double] = [:]
    /// Whether the graph belongs to a new server, so that all its ports have just appeared.
    private var isNewGraph = false
    /// Ports that disappeared with the server and have not come back.
    private var portsToReturn: Set<String> = []
    /// Connections that JACK refused to restore.
    private var refused: Set<Pair> = []

    package init() {}

    /// Notes that a port has appeared.
    ///
    /// The rules apply to it again, unless it comes back with the server.
    package mutating func portAppeared(_ port: String) {
        arrivals.insert(port)
        unreported.remove(port)
        if portsToReturn.remove(port) == nil { requested = requested.filter { $0.other != port } }
    }

    /// Updates the record from the current graph.
    ///
    /// - Parameters:
    ///   - graph: The current graph.
    ///   - nowSeconds: The current time, in seconds.
    /// - Returns: The connections to restore, sorted by name.
    package mutating func update(from graph: Graph, nowSeconds: Double) -> [Pair] {
        if isNewGraph { arrivals.formUnion(graph.ports) }
        isNewGraph = false
        unreported.formUnion(Set(wantedConnections.map(\.other)).subtracting(graph.ports))
        unreported.subtract(graph.connections.map(\.other))
        let unsure = arrivals.union(unreported)
        let missing = wantedConnections.subtracting(graph.connections).subtracting(refused).filter {
            graph.hasPorts($0) && !unsure.contains($0.own) && !unsure.contains($0.other)
        }
        missingSince = missingSince.filter { missing.contains($0.key) }
        for pair in missing where missingSince[pair] == nil { missingSince[pair] = nowSeconds }
        let forgotten = missingSince.filter { nowSeconds - $0.value >= Self.notificationSeconds }
            .keys
        wantedConnections.subtract(forgotten)
        arrivals = []
        wantedConnections.formUnion(graph.connections)
        refused.subtract(graph.connections)
        for pair in forgotten { missingSince[pair] = nil }
        return wantedConnections.subtracting(graph.connections).filter {
            graph.hasPorts($0) && missingSince[$0] == nil
        }.sorted { ($0.own, $0.other) < ($1.own, $1.other) }
    }

    /// The time of the next `update` without a notification, in seconds; a missing connection is
    /// dropped then.
    package var dueSeconds: Double? {
        missingSince.values.min().map { $0 + Self.notificationSeconds }
    }

    /// Notes whether a connection could be made.
    package mutating func recordAttempt(_ pair: Pair, isConnected: Bool) {
        if isConnected {
            wantedConnections.insert(pair)
        } else if wantedConnections.contains(pair) {
            refused.insert(pair)
        }
    }

    /// Forgets a connection that a client removes: it is not restored, and its rule applies again
    /// only when the other port comes back.
    package mutating func forget(_ pair: Pair) {
        wantedConnections.remove(pair)
        missingSince[pair] = nil
        requested.insert(pair)
    }

    /// Returns whether a connection that a rule requests should be made: `true` only the first
    /// time.
    package mutating func mayRequest(for pair: Pair) -> Bool { requested.insert(pair).inserted }

    /// Notes that a server is back, with the given ports.
    package mutating func reconnected(to ports: Set<String>) {
        portsToReturn = Set((wantedConnections.union(requested)).map(\.other)).subtracting(ports)
        isNewGraph = true
        refused = []
        missingSince = [:]
    }

    /// Notes that one port of the program has another name.
    package mutating func portRenamed(_ old: String, _ new: String) {
        let renamed = { (pair: Pair) in
            Pair(
                own: pair.own == old ? new : pair.own, other: pair.other == old ? new : pair.other)
        }
        wantedConnections = Set(wantedConnections.map(renamed))
        requested = Set(requested.map(renamed))
        refused = Set(refused.map(renamed))
        missingSince = Dictionary(
            uniqueKeysWithValues: missingSince.map { (renamed($0.key), $0.value) })
    }
}
