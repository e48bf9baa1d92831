internal import Engine
internal import Pipelines
internal import Show

/// Gathers the engine's reports until a status is due.
struct StatusGauge {
    /// The short name of the port at each slot; nil where there is none.
    private var ports: [String?] = []
    private var inputPorts: [String?] = []
    private var nodeIDs: [String]
    private var loads: [Int: SessionStatus.NodeLoad] = [:]
    private var peaks: [Double] = []
    private var meanSum = 0.0
    private var meanCount = 0
    private var worstLoad = 0.0
    private var limiterGain = 1.0
    /// The highest of the whole session.
    private(set) var highestPeak = 0.0
    /// The worst of the whole session.
    private(set) var highestLoad = 0.0
    /// Of the whole session.
    private(set) var lateCycles = 0

    /// - Parameter nodeIDs: The ids of the nodes that reports are of.
    init(nodeIDs: [String]) { self.nodeIDs = nodeIDs }

    /// Takes the ports that there are from now on.
    mutating func follow(_ book: PortBook) {
        ports = Self.bySlot(book.outputs)
        inputPorts = Self.bySlot(book.inputs)
        peaks = Array(repeating: 0, count: ports.count)
    }

    /// Takes the nodes that there are from now on.
    mutating func follow(_ newNodeIDs: [String]) {
        nodeIDs = newNodeIDs
        loads = [:]
    }

    private static func bySlot(_ signals: [SignalPorts]) -> [String?] {
        var ports: [String?] = []
        for signal in signals where signal.signal.kind == .audio {
            for (slot, name) in zip(signal.signal.slots, signal.wantedNames) {
                ports += Array(repeating: nil, count: max(0, slot + 1 - ports.count))
                ports[slot] = name
            }
        }
        return ports
    }

    /// What a report says of levels and load, for those who watch all the time.
    func notice(of report: Report, xruns: Int) -> Notice? {
        switch report {
        case .inputLevel(let slot, let peak, let rms): level(inputPorts, slot, peak, rms)
        case .outputLevel(let slot, let peak, let rms): level(ports, slot, peak, rms)
        case .totalLoad(let mean, let worst):
            .load(mean: Double(mean), worst: Double(worst), xruns: xruns)
        default: nil
        }
    }

    private func level(_ ports: [String?], _ slot: Int32, _ peak: Float, _ rms: Float) -> Notice? {
        guard ports.indices.contains(Int(slot)), let port = ports[Int(slot)] else { return nil }
        return .level(
            port: port, peak: max(-160, Double(peak).decibels), rms: max(-160, Double(rms).decibels)
        )
    }

    /// Counts a cycle that was late and that nothing excuses.
    mutating func addLateCycle() { lateCycles += 1 }

    /// Takes in what a report says of levels and load; others say nothing here.
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
        case .limited(_, let gain): limiterGain = min(limiterGain, Double(gain))
        case .load(let node, let mean, let worst) where nodeIDs.indices.contains(Int(node)):
            loads[Int(node)] = SessionStatus.NodeLoad(
                node: nodeIDs[Int(node)], mean: Double(mean),
                worst: max(loads[Int(node)]?.worst ?? 0, Double(worst)))
        default: break
        }
    }

    /// The status since the last call, and starts anew.
    mutating func take(
        xruns: Int, latencyFrames: Int, roundTripFrames: Int, sampleRate: Double,
        schedules: Int
    ) -> SessionStatus {
        defer {
            peaks = Array(repeating: 0, count: ports.count)
            loads = [:]
            (meanSum, meanCount, worstLoad, limiterGain) = (0, 0, 0, 1)
        }
        return SessionStatus(
            outputs: zip(ports, peaks).compactMap { port, peak in
                port.map { SessionStatus.Level(port: $0, peak: peak) }
            },
            meanLoad: meanSum / Double(max(1, meanCount)), worstLoad: worstLoad, xruns: xruns,
            lateCycles: lateCycles, latencyFrames: latencyFrames,
            roundTripFrames: roundTripFrames, sampleRate: sampleRate, limiterGain: limiterGain,
            nodes: loads.sorted { $0.key < $1.key }.map(\.value), schedules: schedules)
    }
}
