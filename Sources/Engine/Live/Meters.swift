internal import CRealtime
internal import Realtime

/// Measures levels and costs between reports, and sends about twelve sets of reports per second.
struct Meters: BitwiseCopyable {
    /// The level of one channel of the engine ports, or of a node.
    struct Level: BitwiseCopyable {
        var peak: Float = 0
        var squares: Float = 0
    }

    /// The clock and the report interval at a sample rate.
    struct Timing: BitwiseCopyable {
        private static let reportsPerSecond = 12.0

        let ticksPerFrame: Double
        let intervalFrames: Int
        let sampleRate: Double

        /// Calculates the figures for a sample rate.
        ///
        /// - Parameter sampleRate: In Hz.
        init(sampleRate: Double) {
            ticksPerFrame = TickRate.shared.ticksPerNanosecond * 1e9 / sampleRate
            intervalFrames = Int(sampleRate / Self.reportsPerSecond)
            self.sampleRate = sampleRate
        }
    }

    /// The times of a cycle that overran its period.
    private struct OverrunCycle: BitwiseCopyable {
        let periodTicks: Double
        let ticks: Double
        let ringingTicks: Double
    }

    let inputs: UnsafeMutablePointer<Level>
    let outputs: UnsafeMutablePointer<Level>
    private var timing: Timing
    /// The wanted levels per second; 0 if levels are reported with everything else.
    private var levelsPerSecond: Int32 = 0
    /// Whether levels of nodes are measured and reported too.
    private(set) var measuresNodes = false
    /// The frames since the last report.
    var frames = 0
    /// The frames since the last report of levels.
    private var levelFrames = 0
    var cycles = 0
    var ticksSum: UInt64 = 0
    /// The mean load in the last report, as a share of the period; 0 before the first one.
    private(set) var meanLoad = 0.0
    /// The share of its period that the slowest cycle took.
    private var worstShare: Double = 0
    /// The time of the schedules that ring out in this cycle, in ticks.
    var ringingTicks: UInt64 = 0
    /// The time of each worker, and in the place of the callback the time in which it has waited for
    /// workers, since the last report.
    private let coreTicks: UnsafeMutablePointer<UInt64>
    /// The times of the last cycle if it was a real-time cycle and overran its period; otherwise
    /// `nil`.
    private var lastOverrun: OverrunCycle?

    init(_ timing: Timing, arena: Arena) {
        self.inputs = arena.allocate(EnginePorts.maximumChannels, Level())
        self.outputs = arena.allocate(EnginePorts.maximumChannels, Level())
        coreTicks = arena.allocate(RunnerState.most, 0)
        self.timing = timing
    }

    /// Adds the times of the runners in a cycle on several cores.
    @_noLocks
    func addCores(_ runners: UnsafePointer<RunnerState>, _ count: Int) {
        coreTicks[0] &+= runners.pointee.idleTicks
        for core in 1..<max(1, count) { coreTicks[core] &+= runners[core].busyTicks }
    }

    /// Continues at another sample rate; measurements since the last report are interpreted at the
    /// new rate.
    @_noLocks
    mutating func follow(_ newTiming: Timing) { timing = newTiming }

    /// Reports levels this many times per second, in addition to the usual reports; 0 means the
    /// usual rate.
    @_noLocks
    mutating func measureLevels(perSecond rate: Int32, ofNodes: Bool) {
        levelsPerSecond = max(0, rate)
        measuresNodes = ofNodes
    }

    @_noLocks
    func addInput(_ channel: Int, _ samples: UnsafePointer<Float>, _ frames: Int) {
        inputs[channel].add(samples, frames)
    }

    @_noLocks
    func addOutput(_ channel: Int, _ samples: UnsafePointer<Float>, _ frames: Int) {
        outputs[channel].add(samples, frames)
    }

    /// The duration of a frame, in ticks.
    var ticksPerFrame: Double { @_noLocks get { timing.ticksPerFrame } }

    /// The number of ticks per millisecond.
    var ticksPerMillisecond: Double {
        @_noLocks get { timing.ticksPerFrame * timing.sampleRate / 1000 }
    }

