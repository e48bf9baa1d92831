/// A node that begins or ends to play its cheaper variant.
public struct NodeReduction: Sendable, Equatable {
    /// The id of the node.
    public var node: String
    /// The reason.
    public var reason: Reason
    /// The mean load before the change, as a share of the period.
    public var load: Double

    /// The reason of a change.
    public enum Reason: String, Sendable, CaseIterable {
        /// Two cycles within a second were late.
        case late
        /// The load was high for half a second.
        case load
        /// The load has been low for some time.
        case calm
        /// No sound card waits for the output.
        case offline
        /// Another song or an edited file plays.
        case replaced
    }

    /// Creates a change from its parts.
    package init(node: String, reason: Reason, load: Double) {
        self.node = node
        self.reason = reason
        self.load = load
    }
}
