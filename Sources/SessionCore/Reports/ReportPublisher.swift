internal import CRealtime
package import Engine
internal import Glibc
internal import Pipelines
internal import Processing

/// Turns the engine's reports about levels, loads, errors and incidents into events.
package final class ReportPublisher {
    private let events: EventStream
    private var meter: SessionMeter
    private var errorLimit: NodeErrorLimit
    private var xrunLimit = XrunLimit()
    /// The latest values that nodes report.
    package private(set) var nodeReports: NodeReports

    /// The schedule that reports refer to: the latest that the engine has begun to play.
    package private(set) var active: ActiveSchedule

    /// Creates a publisher for the first schedule.
    package init(active: ActiveSchedule, ports: EnginePorts, events: EventStream) {
        self.active = active
        self.events = events
        meter = SessionMeter(nodeIDs: active.nodeIDs, ports: ports)
        errorLimit = NodeErrorLimit(nodeIDs: active.nodeIDs)
        nodeReports = NodeReports(of: active)
    }

    // MARK: Changes

    /// Continues with another schedule, and announces its format if it differs.
    package func follow(_ schedule: ActiveSchedule) {
        let isOtherFormat = schedule.plan.format != active.plan.format
        active = schedule
        meter.follow(schedule.nodeIDs)
        errorLimit.follow(schedule.nodeIDs)
        nodeReports.follow(schedule)
        guard isOtherFormat else { return }
        let format = schedule.plan.format
        events.publish(
            .formatChanged(
                sampleRate: format.sampleRate, blockFrames: format.maximumBlockFrames,
                latencyFrames: schedule.plan.latencyFrames))
    }

    /// Continues with other engine ports.
    package func follow(_ ports: EnginePorts) { meter.follow(ports) }

    /// Adopts the counts of the session that this one replaces.
    ///
    /// - Parameters:
    ///   - former: The publisher of the replaced session.
    ///   - ports: The engine ports of the new session.
    package func adopt(_ former: ReportPublisher, ports: EnginePorts) {
        (meter, errorLimit) = (former.meter, former.errorLimit)
        xrunLimit = former.xrunLimit
        meter.follow(active.nodeIDs)
        meter.follow(ports)
        errorLimit.follow(active.nodeIDs)
    }

    // MARK: Reports

    /// Publishes the events of a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - countsOverruns: Whether overruns are counted and published.
    package func publish(_ report: Report, countsOverruns: Bool) {
        meter.add(report)
        for change in nodeReports.receive(report) { events.publish(.reportChanged(change)) }
        if let event = meter.event(for: report) { events.publish(event) }
        if case .overrun = report {
            guard countsOverruns else { return }
            meter.addOverrun()
        }
        if let event = errorLimit.event(for: report) { events.publish(event) }
        switch report {
        case .latency(let node, let frames): publishLatency(Int(frames), ofNode: Int(node))
        case .stopped(let node, let periods):
            publish(.stopped(periods: Double(periods)), ofNode: Int(node))
        case .away(let node): publish(.away, ofNode: Int(node))
        case .wroteBeyond(let node): publish(.wroteBeyond, ofNode: Int(node))
        default: break
        }
    }

    /// Publishes the levels of nodes in the reports since the last call, as one event.
    package func publishNodeLevels() {
        let levels = meter.popNodeLevels()
        if !levels.isEmpty { events.publish(.nodeLevels(levels)) }
    }

    private func publishLatency(_ frames: Int, ofNode node: Int) {
        let (pipeline, plan) = (active.pipeline, active.plan)
        guard plan.nodes.indices.contains(node) else { return }
        var latencies = plan.nodes.map(\.latencyFrames)
        latencies[node] = frames
        let newPlan = Plan(pipeline, latencies: latencies, format: plan.format)
        events.publish(
            .latencyChanged(
                node: pipeline.nodes[node].id, nodeFrames: frames,
                latencyFrames: newPlan.latencyFrames))
    }

    /// Publishes incidents of nodes, and reports a plugin that blocks the audio thread.
    package func publishIncidents(of engine: Engine) {
        while let found = engine.nextIncident() { publish(found) }
        if let (node, seconds) = engine.stuckNode(atNanoseconds: rt_nanoseconds()) {
            publish(.stuck(seconds: seconds), ofNode: node)
        }
    }

    private func publish(_ incident: Incident, ofNode index: Int) {
        guard active.pipeline.nodes.indices.contains(index) else { return }
        publish(incident, ofNode: active.pipeline.nodes[index].id)
    }

    /// Publishes an incident of a node, if the node still plays or its take remains.
    private func publish(_ found: NodeIncident) {
        let isActive = active.pipeline.nodes.contains { $0.id == found.node }
        guard isActive || found.incident.concernsTake else { return }
        events.publish(.incident(node: found.node, plugin: found.label, found.incident))
    }

    private func publish(_ incident: Incident, ofNode id: String) {
        guard let node = active.pipeline.nodes.first(where: { $0.id == id }) else { return }
        events.publish(.incident(node: id, plugin: node.description.label, incident))
    }

    // MARK: Status

    /// Counts xruns that have just happened, and publishes them soon.
    ///
    /// - Parameters:
    ///   - count: The number of xruns, at least 1.
    ///   - longestMilliseconds: The delay of the longest one, in ms; `nil` if it is not known.
    package func addXruns(_ count: Int, longestMilliseconds: Double?) {
        meter.addXruns(count)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let seconds = Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000
        xrunLimit.add(
            XrunReport(
                count: count, longestMilliseconds: longestMilliseconds, firstSeconds: seconds,
                lastSeconds: seconds))
        publishDueXruns()
    }

    /// Publishes the xruns since the last event about them, unless that was too recent.
    package func publishDueXruns() {
        if let report = xrunLimit.popDue(atNanoseconds: rt_nanoseconds()) {
            events.publish(.xruns(report))
        }
    }

    /// Publishes a status with the levels and loads since the last call.
    package func publishStatus(roundTripFrames: Int, schedules: Int) {
        var status = meter.popStatus(
            active.plan, roundTripFrames: roundTripFrames, schedules: schedules)
        status.reports = nodeReports.entries
        events.publish(.status(status))
    }

    /// Publishes the remaining xruns, and returns the summary of the session at its end.
    package func summary(_ reason: StopReason, seconds: Double) -> SessionSummary {
        if let report = xrunLimit.popWaiting() { events.publish(.xruns(report)) }
        return SessionSummary(
            reason: reason, seconds: seconds, xruns: meter.xrunCount,
            overrunCycles: meter.overrunCount, peak: meter.highestPeak, worstLoad: meter.highestLoad
        )
    }
}
