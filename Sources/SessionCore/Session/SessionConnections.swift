public import Pipelines

/// The connections of all JACK ports of a session at one time.
public struct SessionConnections: Sendable, Equatable {
    /// The ports: the inputs, then the outputs.
    public var ports: [Port]
    /// The indices in `ports` of the ports whose state differs from the previous event; all of them
    /// in the first event.
    public var changed: [Int]

    /// The connections of one port.
    public struct Port: Sendable, Equatable {
        /// The short name of the port.
        public var name: String
        /// Whether the port belongs to an input.
        public var isInput: Bool
        /// The kind of the port's signal.
        public var kind: Pipeline.SignalKind
        /// The full names of the ports that it is connected to.
        public var others: [String]
        /// The rules in `connect` that have no port for this one.
        public var unmatchedRules: [UnmatchedRule]
        /// The connections of the port that rules in `connect` request.
        public var ruledConnections: [RuledConnection]

        /// Creates the connections of a port from their parts.
        public init(
            name: String, isInput: Bool, kind: Pipeline.SignalKind = .audio, others: [String] = [],
            unmatchedRules: [UnmatchedRule] = [], ruledConnections: [RuledConnection] = []
        ) {
            self.name = name
            self.isInput = isInput
            self.kind = kind
            self.others = others
            self.unmatchedRules = unmatchedRules
            self.ruledConnections = ruledConnections
        }

        /// Whether the port has no connection, because its rules match no port.
        ///
        /// It is `false` for a port without rules, and for one that the user disconnected.
        public var lacksConnection: Bool { others.isEmpty && !unmatchedRules.isEmpty }
    }

    /// A rule in `connect` that matches no port.
    public struct UnmatchedRule: Sendable, Equatable {
        /// The rule, as in the file.
        public var text: String
        /// The name of the most similar port; `nil` if none is similar.
        public var nearest: String?

        /// Creates a rule from its parts.
        public init(text: String, nearest: String? = nil) {
            self.text = text
            self.nearest = nearest
        }
    }

    /// A connection that a rule in `connect` requests.
    public struct RuledConnection: Sendable, Equatable {
        /// The full name of the other port.
        public var other: String
        /// The rule, as in the file.
        public var rule: String

        /// Creates a connection from its parts.
        public init(other: String, rule: String) {
            self.other = other
            self.rule = rule
        }
    }

    /// Creates connections from their parts.
    public init(ports: [Port], changed: [Int]) {
        self.ports = ports
        self.changed = changed
    }
}