    /// Adds the time of a cycle.
    ///
    /// - Returns: Whether the cycle was a real-time cycle and took longer than its period.
    @_noLocks
    mutating func addCycle(_ ticks: UInt64, frames cycleFrames: Int, isRealTime: Bool) -> Bool {
        frames += cycleFrames
        levelFrames += cycleFrames
        cycles += 1
        ticksSum &+= ticks
        let periodTicks = Double(max(1, cycleFrames)) * timing.ticksPerFrame
        let share = Double(ticks) / periodTicks
        worstShare = max(worstShare, share)
        lastOverrun =
            share > 1 && isRealTime
            ? OverrunCycle(
                periodTicks: periodTicks, ticks: Double(ticks), ringingTicks: Double(ringingTicks))
            : nil
        ringingTicks = 0
        return lastOverrun != nil
    }

    /// Reports an overrun at once, levels when theirs is due, and all other measurements when the
    /// interval is over; then it resets them.
    ///
    /// - Parameters:
    ///   - schedule: The current schedule.
    ///   - outputStage: The output stage.
    ///   - reports: The ring for the reports.
    ///   - workers: The number of workers of the engine.
    /// - Returns: Whether levels were reported.
    @_noLocks
    mutating func reportWhenDue(
        _ schedule: PlayingSchedule, _ outputStage: OutputStage, _ reports: RingProducer<Report>,
        workers: Int
    ) -> Bool {
        if let lastOverrun { _ = reports.push(overrun(lastOverrun, schedule)) }
        guard frames >= timing.intervalFrames else {
            guard areLevelsDue else { return false }
            reportLevels(schedule, reports)
            return true
        }
        reportLevels(schedule, reports)
        reportLimiters(schedule, outputStage, reports)
        reportNodes(schedule, reports)
        let mean = Double(ticksSum) / (Double(frames) * timing.ticksPerFrame)
        if workers > 0 { reportCores(workers, reports) }
        meanLoad = mean
        _ = reports.push(.totalLoad(mean: Float(mean), worst: Float(worstShare)))
        frames = 0
        cycles = 0
        ticksSum = 0
        worstShare = 0
        return true
    }

    /// Reports the load of each core: of the callback without its waits, then of the workers.
    @_noLocks
    private func reportCores(_ workers: Int, _ reports: RingProducer<Report>) {
        for core in 0...workers {
            let ticks = core == 0 ? ticksSum &- min(ticksSum, coreTicks[0]) : coreTicks[core]
            let mean = Double(ticks) / (Double(frames) * timing.ticksPerFrame)
            _ = reports.push(.coreLoad(core: Int32(core), mean: Float(mean)))
            coreTicks[core] = 0
        }
    }

    @_noLocks
    private func overrun(_ lastOverrun: OverrunCycle, _ schedule: PlayingSchedule) -> Report {
        var costliest: Int32 = -1
        var ticks: UInt64 = 0
        var playingTicks: UInt64 = 0
        for index in 0..<schedule.core.pointee.nodeCount {
            let nodeTicks = schedule.core.pointee.nodes[index].pointee.measurement.ticks
            playingTicks &+= nodeTicks
            guard nodeTicks > ticks else { continue }
            ticks = nodeTicks
            costliest = Int32(index)
        }
        var ringingTicks = lastOverrun.ringingTicks
        for index in schedule.core.pointee.nodeCount..<schedule.core.pointee.allNodeCount
        where !schedule.core.pointee.nodes[index].pointee.removal.hasEnded {
            ringingTicks += Double(schedule.core.pointee.nodes[index].pointee.measurement.ticks)
        }
        return .overrun(
            node: costliest,
            Overrun(
                periods: Float(lastOverrun.ticks / lastOverrun.periodTicks),
                nodePeriods: Float(Double(ticks) / lastOverrun.periodTicks),
                playingPeriods: Float(Double(playingTicks) / lastOverrun.periodTicks),
                ringingPeriods: Float(ringingTicks / lastOverrun.periodTicks)))
    }

    private var areLevelsDue: Bool {
        @_noLocks get {
            levelsPerSecond > 0
                && Double(levelFrames) * Double(levelsPerSecond) >= timing.sampleRate
        }
    }

