extension Replay {
    /// The result of a replay.
    public struct Result: Sendable, Equatable {
        /// The number of calls that were compared.
        public var comparedCalls = 0
        /// The number of calls whose output differs.
        public var differentCalls = 0
        /// The frame after the last call that differs; 0 if none does.
        public var equalFromFrame: UInt64 = 0
        /// The first call that differs, by its frame; `nil` if none does.
        public var firstDifference: UInt64?
        /// The frame after the last call that was replayed.
        public var endFrame: UInt64 = 0
        /// The first frame of the call at which the replay ended early, because the box lacks the
        /// pipeline that played from then on; `nil` if it lacks none.
        public var missingPipelineFrame: UInt64?
        /// The first frame of each call in which a node began to produce NaN or infinity.
        public var notFinite: [NodeAt] = []
        /// The plugins that failed in the replay.
        public var failures: [PluginFailure] = []
        /// The calls that took longer than their period, with their slowest node.
        public var late: [Late] = []

        /// Creates a result without a call.
        public init() {}

        /// Whether all calls are equal to the bit.
        public var isEqual: Bool { differentCalls == 0 }

        /// Returns whether the whole box was replayed and is equal, no NaN or infinity was found,
        /// and no plugin failed.
        ///
        /// A box without its beginning may differ at first, and a private box has nothing to
        /// compare with.
        public func confirms(_ facts: BoxFacts) -> Bool {
            guard notFinite.isEmpty, failures.isEmpty, missingPipelineFrame == nil else {
                return false
            }
            if facts.isPrivate { return true }
            return comparedCalls > 0
                && (isEqual || !facts.isWhole && equalFromFrame < endFrame)
        }
    }

    /// A node in a call.
    public struct NodeAt: Sendable, Equatable {
        /// The id of the node.
        public var node: String
        /// The first frame of the call.
        public var frame: UInt64

        /// Creates a place from its parts.
        public init(node: String, frame: UInt64) { (self.node, self.frame) = (node, frame) }
    }

    /// A plugin whose process ended or hung, or that called `exit`.
    public struct PluginFailure: Sendable, Equatable {
        /// The id of the node.
        public var node: String
        /// The URI of the plugin.
        public var plugin: String
        /// The first frame of the call after which the failure was known.
        public var frame: UInt64
        /// What happened, as a clause without a full stop.
        public var reason: String

        /// Creates a failure from its parts.
        public init(node: String, plugin: String, frame: UInt64, reason: String) {
            self.node = node
            self.plugin = plugin
            self.frame = frame
            self.reason = reason
        }
    }

    /// A call that took longer than its period when it was played.
    public struct Late: Sendable, Equatable {
        /// The first frame of the call.
        public var frame: UInt64
        /// The time of the call, in periods.
        public var periods: Double
        /// The slowest node; `nil` if no node ran.
        public var node: String?
        /// The time of that node, in periods.
        public var nodePeriods: Double
        /// The time that the node takes in the replay, in periods.
        public var replayedPeriods: Double

        /// Creates a call from its parts.
        public init(
            frame: UInt64, periods: Double, node: String?, nodePeriods: Double,
            replayedPeriods: Double
        ) {
            self.frame = frame
            self.periods = periods
            self.node = node
            self.nodePeriods = nodePeriods
            self.replayedPeriods = replayedPeriods
        }
    }
}
