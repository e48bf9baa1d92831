internal import Engine
internal import Pipelines
internal import Processing

/// Lets nodes play their cheaper variants while the machine is too slow, in the order of the file, and
/// returns them one after another in reverse order.
///
/// Only the session's thread uses it. The state is in the pipeline of the active schedule
/// (`Pipeline.Node.isReduced`), so that edits, scenes and restarts keep it.
final class NodeReductions {
    private let current: CurrentSong
    private let pool: SchedulePool
    private let transitions: ScheduleTransitions
    private let reports: ReportPublisher
    private let events: EventStream
    private let commands: CommandQueue
    private var watch: LatenessWatch
    private var shares = LoadShares()
    /// The mean load of each node since the last report of the whole load.
    private var loads: [String: Double] = [:]
    /// The number of attempts in a row to reduce a node that was not prepared.
    private var attempts: [String: Int] = [:]
    /// The ids of the reduced nodes that watchers know.
    private var published: [String] = []
    /// The schedule that was examined for variants, and whether it has any.
    private weak var examined: Schedule?
    private var isReducible = false
    /// The number of prepared variants when the schedule learned of them last.
    private var knownVariantCount = 0
    /// The ids of the nodes that the audio thread has halted and that are not exchanged yet.
    private var halted: Set<String> = []
    /// Whether an exchange of halted nodes was refused since the last report of the load.
    private var wasRefused = false

    /// The number of attempts after which another node gives way instead.
    private static let maximumAttempts = 8

    /// Creates the part of a session in which all nodes are complete.
    ///
    /// - Parameters:
    ///   - current: The current song.
    ///   - pool: Contains the active schedule.
    ///   - transitions: Exchanges the nodes.
    ///   - reports: Knows the schedule that the engine plays.
    ///   - events: Sends the changes to watchers.
    ///   - commands: Lets halted nodes run again whose variants cannot be prepared.
    ///   - leavesOverruns: Whether the audio thread itself halts nodes after overruns.
    init(
        current: CurrentSong, pool: SchedulePool, transitions: ScheduleTransitions,
        reports: ReportPublisher, events: EventStream, commands: CommandQueue,
        leavesOverruns: Bool
    ) {
        self.commands = commands
        watch = LatenessWatch(leavesOverruns: leavesOverruns)
        self.current = current
        self.pool = pool
        self.transitions = transitions
        self.reports = reports
        self.events = events
    }

    /// Whether any node of the active schedule has a cheaper variant; thousands of reports ask for it.
    private var hasReducibleNodes: Bool {
        if examined !== pool.active {
            examined = pool.active
            isReducible = pool.active.pipeline.hasReducibleNodes
            knownVariantCount = -1
        }
        return isReducible
    }

    /// The ids of the reduced nodes, in the order in which they were reduced.
    var reducedNodes: [String] { pool.active.pipeline.reducedNodes }

    /// The address `reduced` with its value; nothing if no node is reduced.
    var entries: [AddressValue] {
        guard hasReducibleNodes else { return [] }
        let nodes = reducedNodes
        return nodes.isEmpty ? [] : [AddressValue(Self.address, .text(Self.text(of: nodes)))]
    }

    /// The address with the ids of the reduced nodes.
    static let address = ReadOnlyAddress.reduced.rawValue

    private static func text(of nodes: [String]) -> String { nodes.joined(separator: " ") }

    // MARK: Halted nodes

    /// Follows the halts of nodes in a report.
    func receiveHalts(_ report: Report) {
        switch report {
        // The engine reports again which nodes of the new schedule are halted.
        case .exchanged: halted = []
        case .totalLoad: wasRefused = false
        case .halted(let node) where reports.active.nodeIDs.indices.contains(Int(node)):
            halted.insert(reports.active.nodeIDs[Int(node)])
        default: break
        }
    }

    /// Tells the active schedule which nodes it may halt.
    private func noteReadyVariants() {
        let count = pool.active.variants.count
        guard count != knownVariantCount else { return }
        knownVariantCount = count
        pool.active.noteReadyVariants()
    }

    /// Exchanges halted nodes for their variants; those that cannot be prepared run again.
    private func exchangeHalted(_ context: ScheduleTransitions.Context) {
        let active = pool.active.pipeline
        let indices = active.reductionOrder.filter { halted.contains(active.nodes[$0].id) }
        var (ready, waiting): ([Int], [Int]) = ([], [])
        for index in indices where !active.nodes[index].isReduced {
            var reduced = active.nodes[index]
            reduced.isReduced = true
            if reduced.isPaused || pool.active.variants.isPrepared(reduced) {
                ready.append(index)
            } else if pool.active.variants.hasFailed(reduced) {
                commands.send(.halt(node: Int32(clamping: index), false))
                halted.remove(reduced.id)
            } else {
                waiting.append(index)
            }
        }
        let next = ready.isEmpty ? waiting : ready
        // An edit may have removed the variant; the audio thread then lets the node run again.
        guard !next.isEmpty else { return halted = [] }
        wasRefused = !reduce(next, .late, context)
    }

    // MARK: Measurements

    /// Follows the loads and late cycles in a report.
    func receive(_ report: Report, countsOverruns: Bool) {
        guard hasReducibleNodes else { return }
        switch report {
        case .overrun where countsOverruns: watch.addOverrun()
        case .exchanged: loads = [:]
        case .load(let node, let mean, _) where reports.active.nodeIDs.indices.contains(Int(node)):
            loads[reports.active.nodeIDs[Int(node)]] = Double(mean)
        case .totalLoad(let mean, _) where countsOverruns:
            let seconds = reports.active.plan.format.reportSeconds
            watch.addLoad(Double(mean), seconds: seconds)
            shares.add(loads, total: Double(mean), seconds: seconds)
            loads = [:]
        default: break
        }
    }