    @_noLocks
    private mutating func reportLevels(_ schedule: PlayingSchedule, _ reports: RingProducer<Report>)
    {
        for channel in 0..<schedule.core.pointee.inputSlotCount {
            let (peak, rms) = inputs[channel].drain(levelFrames)
            _ = reports.push(.inputLevel(channel: Int32(channel), peak: peak, rms: rms))
        }
        for channel in 0..<schedule.core.pointee.outputSlotCount {
            let (peak, rms) = outputs[channel].drain(levelFrames)
            _ = reports.push(.outputLevel(channel: Int32(channel), peak: peak, rms: rms))
        }
        if measuresNodes { reportNodeLevels(schedule, reports) }
        levelFrames = 0
    }

    @_noLocks
    private func reportNodeLevels(
        _ schedule: PlayingSchedule, _ reports: RingProducer<Report>
    ) {
        for index in 0..<schedule.core.pointee.nodeCount {
            let node = schedule.core.pointee.nodes[index]
            for channel in 0..<node.pointee.outputCount {
                let (peak, rms) = node.pointee.levels[channel].drain(levelFrames)
                _ = reports.push(
                    .nodeLevel(
                        node: Int32(index), channel: Int32(channel), peak: peak, rms: rms))
            }
        }
    }

    @_noLocks
    private func reportLimiters(
        _ schedule: PlayingSchedule, _ outputStage: OutputStage, _ reports: RingProducer<Report>
    ) {
        for index in 0..<schedule.core.pointee.groupCount {
            let limiter = outputStage.limiters + Int(schedule.core.pointee.groups[index].slots[0])
            let lowest = limiter.pointee.lowestGain
            if lowest < 1 { _ = reports.push(.limited(output: Int32(index), gain: lowest)) }
            limiter.pointee.clearLowestGain()
        }
    }

    @_noLocks
    private func reportNodes(_ schedule: PlayingSchedule, _ reports: RingProducer<Report>) {
        let cycleTicks = Double(frames) / Double(max(1, cycles)) * timing.ticksPerFrame
        for index in 0..<schedule.core.pointee.nodeCount {
            let node = Int32(index)
            let measured = schedule.core.pointee.nodes[index].pointee.measurement
            if measured.nonFiniteCycles > 0 { _ = reports.push(.nonFinite(node: node)) }
            if measured.stopPeriods > 0 {
                _ = reports.push(.stopped(node: node, periods: measured.stopPeriods))
            }
            if measured.wentAway { _ = reports.push(.away(node: node)) }
            if measured.wroteBeyond, !measured.hasReportedWriting {
                _ = reports.push(.wroteBeyond(node: node))
            }
            let mean = Double(measured.ticksSum) / (Double(frames) * timing.ticksPerFrame)
            let worst = Double(measured.ticksWorst) / cycleTicks
            _ = reports.push(.load(node: node, mean: Float(mean), worst: Float(worst)))
            schedule.core.pointee.nodes[index].pointee.measurement.meanLoad = Float(mean)
            schedule.core.pointee.nodes[index].pointee.measurement.clear()
            schedule.core.pointee.nodes[index].pointee.context.report(node: node, reports)
        }
        // Plugins report arbitrary values; NaN and infinities are not passed on.
        for index in 0..<schedule.core.pointee.reportCount
        where schedule.core.pointee.reports[index].pointer.pointee.isFinite {
            let value = schedule.core.pointee.reports[index]
            _ = reports.push(
                .value(node: value.node, report: value.report, value: value.pointer.pointee))
        }
    }
}

extension Meters.Level {
    @_noLocks
    mutating func add(_ samples: UnsafePointer<Float>, _ frames: Int) {
        let level = rt_level(samples, Int64(frames))
        if level.peak > peak { peak = level.peak }
        squares += level.squares
    }

    /// Returns peak and root mean square since the last call, and resets both.
    @_noLocks
    fileprivate mutating func drain(_ frames: Int) -> (peak: Float, rms: Float) {
        defer { self = Meters.Level() }
        return (peak, Float(rt_sqrt(Double(squares) / Double(max(1, frames)))))
    }
}
