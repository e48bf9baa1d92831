internal import CJack
internal import CRealtime
internal import Engine
internal import Glibc
internal import Pipelines
internal import SessionCore

/// Makes the connections that the pipeline file requests and restores earlier ones, at the start
/// and whenever a port appears.
///
/// One thread uses it, never inside a JACK callback.
struct ConnectionKeeper {
    /// The longest wait for a connection that PipeWire has accepted, in steps of 10 ms.
    private static let longestWaitSteps = 5
    private static let waitStepMicroseconds: UInt32 = 10_000

    private let followsRules: Bool
    private var signals: [(ports: SignalPorts, rules: ConnectionRules)] = []
    private var memory = ConnectionMemory()

    /// The full names of two ports that JACK refused to connect.
    struct Refusal {
        var own: String
        var other: String
    }

    init(followsRules: Bool) { self.followsRules = followsRules }

    /// The patterns of rules that are not valid regular expressions.
    var invalidPatterns: [String] { signals.flatMap(\.rules.invalidPatterns) }

    /// Continues with the current ports.
    mutating func follow(_ registered: RegisteredPorts, _ renamings: [RegisteredPorts.Renaming]) {
        for renaming in renamings { memory.portRenamed(":" + renaming.old, ":" + renaming.new) }
        let old = Set(signals.flatMap { $0.ports.ports.map(\.name) })
        for name in registered.portNames.subtracting(old) { memory.portAppeared(":" + name) }
        signals = registered.signals.map {
            let rules = followsRules ? $0.signal.connect : []
            return ($0, ConnectionRules(rules, channels: $0.ports.count))
        }
    }

    /// Continues with a server that is back; the program's ports are already registered.
    mutating func reconnected(to client: JackClient) {
        memory.reconnected(to: Set(client.portNames().map { relativeName($0, client) }))
    }

    /// Notes that a port has appeared, so that it is connected even if a port with the same name
    /// existed before.
    mutating func portAppeared(_ identity: UInt32, _ client: JackClient) {
        guard let port = jack_port_by_id(client.handle, identity) else { return }
        let name = relativeName(String(cString: jack_port_name(port)), client)
        // The program's own ports were noted at registration; JACK reports them again when the
        // client is activated.
        if !name.hasPrefix(":") { memory.portAppeared(name) }
    }

    /// The time to connect again even if no port appears, in ns of the monotonic clock.
    var dueNanoseconds: UInt64? { memory.dueSeconds.map { UInt64($0 * 1e9) } }

    /// Notes the existing connections, and restores missing ones.
    mutating func restore(_ client: JackClient) {
        for pair in memory.update(from: graph(client), nowSeconds: Double(rt_nanoseconds()) * 1e-9)
        {
            memory.recordAttempt(pair, isConnected: connect(pair, client))
        }
    }

    /// Restores missing connections, and makes connections that the rules request for the first
    /// time.
    ///
    /// - Returns: The pairs of ports that JACK refused to connect.
    mutating func connect(_ client: JackClient) -> [Refusal] {
        restore(client)
        return requestedPairs(client).compactMap { pair in
            guard memory.mayRequest(for: pair) else { return nil }
            let isConnected = connect(pair, client)
            memory.recordAttempt(pair, isConnected: isConnected)
            return isConnected
                ? nil
                : Refusal(own: fullName(pair.own, client), other: fullName(pair.other, client))
        }
    }

    private func graph(_ client: JackClient) -> ConnectionMemory.Graph {
        var connections: Set<ConnectionMemory.Pair> = []
        for port in signals.flatMap(\.ports.ports) {
            for other in port.connections(client) {
                connections.insert(.init(own: ":" + port.name, other: relativeName(other, client)))
            }
        }
        return ConnectionMemory.Graph(
            ports: Set(client.portNames().map { relativeName($0, client) }),
            connections: connections)
    }

    private func requestedPairs(_ client: JackClient) -> [ConnectionMemory.Pair] {
        signals.filter { !$0.rules.isEmpty && !$0.ports.ports.isEmpty }.flatMap { ports, rules in
            let others = client.portNames(ports.signal.kind, areInputs: !ports.isInput)
            return rules.connections(among: others, passingOver: client.name + ":").map {
                ConnectionMemory.Pair(
                    own: ":" + ports.ports[$0.channel].name, other: relativeName($0.port, client))
            }
        }
    }

