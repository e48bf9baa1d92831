/// Which connections of our ports are to be there: the ones that are, and those whose ports are away.
///
/// It only keeps the books, so that it needs no server. What the user takes apart while both ports are there is
/// forgotten; what comes apart because a port or the server goes is made again when they come back.
///
/// JACK's graph runs ahead of what JACK tells: a port may have gone and come back, or be there anew, before we hear of
/// it. So what is missing is forgotten only after a while in which no port of it was told of; and where a port was away,
/// not before it is told of, for that is when its client is ready, which may take any time.
package struct ConnectionMemory {
    /// How long JACK may take to tell of a port.
    package static let doubtSeconds = 0.1

    /// A port of ours and another, by name.
    ///
    /// Names of our own ports are without the client's, which a server may change, and so begin with a colon.
    package struct Pair: Hashable, Sendable {
        package var own: String
        package var other: String

        package init(own: String, other: String) {
            self.own = own
            self.other = other
        }
    }

    /// The graph as it is.
    package struct Graph {
        /// All ports there are.
        package var ports: Set<String>
        /// The connections of our ports.
        package var connections: Set<Pair>

        package init(ports: Set<String>, connections: Set<Pair>) {
            self.ports = ports
            self.connections = connections
        }

        fileprivate func hasBoth(_ pair: Pair) -> Bool {
            ports.contains(pair.own) && ports.contains(pair.other)
        }
    }

    /// What is connected, or would be if its ports were there.
    package private(set) var links: Set<Pair> = []
    /// What the rules have asked for, and do not ask for again.
    private var asked: Set<Pair> = []
    /// Ports that appeared since the graph was looked at last: what they lack was not taken apart.
    private var arrivals: Set<String> = []
    /// Ports that were away when the graph was looked at, and that JACK has not told of since.
    private var untold: Set<String> = []
    /// What is missing between ports that are there, with the time when it was first seen, in seconds.
    private var doubts: [Pair: Double] = [:]
    /// Whether the graph is a new server's, in which all has just arrived.
    private var isNewGraph = false
    /// Ports that the server took with it, and that have not come back yet.
    private var awaited: Set<String> = []
    /// What could not be made again so far.
    private var refused: Set<Pair> = []

    package init() {}

    /// Notes that a port appeared: the rules hold for it anew, unless it comes back with the server.
    package mutating func appeared(_ port: String) {
        arrivals.insert(port)
        untold.remove(port)
        if awaited.remove(port) == nil { asked = asked.filter { $0.other != port } }
    }

    /// Looks at the graph, at a time in seconds.
    ///
    /// - Returns: The connections to make again, in the order of their names.
    package mutating func look(at graph: Graph, nowSeconds: Double) -> [Pair] {
        if isNewGraph { arrivals.formUnion(graph.ports) }
        isNewGraph = false
        untold.formUnion(Set(links.map(\.other)).subtracting(graph.ports))
        untold.subtract(graph.connections.map(\.other))
        let unsure = arrivals.union(untold)
        let missing = links.subtracting(graph.connections).subtracting(refused).filter {
            graph.hasBoth($0) && !unsure.contains($0.own) && !unsure.contains($0.other)
        }
        doubts = doubts.filter { missing.contains($0.key) }
        for pair in missing where doubts[pair] == nil { doubts[pair] = nowSeconds }
        let forgotten = doubts.filter { nowSeconds - $0.value >= Self.doubtSeconds }.keys
        links.subtract(forgotten)
        arrivals = []
        links.formUnion(graph.connections)
        refused.subtract(graph.connections)
        for pair in forgotten { doubts[pair] = nil }
        return links.subtracting(graph.connections).filter {
            graph.hasBoth($0) && doubts[$0] == nil
        }.sorted { ($0.own, $0.other) < ($1.own, $1.other) }
    }

    /// When to look again, whatever happens: what is missing is to be forgotten then.
    package var dueSeconds: Double? { doubts.values.min().map { $0 + Self.doubtSeconds } }

    /// Notes what came of making a connection.
    package mutating func made(_ pair: Pair, isThere: Bool) {
        if isThere { links.insert(pair) } else if links.contains(pair) { refused.insert(pair) }
    }

    /// Whether a rule's wish is to be fulfilled, which it is once.
    package mutating func mayAsk(for pair: Pair) -> Bool { asked.insert(pair).inserted }

    /// Notes that a server is there again, with these ports.
    package mutating func returned(to ports: Set<String>) {
        awaited = Set((links.union(asked)).map(\.other)).subtracting(ports)
        isNewGraph = true
        refused = []
        doubts = [:]
    }

    /// Notes that a port of ours has another name.
    package mutating func renamed(_ old: String, _ new: String) {
        let renamed = { (pair: Pair) in
            Pair(
                own: pair.own == old ? new : pair.own, other: pair.other == old ? new : pair.other)
        }
        links = Set(links.map(renamed))
        asked = Set(asked.map(renamed))
        refused = Set(refused.map(renamed))
        doubts = Dictionary(uniqueKeysWithValues: doubts.map { (renamed($0.key), $0.value) })
    }
}
