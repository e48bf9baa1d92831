internal import CRealtime
internal import Engine
internal import Glibc
internal import Pipelines
internal import Processing
internal import Show

// What the loop does by itself, as time goes by.

extension SessionLoop {
    /// JACK's server needs this long to leave freewheeling before a client may go; later clients get no cycles without.
    private static let freewheelPauseMicroseconds: UInt32 = 50_000

    /// When the loop has to look again, also without a letter.
    func nextDue() -> UInt64 {
        let seconds =
            switch phase {
            case .starting where session.stay != nil: 0.002
            case .starting, .playing: 0.08
            case .yielding, .fading, .over: 0.005
            }
        let step = interlude.map { _ in after(Interlude.stepSeconds) } ?? .max
        return min(after(seconds), step, connectionsDue ?? .max, statusDue, presence.due)
    }

    /// Frees what is no longer played, and takes in all that the engine has reported.
    mutating func readReports() {
        for event in session.show.advance() { take(event) }
    }

    private mutating func take(_ event: ShowEvent) {
        switch event {
        case .report(let report): take(report)
        case .exchanged(let pipeline, let plan, let nodeIDs):
            follow(pipeline, plan, nodeIDs)
        case .song(let place, let name): tell(.song(number: place + 1, name: name))
        case .scene(let name): tell(.scene(name: name))
        case .reloaded: tell(.reloaded(pipeline: session.show.songs[session.show.song].name))
        case .refused(let fault):
            tell(.preparationFailed(message: "\(fault.node): \(fault.fault.message)"))
        case .learned(let address, let control, let path):
            tell(.learned(address: address, control, path: path))
        case .panic: tell(.panic)
        }
    }

    private mutating func take(_ report: Report) {
        gauge.add(report)
        if let notice = gauge.notice(of: report, xruns: xruns) { session.show.tell(notice) }
        if case .overrun = report {
            guard !isOffTheClock else { return }
            gauge.addLateCycle()
        }
        if let event = faults.event(for: report) { tell(event) }
        if case .latency(let node, let frames) = report {
            follow(latencyFrames: Int(frames), ofNode: Int(node))
        }
        tellOfIncident(in: report)
        guard case .faded = report else { return }
        switch phase {
        case .fading(let reason, _): phase = .over(reason)
        case .yielding: phase = .yielding(patientUntil: 0)
        case .starting, .playing, .over: break
        }
    }

    /// Takes in that another schedule plays.
    private mutating func follow(_ newPipeline: Pipeline, _ newPlan: Plan, _ nodeIDs: [String]) {
        let isOtherFormat = newPlan.format != plan.format
        pipeline = newPipeline
        plan = newPlan
        faults.follow(nodeIDs)
        gauge.follow(nodeIDs)
        tellLatencies()
        guard isOtherFormat else { return }
        tell(
            .formatChanged(
                sampleRate: plan.format.sampleRate, blockFrames: plan.format.maximumBlockFrames,
                latencyFrames: latencyFrames))
    }

    /// Tells of what befell plugins in their own processes, and of one that holds up the audio thread.
    mutating func tellOfIncidents() {
        while let (node, incident) = session.engine.nextIncident() { tell(node, incident) }
        if let (node, seconds) = session.engine.stuckNode(atNanoseconds: rt_nanoseconds()) {
            tell(node, .stuck(seconds: seconds))
        }
    }

    private func tellOfIncident(in report: Report) {
        switch report {
        case .stopped(let node, let periods): tell(Int(node), .stopped(periods: Double(periods)))
        case .away(let node): tell(Int(node), .away)
        case .wroteBeyond(let node): tell(Int(node), .wroteBeyond)
        default: break
        }
    }

    private func tell(_ node: Int, _ incident: Incident) {
        guard pipeline.nodes.indices.contains(node) else { return }
        tell(pipeline.nodes[node].id, incident)
    }

    private func tell(_ id: String, _ incident: Incident) {
        guard let node = pipeline.nodes.first(where: { $0.id == id }) else { return }
        tell(.incident(node: node.id, plugin: node.description.label, incident))
    }

    /// Off the clock no cycle can be late, and without a server nobody hears it.
    private var isOffTheClock: Bool {
        isFreewheeling || interlude != nil || rt_nanoseconds() < clockReturns
    }

    /// Connects, tells a status, and moves on to the next phase, each when its time has come.
    mutating func doWhatIsDue() {
        let now = rt_nanoseconds()
        if let due = connectionsDue, due <= now { connect() }
        if statusDue <= now { tellStatus() }
        followServer(at: now)
        switch phase {
        case .starting:
            if let time = session.stay?.audioSide.firstCycleNanoseconds { begin(time) }
        case .playing:
            if let duration = session.options.durationSeconds, playedSeconds >= duration {
                fadeOut(.durationOver)
            } else {
                makeRoom()
            }
        case .yielding(let patientUntil): if patientUntil <= now { giveWay() }
        case .fading(let reason, let patientUntil):
            if patientUntil <= now { phase = .over(reason) }
        case .over: break
        }
    }

    /// Follows the connection rules with the ports there are now.
    mutating func connect() {
        connectionsDue = nil
        guard let stay = session.stay else { return }
        for pair in session.keeper.connect(stay.client) {
            tell(.connectionRefused(own: pair.own, other: pair.other))
        }
        connectionsDue = session.keeper.dueNanoseconds
    }

    private mutating func begin(_ startTime: UInt64) {
        phase = .playing
        guard self.startTime == nil else { return arrive() }
        self.startTime = startTime
        statusDue = after(session.options.statusSeconds)
        tell(
            .started(
                SessionStart(
                    clientName: session.server.clientName, pipelineName: session.name,
                    sampleRate: plan.format.sampleRate,
                    blockFrames: plan.format.maximumBlockFrames, latencyFrames: latencyFrames,
                    startupSeconds: ProcessClock.seconds(untilNanoseconds: startTime) ?? 0)))
        if let stay = session.stay { clerk.describe(stay) }
    }

    private mutating func tellStatus() {
        statusDue = after(session.options.statusSeconds)
        let status = gauge.take(
            xruns: xruns, latencyFrames: latencyFrames,
            roundTripFrames: session.stay?.notifications.latencies.roundTripFrames ?? 0,
            sampleRate: plan.format.sampleRate, schedules: session.show.aliveCount)
        tell(.status(status))
    }

    /// What the session was.
    func summary(_ reason: StopReason) -> SessionSummary {
        SessionSummary(
            reason: reason, seconds: playedSeconds, xruns: xruns, lateCycles: gauge.lateCycles,
            peak: gauge.highestPeak,
            worstLoad: gauge.highestLoad)
    }

    /// Puts the server back on the clock.
    func leaveFreewheel() {
        guard isFreewheeling, let stay = session.stay else { return }
        stay.client.leaveFreewheel()
        usleep(Self.freewheelPauseMicroseconds)
    }
}