    /// Connects or disconnects two ports by order of a client.
    ///
    /// - Returns: `nil` if it is done; otherwise the reason, and the name that was probably meant.
    mutating func change(
        _ pair: PortPair, isConnected: Bool, _ client: JackClient
    ) -> (reason: String, suggestion: String?)? {
        let known = signals.flatMap { signal in signal.ports.ports.map { ($0, signal.ports) } }
        guard let (own, signal) = known.first(where: { $0.0.name == pair.own }) else {
            return (
                "the session has no port \"\(pair.own)\"",
                Nearest.name(to: pair.own, in: known.map(\.0.name))
            )
        }
        let candidates = client.portNames(signal.signal.kind, areInputs: !signal.isInput)
        guard candidates.contains(pair.other) else {
            let kind = signal.signal.kind.rawValue
            return (
                "\"\(pair.own)\" needs \(signal.isInput ? "an output" : "an input") of the kind "
                    + "\(kind) on the server, and \"\(pair.other)\" is none",
                Nearest.name(to: pair.other, in: candidates)
            )
        }
        let relative = ConnectionMemory.Pair(
            own: ":" + own.name, other: relativeName(pair.other, client))
        guard isConnected else {
            memory.forget(relative)
            return disconnect(relative, client) ? nil : ("JACK refused to disconnect them", nil)
        }
        let isDone = connect(relative, client)
        if isDone { memory.recordAttempt(relative, isConnected: true) }
        return isDone ? nil : ("JACK refused to connect them", nil)
    }

    /// Returns the current connections of all ports, the rules that request them, and the rules that
    /// match no port.
    func portConnections(_ client: JackClient) -> [SessionConnections.Port] {
        signals.flatMap { ports, rules in
            let others =
                rules.isEmpty
                ? [] : client.portNames(ports.signal.kind, areInputs: !ports.isInput)
            let unmatched = rules.unmatched(among: others, passingOver: client.name + ":")
            let requested = rules.connections(among: others, passingOver: client.name + ":")
            return ports.ports.enumerated().map { channel, port in
                let peers = port.connections(client).sorted(by: isInNaturalOrder)
                return SessionConnections.Port(
                    name: port.name, isInput: ports.isInput, kind: ports.signal.kind,
                    others: peers,
                    unmatchedRules: unmatched.filter { $0.channels.contains(channel) }
                        .map { .init(text: $0.text, nearest: $0.nearest) },
                    ruledConnections: requested.filter {
                        $0.channel == channel && peers.contains($0.port)
                    }.map { .init(other: $0.port, rule: $0.rule) })
            }
        }
    }

    /// Connects two ports, in the direction of the signal: `jack_connect`.
    private func connect(_ pair: ConnectionMemory.Pair, _ client: JackClient) -> Bool {
        let (from, to) = ends(of: pair, client)
        let status = client.requests.send { jack_connect(client.handle, from, to) }
        guard status == 0 else { return status == EEXIST }
        return !JackLibrary.loaded.isPipeWire || hasAppeared(pair, client)
    }

    /// Returns whether a connection that PipeWire has accepted exists.
    ///
    /// PipeWire can ignore requests of a client and report success (`jack.self-connect-mode`).
    private func hasAppeared(_ pair: ConnectionMemory.Pair, _ client: JackClient) -> Bool {
        for _ in 0..<Self.longestWaitSteps {
            if graph(client).connections.contains(pair) { return true }
            usleep(Self.waitStepMicroseconds)
        }
        return false
    }

    /// Disconnects two ports: `jack_disconnect`.
    ///
    /// - Returns: Whether they are not connected any more.
    private func disconnect(_ pair: ConnectionMemory.Pair, _ client: JackClient) -> Bool {
        guard graph(client).connections.contains(pair) else { return true }
        let (from, to) = ends(of: pair, client)
        return client.requests.send { jack_disconnect(client.handle, from, to) } == 0
    }

    /// Returns the full names of two ports in the direction of the signal.
    private func ends(
        of pair: ConnectionMemory.Pair, _ client: JackClient
    ) -> (from: String, to: String) {
        let own = fullName(pair.own, client)
        let other = fullName(pair.other, client)
        let port = signals.lazy.flatMap(\.ports.ports).first { ":" + $0.name == pair.own }
        return port?.isInput == true ? (other, own) : (own, other)
    }

    /// Returns a full name in the form of `ConnectionMemory.Pair`, without the client's own name.
    private func relativeName(_ name: String, _ client: JackClient) -> String {
        let prefix = client.name + ":"
        return name.hasPrefix(prefix) ? ":" + name.dropFirst(prefix.count) : name
    }

    /// Returns the full name for a name in the form of `ConnectionMemory.Pair`.
    private func fullName(_ name: String, _ client: JackClient) -> String {
        name.hasPrefix(":") ? client.name + name : name
    }
}
