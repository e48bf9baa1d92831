internal import Engine
internal import Processing

/// Lets the engine use more cores when the measured times of the nodes show that they pay, and
/// requests a new plan when these times have changed.
///
/// Only the session's thread uses it.
final class CoreUse {
    /// The reports of all loads between two decisions, about a second.
    private static let reportsPerDecision = 12
    /// The number of decisions after a new plan before the next one, about ten seconds.
    private static let decisionsPerPlan = 10

    private let engine: Engine
    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private let isAutomatic: Bool
    private var coreCount: Int
    /// Whether threads run the engine's workers; if not, the engine uses one core.
    var hasWorkers = true {
        didSet {
            guard hasWorkers != oldValue else { return }
            coreCount = hasWorkers && !isAutomatic ? engine.workers.count + 1 : 1
            (reportCount, costSums, countedReports) = (0, [], -1)
            engine.useCores(coreCount)
        }
    }
    /// The number of reports since the last decision.
    private var reportCount = 0
    /// The sum of the times of each node in the reports that count, in ns.
    private var costSums: [Double] = []
    /// The number of reports that count; negative while the next one also covers cycles of another
    /// schedule.
    private var countedReports = 0
    /// The number of decisions until a new plan may be requested.
    private var decisionsUntilPlan = 0

    /// Creates the decision for an engine, which then begins with one core.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - pool: Contains the active schedule, whose nodes keep the measured times.
    ///   - transitions: Replaces the active schedule with one that is planned from these times.
    ///   - isAutomatic: Whether the number of cores depends on the times; otherwise the engine
    ///     always uses all of them.
    init(
        of engine: Engine, pool: SchedulePool, transitions: ScheduleTransitions, isAutomatic: Bool
    ) {
        self.engine = engine
        self.pool = pool
        self.transitions = transitions
        self.isAutomatic = isAutomatic
        coreCount = isAutomatic ? 1 : engine.workers.count + 1
        engine.useCores(coreCount)
    }

    /// Follows the loads in a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - active: The schedule that the report refers to.
    func receive(_ report: Report, active: ActiveSchedule) {
        guard hasWorkers, !engine.workers.isEmpty else { return }
        let format = active.plan.format
        let period = Double(format.maximumBlockFrames) / format.sampleRate * 1e9
        switch report {
        case .exchanged: (costSums, countedReports) = ([], -1)
        case .load(let node, let mean, _) where countedReports >= 0:
            while costSums.count <= Int(node) { costSums.append(0) }
            costSums[Int(node)] += Double(mean) * period
        case .totalLoad:
            reportCount += 1
            countedReports += 1
            guard reportCount >= Self.reportsPerDecision, countedReports > 0 else { return }
            let costs = costSums.map { $0 / Double(countedReports) }
            (reportCount, costSums, countedReports) = (0, [], 0)
            decide(active, costs, period)
        default: break
        }
    }

    private func decide(_ active: ActiveSchedule, _ costs: [Double], _ period: Double) {
        if isAutomatic {
            coreCount = CoreChoice.coreCount(
                for: active.plan, nodes: costs, periodNanoseconds: period,
                available: engine.workers.count + 1, current: coreCount)
            engine.useCores(coreCount)
        }
        decisionsUntilPlan -= 1
        guard active.nodeIDs == pool.active.nodeIDs else { return }
        for (node, cost) in costs.enumerated() {
            pool.active.noteCost(ofNode: node, nanoseconds: cost)
        }
        // A better plan can be the reason to use more cores.
        let isUseful =
            coreCount > 1
            || isAutomatic && CoreChoice.isLong(nodes: costs, periodNanoseconds: period)
        guard isUseful, decisionsUntilPlan <= 0, active.plan.isOutdated(forNodes: costs),
            transitions.planAgain()
        else { return }
        decisionsUntilPlan = Self.decisionsPerPlan
    }
}