    /// Counts xruns of the server.
    func addXruns(_ count: Int) { watch.addXruns(count) }

    // MARK: Changes

    /// Reduces or returns a node if that is due and possible now.
    ///
    /// - Parameters:
    ///   - context: The state of the session.
    ///   - isRealTime: Whether a sound card waits for the output; otherwise all nodes return.
    func advance(_ context: ScheduleTransitions.Context, isRealTime: Bool) {
        guard hasReducibleNodes || !published.isEmpty else { return }
        defer { announce(reason: .replaced) }
        let active = pool.active.pipeline
        guard hasReducibleNodes else { return }
        noteReadyVariants()
        if !halted.isEmpty, pool.isSpliced, pool.unannouncedCount == 0 {
            return wasRefused ? () : exchangeHalted(context)
        }
        guard isRealTime else { return restoreAll(context) }
        // Both versions run during an exchange, so late cycles mean nothing.
        guard pool.isSpliced, pool.unannouncedCount == 0 else { return watch.pause() }
        let next = nextToReduce
        let last = active.reductionOrder.last { active.nodes[$0].isReduced }
        let factor = last.map { shares.factor(ofReturning: active.nodes[$0].id) }
        switch watch.dueChange(canReduce: !next.isEmpty, loadFactor: factor) {
        case .reduce(let reason): reduce(next, reason, context)
        case .restore: if let last { restore(last, context) }
        case nil: break
        }
    }

    /// The indices of the nodes that give way next, in their order: one, or as many as a machine needs
    /// that is late in every cycle.
    private var nextToReduce: [Int] {
        let pipeline = pool.active.pipeline
        let present = watch.steadyLoad
        var (expected, next): (Double, [Int]) = (present, [])
        for index in pipeline.reductionOrder {
            let node = pipeline.nodes[index]
            guard !node.isReduced, attempts[node.id, default: 0] < Self.maximumAttempts,
                !pool.active.variants.hasFailed(pipeline.reducing(index, true).nodes[index])
            else { continue }
            next.append(index)
            let saving = node.whenLate?.isBypass == true ? 1 : ReductionRule.savingBySettings
            expected -= present * shares.share(of: node.id) * saving
            // Without a measurement, only experience can show how much a node saves.
            guard present >= 1, shares.share(of: node.id) > 0, expected >= LatenessWatch.highLoad
            else { break }
        }
        return next
    }

    /// Reduces nodes together, or the first of them alone if another one is not prepared.
    ///
    /// - Returns: Whether any node is reduced.
    @discardableResult
    private func reduce(
        _ indices: [Int], _ reason: NodeReduction.Reason, _ context: ScheduleTransitions.Context
    ) -> Bool {
        guard let first = indices.first else { return false }
        let ids = pool.active.pipeline.nodes.map(\.id)
        let complete = context.values.pipelineWithValues
        var reduced = indices
        if !exchange(indices.reduce(complete) { $0.reducing($1, true) }, context) {
            reduced = [first]
            guard indices.count > 1, exchange(complete.reducing(first, true), context) else {
                attempts[ids[first], default: 0] += 1
                // Until the variant may be prepared.
                watch.pause()
                return false
            }
        }
        attempts = [:]
        for index in reduced {
            publish(.reduced(NodeReduction(node: ids[index], reason: reason, load: watch.load)))
            shares.noteReduction(of: ids[index])
        }
        watch.noteReduction()
        return true
    }

    private func restore(_ index: Int, _ context: ScheduleTransitions.Context) {
        let id = pool.active.pipeline.nodes[index].id
        guard exchange(context.values.pipelineWithValues.reducing(index, false), context) else {
            return watch.pause()
        }
        publish(.restored(NodeReduction(node: id, reason: .calm, load: watch.load)))
        shares.noteReturn(of: id)
        watch.noteReturn()
    }

    private func restoreAll(_ context: ScheduleTransitions.Context) {
        guard pool.isSpliced, pool.active.pipeline.nodes.contains(where: \.isReduced),
            exchange(context.values.pipelineWithValues.withoutReductions, context)
        else { return }
        announce(reason: .offline)
        watch.settle()
    }

    private func exchange(_ pipeline: Pipeline, _ context: ScheduleTransitions.Context) -> Bool {
        guard
            transitions.exchangeSettings(pipeline, changes: [], scene: nil, sending: [], context)
        else { return false }
        current.followSettings(of: pool.active.pipeline)
        return true
    }

    // MARK: Events

    private func publish(_ event: SessionEvent) {
        publishList()
        events.publish(event)
    }

    private func publishList() {
        published = reducedNodes
        events.publish(Self.address, .text(Self.text(of: published)))
    }

    /// Publishes that nodes have returned in another way than one by one.
    private func announce(reason: NodeReduction.Reason) {
        let present = reducedNodes
        guard present != published else { return }
        let former = published
        publishList()
        for node in former where !present.contains(node) {
            events.publish(
                .restored(NodeReduction(node: node, reason: reason, load: watch.load)))
            shares.noteReturn(of: node)
        }
    }

    /// Publishes the list to the watchers of a session that this one replaces.
    func announceReplacement() { publishList() }
}

extension AudioFormat {
    /// The time between two reports of the load: a twelfth of a second, rounded up to whole cycles.
    fileprivate var reportSeconds: Double {
        let frames = Double(max(1, maximumBlockFrames))
        return max(1, (sampleRate / 12 / frames).rounded(.up)) * frames / sampleRate
    }
}
