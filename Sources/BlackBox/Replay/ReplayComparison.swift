internal import CRealtime
internal import Engine

/// Compares the calls of a replay with those of its box.
///
/// Of each call, it compares the output by its checksum. It also finds the nodes that begin to
/// produce NaN or infinity, and the slowest node of each call that was late.
struct ReplayComparison {
    /// The findings in all calls so far.
    private(set) var result = Replay.Result()
    private let sampleRate: Double
    /// The late calls, by the frame after them.
    private let lateCalls: [UInt64: BoxLog.LateCall]
    /// The ids of the nodes whose latest output is NaN or infinity.
    private var failing: Set<String> = []

    /// Begins a comparison before the first call.
    init(with box: Box) {
        sampleRate = box.facts.sampleRate
        lateCalls = Dictionary(box.log.late.map { ($0.endFrame, $0) }) { first, _ in first }
    }

    /// Compares the output of a call, if the box contains its checksum.
    ///
    /// - Parameters:
    ///   - outputs: The channels.
    ///   - slots: The number of channels in use.
    ///   - call: The call.
    mutating func compare(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, slots: Int, in call: BoxLog.Call
    ) {
        result.endFrame = call.endFrame
        guard let played = call.checksum else { return }
        result.comparedCalls += 1
        // The checksum of a call begins with the frame after it, as in the engine.
        var sum = call.endFrame
        for slot in 0..<slots { sum = rt_checksum(sum, outputs[slot], Int64(call.frameCount)) }
        guard sum != played else { return }
        result.differentCalls += 1
        result.firstDifference = result.firstDifference ?? call.frame
        result.equalFromFrame = call.endFrame
    }

    /// Finds the nodes that have begun to produce NaN or infinity.
    ///
    /// - Parameters:
    ///   - schedule: The schedule that the engine runs.
    ///   - call: The call that has been rendered, at least in part.
    mutating func findNotFinite(_ schedule: Schedule, in call: BoxLog.Call) {
        for (index, id) in schedule.nodeIDs.enumerated() {
            guard schedule.isFailing(node: index) else {
                failing.remove(id)
                continue
            }
            if failing.insert(id).inserted {
                result.notFinite.append(Replay.NodeAt(node: id, frame: call.frame))
            }
        }
    }

    /// Finds the slowest node of a call that was late.
    ///
    /// - Parameters:
    ///   - schedule: The schedule that the engine runs.
    ///   - call: The call that has been rendered.
    mutating func findLateNode(_ schedule: Schedule, in call: BoxLog.Call) {
        guard let late = lateCalls[call.endFrame] else { return }
        let period = Double(call.frameCount) / sampleRate
        let slowest = late.nodeSeconds.indices.max { late.nodeSeconds[$0] < late.nodeSeconds[$1] }
        let ids = schedule.nodeIDs
        let node = slowest.flatMap { ids.indices.contains($0) ? $0 : nil }
        let ticks = node.map { Double(schedule.lastTicks(ofNode: $0)) } ?? 0
        result.late.append(
            Replay.Late(
                frame: call.frame, periods: late.seconds / period, node: node.map { ids[$0] },
                nodePeriods: slowest.map { late.nodeSeconds[$0] / period } ?? 0,
                replayedPeriods: ticks / TickRate.shared.ticksPerNanosecond / 1e9 / period))
    }

    /// Adds a plugin that has failed.
    mutating func add(_ failure: Replay.PluginFailure) { result.failures.append(failure) }
}

extension BoxLog.Call {
    /// The frame after the call.
    fileprivate var endFrame: UInt64 { frame + UInt64(frameCount) }
}
