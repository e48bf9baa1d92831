public import Pipelines

/// A port of the JACK server, to which ports of a session can be connected.
public struct ServerPort: Sendable, Equatable {
    /// The full name, as in `connect`.
    public var name: String
    /// The kind of the signal.
    public var kind: Pipeline.SignalKind
    /// Whether inputs of a pipeline can be connected to the port; otherwise outputs can.
    public var isForInputs: Bool
    /// Whether the port belongs to hardware.
    public var isPhysical: Bool
    /// Other names of the port, which `connect` does not accept.
    public var aliases: [String]
    /// The notes of other programs about the port; empty if they are not read.
    public var metadata = Metadata()

    /// The notes about a port in JACK's metadata, which any program may write.
    public struct Metadata: Sendable, Equatable {
        /// The name for people.
        public var prettyName: String?
        /// The name of the group in which the port belongs.
        public var group: String?
        /// The position among the ports of its client.
        public var order: Int?
        /// The kind of the signal in an audio port, such as "CV".
        public var signalType: String?

        /// Creates empty notes.
        public init() {}
    }

    /// Creates a port from its parts.
    public init(
        name: String, kind: Pipeline.SignalKind, isForInputs: Bool, isPhysical: Bool = false,
        aliases: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.isForInputs = isForInputs
        self.isPhysical = isPhysical
        self.aliases = aliases
    }
}

/// A request about the ports of the JACK server, which the session's host carries out.
public enum PortRequest: Sendable, Equatable {
    /// Lists all ports of the server.
    case list
    /// Connects two ports until one of them disappears, as a patchbay does.
    case connect(PortPair)
    /// Disconnects two ports; a rule connects them again only when the other port comes back.
    case disconnect(PortPair)
}

/// A port of the session and a port of the server.
public struct PortPair: Sendable, Equatable {
    /// The short name of the session's port, without the name of the client.
    public var own: String
    /// The full name of the other port.
    public var other: String

    /// Creates a pair from its parts.
    public init(own: String, other: String) {
        self.own = own
        self.other = other
    }
}
