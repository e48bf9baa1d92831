/// The shares of the nodes in the load, and the factor by which the load grows if a node returns.
///
/// Shares do not depend on the speed of the machine, which differs before and after a reduction.
package struct LoadShares {
    /// The smoothed shares by the id of the node.
    private var shares: [String: Double] = [:]
    /// The shares before the nodes gave way.
    private var fullShares: [String: Double] = [:]

    package init() {}

    /// Adds the loads of a report.
    ///
    /// - Parameters:
    ///   - loads: The mean load of each node, by its id.
    ///   - total: The mean load of the whole cycle. With several cores it can be lower than the sum.
    ///   - seconds: The time since the last report.
    package mutating func add(_ loads: [String: Double], total: Double, seconds: Double) {
        let whole = max(total, loads.values.reduce(0, +))
        guard whole > 0, whole.isFinite else { return }
        for (node, load) in loads {
            let share = load / whole
            shares[node, default: share] += (share - (shares[node] ?? share)) * min(1, seconds)
        }
    }

    /// Returns the share of a node in the load; 0 if it is not known.
    package func share(of node: String) -> Double { shares[node] ?? 0 }

    /// Remembers the share of a node that gives way now.
    package mutating func noteReduction(of node: String) {
        fullShares[node] = shares[node]
        shares[node] = nil
    }

    /// Forgets the reduced share of a node that has returned.
    package mutating func noteReturn(of node: String) { shares[node] = nil }

    /// Returns the expected factor of the load if a node returns; 1 if it is not known.
    ///
    /// The load of the other nodes is the same: with the shares f before and r now, it is 1 - f of
    /// the former load and 1 - r of the present one.
    package func factor(ofReturning node: String) -> Double {
        guard let full = fullShares[node], let reduced = shares[node] else { return 1 }
        return max(1, (1 - reduced) / max(0.02, 1 - full))
    }
}
