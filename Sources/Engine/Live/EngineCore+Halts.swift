internal import CRealtime
internal import Realtime
internal import Synchronization

// Lets nodes give way at once if cycles are late. The session then exchanges them for their variants.

extension EngineCore {
    /// Records the time of a call, in ticks.
    @_noLocks
    mutating func noteLateness(_ ticks: UInt64, _ frames: Int, isLate: Bool) {
        // While both versions of something run, cycles may be late that would not be otherwise.
        if isLate, runsBothVersions { return lateCycles.reset() }
        lateCycles.add(
            periods: Double(ticks) / (Double(max(1, frames)) * meters.ticksPerFrame),
            isLate: isLate, frames: frames, sampleRate: Double(playing.rate.sampleRate))
        // Without halts, the control side has to act.
        if lateCycles.isDue, !haltsNodes.load(ordering: .relaxed) {
            _ = lateCycles.popDueLoad()
            wakeControlSide()
        }
    }

    /// Whether a crossfade is running, and a node that leaves still runs for it.
    private var runsBothVersions: Bool {
        @_noLocks get {
            guard !hasReportedSplice else { return false }
            for index in playing.nodeCount..<playing.allNodeCount {
                let node = playing.nodes[index]
                if !node.pointee.isHalted, !node.pointee.removal.hasEnded { return true }
            }
            return false
        }
    }

    /// Halts as many nodes, in their order, as bring the expected load below the limit; at least one.
    @_noLocks
    mutating func haltDueNodes() {
        let present = lateCycles.popDueLoad()
        // An exchange that has to wait comes first, also in a replay.
        if case .exchange? = commands.peek() { return }
        let whole = runningLoad
        var expected = present
        for index in 0..<playing.reducibleCount {
            let entry = playing.reducible[index]
            guard entry.isReady.pointee.load(ordering: .relaxed) else { continue }
            let share =
                whole > 0
                ? Double(playing.nodes[Int(entry.node)].pointee.measurement.meanLoad) / whole : 0
            guard halt(node: entry.node) else { continue }
            if captured.isOn { capture(.halt(node: entry.node, true)) }
            expected -= present * share * entry.saving
            // Without a measurement, only experience can show how much a node saves.
            guard share > 0, expected >= ReductionRule.highLoad else { return }
        }
    }

    /// The mean load of the nodes that are not halted; on several cores, of all cores together.
    private var runningLoad: Double {
        @_noLocks get {
            var (running, halted) = (0.0, 0.0)
            for index in 0..<playing.nodeCount {
                let load = Double(playing.nodes[index].pointee.measurement.meanLoad)
                if playing.nodes[index].pointee.isHalted { halted += load } else { running += load }
            }
            return max(running, meters.meanLoad - halted)
        }
    }

    /// Halts a node, given by its index.
    ///
    /// - Returns: Whether the node is halted now and was not before.
    @_noLocks
    mutating func halt(node: Int32) -> Bool {
        guard node >= 0, Int(node) < playing.nodeCount,
            playing.nodes[Int(node)].pointee.halt()
        else { return false }
        hasUnreportedHalts = true
        return true
    }

    /// Lets a halted node run again.
    @_noLocks
    func resume(node: Int32) {
        guard node >= 0, Int(node) < playing.nodeCount else { return }
        playing.nodes[Int(node)].pointee.resume()
    }

    /// Reports the halted nodes that the current schedule does not know; a later call repeats the
    /// reports that find no room.
    @_noLocks
    mutating func reportHalts() {
        hasUnreportedHalts = false
        for index in 0..<playing.nodeCount {
            let node = playing.nodes[index]
            guard node.pointee.isHalted, !node.pointee.wiring.isPaused,
                !node.pointee.hasReportedHalt
            else { continue }
            guard reports.push(.halted(node: Int32(index))) else {
                hasUnreportedHalts = true
                continue
            }
            node.pointee.hasReportedHalt = true
            wakeControlSide()
        }
    }
}
