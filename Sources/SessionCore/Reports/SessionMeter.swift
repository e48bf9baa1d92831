internal import Engine
internal import Processing

/// Collects levels and loads from the engine's reports until a status is due.
struct SessionMeter {
    /// The short name of the port at each slot; `nil` if a slot has no port.
    private var outputPorts: [String?] = []
    private var inputPorts: [String?] = []
    private var nodeIDs: [String]
    private var nodeLevels: [NodeLevel] = []
    private var loads: [Int: SessionStatus.NodeLoad] = [:]
    private var peaks: [Double] = []
    /// The mean load of each core that runs nodes.
    private var coreLoads: [Double] = []
    private var meanSum = 0.0
    private var meanCount = 0
    private var worstLoad = 0.0
    private var limiterGain = 1.0
    /// The highest peak since the session began; 1 is full scale.
    private(set) var highestPeak = 0.0
    /// The highest load since the session began, as a share of the period.
    private(set) var highestLoad = 0.0
    /// The number of overruns since the session began.
    private(set) var overrunCount = 0
    /// The number of xruns since the session began.
    private(set) var xrunCount = 0

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - nodeIDs: The ids of the nodes that reports refer to.
    ///   - ports: The engine ports.
    init(nodeIDs: [String], ports: EnginePorts) {
        self.nodeIDs = nodeIDs
        follow(ports)
    }

    /// Continues with other ports; the collected peaks are dropped.
    mutating func follow(_ ports: EnginePorts) {
        outputPorts = ports.outputPortNames
        inputPorts = ports.inputPortNames
        peaks = Array(repeating: 0, count: outputPorts.count)
    }

    /// Continues with other nodes; the collected loads are dropped.
    mutating func follow(_ newNodeIDs: [String]) {
        nodeIDs = newNodeIDs
        loads = [:]
        nodeLevels = []
    }

    /// Counts xruns.
    mutating func addXruns(_ count: Int) { xrunCount += count }

    /// Counts an overrun.
    mutating func addOverrun() { overrunCount += 1 }

    /// Returns the event for a report of a level or load; `nil` for other reports.
    func event(for report: Report) -> SessionEvent? {
        switch report {
        case .inputLevel(let slot, let peak, let rms): level(inputPorts, slot, peak, rms)
        case .outputLevel(let slot, let peak, let rms): level(outputPorts, slot, peak, rms)
        case .totalLoad(let mean, let worst):
            .load(mean: Double(mean), worst: Double(worst), xruns: xrunCount)
        default: nil
        }
    }

    private func level(
        _ ports: [String?], _ slot: Int32, _ peak: Float, _ rms: Float
    ) -> SessionEvent? {
        guard ports.indices.contains(Int(slot)), let port = ports[Int(slot)] else { return nil }
        return .level(port: port, peak: Double(peak).decibels, rms: Double(rms).decibels)
    }

    /// Adds the levels and loads of a report; other reports change nothing.
    mutating func add(_ report: Report) {
        switch report {
        case .outputLevel(let channel, let peak, _) where peaks.indices.contains(Int(channel)):
            peaks[Int(channel)] = max(peaks[Int(channel)], Double(peak))
            highestPeak = max(highestPeak, Double(peak))
        case .totalLoad(let mean, let worst):
            meanSum += Double(mean)
            meanCount += 1
            worstLoad = max(worstLoad, Double(worst))
            highestLoad = max(highestLoad, Double(worst))
        case .nodeLevel(let node, let channel, let peak, let rms)
        where nodeIDs.indices.contains(Int(node)):
            nodeLevels.append(
                NodeLevel(
                    node: nodeIDs[Int(node)], channel: Int(channel), peak: Double(peak).decibels,
                    rms: Double(rms).decibels))
        case .coreLoad(let core, let mean):
            while coreLoads.count <= Int(core) { coreLoads.append(0) }
            coreLoads[Int(core)] = Double(mean)
        case .limited(_, let gain): limiterGain = min(limiterGain, Double(gain))
        case .load(let node, let mean, let worst) where nodeIDs.indices.contains(Int(node)):
            loads[Int(node)] = SessionStatus.NodeLoad(
                node: nodeIDs[Int(node)], mean: Double(mean),
                worst: max(loads[Int(node)]?.worst ?? 0, Double(worst)))
        default: break
        }
    }

    /// The mean load of each node, as a share of the period; 0 if it is not known.
    var meanNodeLoads: [Double] { nodeIDs.indices.map { loads[$0]?.mean ?? 0 } }

    /// Returns the levels of nodes since the last call.
    mutating func popNodeLevels() -> [NodeLevel] {
        defer { nodeLevels.removeAll(keepingCapacity: true) }
        return nodeLevels
    }

    /// Returns the loads in the order of the pipeline, with the latencies of the plan.
    private func nodeLoads(_ plan: Plan) -> [SessionStatus.NodeLoad] {
        loads.sorted { $0.key < $1.key }.map { index, load in
            var load = load
            if plan.nodes.indices.contains(index) {
                load.latencyFrames = plan.nodes[index].latencyFrames
            }
            return load
        }
    }

    /// Returns the status since the last call, and starts the next one.
    ///
    /// - Parameters:
    ///   - plan: The plan of the active schedule.
    ///   - roundTripFrames: The latency from the sound card's input to its output, in frames.
    ///   - schedules: The number of live schedules.
    /// - Returns: The status.
    mutating func popStatus(
        _ plan: Plan, roundTripFrames: Int, schedules: Int
    ) -> SessionStatus {
        defer {
            peaks = Array(repeating: 0, count: outputPorts.count)
            loads = [:]
            (meanSum, meanCount, worstLoad, limiterGain) = (0, 0, 0, 1)
        }
        var status = SessionStatus(
            outputs: zip(outputPorts, peaks).compactMap { port, peak in
                port.map { SessionStatus.Level(port: $0, peak: peak) }
            },
            meanLoad: meanSum / Double(max(1, meanCount)), worstLoad: worstLoad, xruns: xrunCount,
            overrunCycles: overrunCount, latencyFrames: plan.latencyFrames,
            roundTripFrames: roundTripFrames, sampleRate: plan.format.sampleRate,
            limiterGain: limiterGain, nodes: nodeLoads(plan),
            schedules: schedules)
        status.coreLoads = coreLoads
        return status
    }
}
