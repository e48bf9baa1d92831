internal import CRealtime
internal import SessionCore

/// Connects the ports of a session, at the start and soon after each change of the graph.
///
/// One thread uses it, never inside a JACK callback. Times are in ns of the monotonic clock.
struct PortConnector {
    /// The time that the client of a new port may need to register its other ports.
    private static let settlingNanoseconds: UInt64 = 30_000_000

    private let followsRules: Bool
    private var keeper: ConnectionKeeper
    /// When the connection rules must be applied again; `nil` if nothing has changed.
    private var nextDue: UInt64?

    /// Creates a connector without ports.
    ///
    /// - Parameter followsRules: Whether it makes the connections that the pipeline file requests.
    init(followsRules: Bool) {
        self.followsRules = followsRules
        keeper = ConnectionKeeper(followsRules: followsRules)
    }

    /// The time to connect the ports again, without a further change.
    var due: UInt64 { nextDue ?? .max }
    /// The patterns of connection rules that are not valid regular expressions.
    var invalidPatterns: [String] { keeper.invalidPatterns }

    // MARK: Changes

    /// Continues with the current ports.
    mutating func follow(_ registered: RegisteredPorts, _ renamings: [RegisteredPorts.Renaming]) {
        keeper.follow(registered, renamings)
    }

    /// Forgets the ports and their connections, because another session follows.
    mutating func forgetPorts() { keeper = ConnectionKeeper(followsRules: followsRules) }

    /// Continues with a server that is back; the program's ports are already registered.
    mutating func returned(to client: JackClient) { keeper.reconnected(to: client) }

    /// Notes that a port has appeared.
    mutating func portAppeared(_ identity: UInt32, _ client: JackClient) {
        keeper.portAppeared(identity, client)
        connectSoon()
    }

    /// Lets the ports be connected when the graph has settled.
    mutating func connectSoon() { nextDue = nextDue ?? rt_nanoseconds() + Self.settlingNanoseconds }

    /// Lets the ports be connected at once.
    mutating func connectNow() { nextDue = rt_nanoseconds() }

    /// Cancels the next connecting, because the session leaves the server.
    mutating func cancel() { nextDue = nil }

    // MARK: Connections

    /// Returns the current connections of all ports, and the rules that match no port.
    func portConnections(_ client: JackClient) -> [SessionConnections.Port] {
        keeper.portConnections(client)
    }

    /// Connects or disconnects two ports by order of a client.
    ///
    /// - Returns: `nil` if it is done; otherwise the reason, and the name that was probably meant.
    mutating func change(
        _ pair: PortPair, isConnected: Bool, _ client: JackClient
    ) -> (reason: String, suggestion: String?)? {
        keeper.change(pair, isConnected: isConnected, client)
    }

    /// Notes the existing connections, and restores missing ones.
    mutating func restore(_ client: JackClient) { keeper.restore(client) }

    /// Applies the connection rules to the current ports of the graph.
    ///
    /// - Returns: The pairs of ports that JACK refused to connect.
    mutating func connect(_ client: JackClient) -> [ConnectionKeeper.Refusal] {
        let refusals = keeper.connect(client)
        nextDue = keeper.dueNanoseconds
        return refusals
    }
}
