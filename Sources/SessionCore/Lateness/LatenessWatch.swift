internal import Engine

/// Decides from late cycles and loads when nodes give way, and when one returns.
///
/// Its clock is the audio: it advances with each report of the load. A node gives way early, because a
/// late cycle is heard, and returns late, because an exchange costs time too.
package struct LatenessWatch {
    /// The time in which late cycles count together, in seconds.
    package static let windowSeconds = 1.0
    /// The number of late cycles in that time after which a node gives way.
    package static let lateCycles = 2
    /// The mean load from which on a node gives way, and for how long it lasts, in seconds.
    package static let highLoad = ReductionRule.highLoad
    package static let highSeconds = 0.5
    /// The mean load below which an xrun of the server is not a matter of the nodes.
    package static let sharedLoad = 0.5
    /// The number of reports of the load to wait for after an exchange: the first one contains cycles
    /// from before its end.
    package static let settlingReports = 2
    /// The shortest and the longest calm after which a node returns, in seconds.
    package static let calmSeconds = 10.0
    package static let longestCalmSeconds = 320.0
    /// The time after a return in which another reduction doubles the calm, in seconds.
    package static let relapseSeconds = 600.0
    /// The mean load below which the nodes must remain if a node returns.
    package static let restoredLoad = 0.65

    /// A change that is due.
    package enum Change: Equatable {
        /// The next node gives way.
        case reduce(NodeReduction.Reason)
        /// The last node returns.
        case restore
    }

    /// The late cycles in the time between two reports of the load.
    private struct Late {
        var seconds: Double
        var overruns = 0
        var xruns = 0
    }

    private var nowSeconds = 0.0
    private var late: [Late] = []
    private var highSince: Double?
    private var calmSince = 0.0
    private var returnedAt: Double?
    private var settling = 0
    /// Whether the audio thread itself lets nodes give way after overruns.
    private let leavesOverruns: Bool
    /// The calm that is needed now, in seconds.
    package private(set) var neededCalmSeconds = calmSeconds
    /// The mean load in the last report, as a share of the period.
    package private(set) var load = 0.0
    /// The mean load of about the last second.
    package private(set) var smoothLoad = 0.0
    /// A load that lasts: the lower of the last report and of about a second, so that one long
    /// interruption does not count.
    package var steadyLoad: Double { min(load, smoothLoad) }

    /// Creates a watch without measurements.
    ///
    /// - Parameter leavesOverruns: Whether the audio thread itself lets nodes give way after overruns.
    package init(leavesOverruns: Bool = false) { self.leavesOverruns = leavesOverruns }

    // MARK: Measurements

    /// Adds a cycle that took longer than its period.
    package mutating func addOverrun() { add(overruns: 1, xruns: 0) }

    /// Adds xruns of the server; they count if the nodes have a part in them.
    package mutating func addXruns(_ count: Int) {
        if smoothLoad >= Self.sharedLoad || load >= Self.sharedLoad {
            add(overruns: 0, xruns: count)
        }
    }

    private mutating func add(overruns: Int, xruns: Int) {
        calmSince = nowSeconds
        guard settling == 0 else { return }
        if late.last?.seconds != nowSeconds { late.append(Late(seconds: nowSeconds)) }
        let last = late.count - 1
        late[last].overruns += overruns
        late[last].xruns += xruns
    }

    /// Adds a report of the load.
    ///
    /// - Parameters:
    ///   - newLoad: The mean load since the last report, as a share of the period.
    ///   - seconds: The time since the last report.
    package mutating func addLoad(_ newLoad: Double, seconds: Double) {
        guard newLoad.isFinite, newLoad >= 0 else { return }
        load = newLoad
        smoothLoad += (load - smoothLoad) * min(1, seconds)
        nowSeconds += seconds
        late.removeAll { $0.seconds <= nowSeconds - Self.windowSeconds }
        if load < Self.highLoad { highSince = nil }
        guard settling == 0 else { return settling -= 1 }
        if load >= Self.highLoad, highSince == nil { highSince = nowSeconds - seconds }
    }

    /// The number of late cycles in the last second that matter here; one can be both an overrun and an
    /// xrun.
    private var lateCount: Int {
        let overruns = late.reduce(0) { $0 + $1.overruns }
        let xruns = late.reduce(0) { $0 + $1.xruns }
        return leavesOverruns ? xruns - overruns : max(overruns, xruns)
    }

    // MARK: Decision

    /// Returns the change that is due; `nil` if none is.
    ///
    /// - Parameters:
    ///   - canReduce: Whether a node can give way.
    ///   - loadFactor: The expected factor of the load if the last node returns; `nil` if none has
    ///     given way.
    /// - Returns: The change.
    package func dueChange(canReduce: Bool, loadFactor: Double?) -> Change? {
        guard settling == 0 else { return nil }
        if canReduce {
            if lateCount >= Self.lateCycles { return .reduce(.late) }
            if let highSince, nowSeconds - highSince >= Self.highSeconds - 0.001 {
                return .reduce(.load)
            }
        }
        guard let loadFactor, nowSeconds - calmSince >= neededCalmSeconds,
            smoothLoad * loadFactor < Self.restoredLoad
        else { return nil }
        return .restore
    }

    // MARK: Changes

    /// Notes that a node has given way.
    package mutating func noteReduction() {
        if let returnedAt {
            neededCalmSeconds =
                nowSeconds - returnedAt < Self.relapseSeconds
                ? min(Self.longestCalmSeconds, 2 * neededCalmSeconds) : Self.calmSeconds
        }
        returnedAt = nil
        settle()
    }

    /// Notes that a node has returned.
    package mutating func noteReturn() {
        returnedAt = nowSeconds
        settle()
    }

    /// Waits until an exchange has ended and its effect is measured.
    package mutating func settle() {
        (late, highSince, calmSince) = ([], nil, nowSeconds)
        settling = Self.settlingReports
    }

    /// Waits for an exchange that is not the watch's own, without an end of the calm.
    package mutating func pause() {
        (late, highSince) = ([], nil)
        settling = Self.settlingReports
    }
}
