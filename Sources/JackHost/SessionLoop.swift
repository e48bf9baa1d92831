internal import CRealtime
internal import Engine
internal import Glibc
internal import Pipelines
internal import Processing

/// The session's own thread at work: it reads letters and the engine's reports, and does what is due.
struct SessionLoop {
    /// How long the fades at start and end take.
    static let fadeSeconds = 0.05
    /// How long a new port's client may take to register its others before they are dealt out.
    private static let settlingSeconds = 0.03
    /// How long a fade may take beyond its own length before the audio is given up on.
    private static let fadePatienceSeconds = 0.25
    /// JACK's server needs this long to leave freewheeling before a client may go; later clients got no cycles without.
    private static let freewheelPauseMicroseconds: UInt32 = 50_000
    /// The engine's reports are read at least this often.
    private static let readingSeconds = 0.08

    private let session: JackSession
    private var keeper: ConnectionKeeper
    private var follower: FormatFollower
    private var gauge: StatusGauge
    private var faults: FaultWatch
    private var phase = Phase.starting
    private var latencyFrames: Int
    private var connectionsDue: UInt64?
    private var statusDue: UInt64 = .max
    private var xruns = 0
    private var isFreewheeling = false

    private enum Phase {
        case starting
        case playing(since: UInt64)
        case fading(StopReason, since: UInt64?, patientUntil: UInt64)
        case over(StopReason, since: UInt64?)
    }

    init(_ session: JackSession) {
        self.session = session
        let signals = session.options.makesConnections ? session.inputs + session.outputs : []
        keeper = ConnectionKeeper(signals, client: session.server.client)
        follower = session.follower
        latencyFrames = session.latencyFrames
        gauge = StatusGauge(ports: session.outputs.filter { $0.kind == .audio }.flatMap(\.portNames))
        faults = FaultWatch(nodes: session.pipeline.nodes.map(\.id))
    }

    /// Works until the session is over.
    mutating func run(_ tell: (SessionEvent) -> Void) -> StopReason {
        for pattern in keeper.faultyPatterns { tell(.faultyPattern(pattern)) }
        connect(tell)
        while true {
            let letters = session.mailbox.wait(untilNanoseconds: nextDue())
            for letter in letters { receive(letter, tell) }
            countXruns(letters, tell)
            readReports(tell)
            doWhatIsDue(tell)
            if case .over(let reason, let since) = phase { return leave(reason, since, tell) }
        }
    }
}

// MARK: - Letters

extension SessionLoop {
    private mutating func receive(_ letter: Letter, _ tell: (SessionEvent) -> Void) {
        switch letter {
        case .portAppeared(let identity):
            keeper.portAppeared(identity)
            connectionsDue = connectionsDue ?? after(Self.settlingSeconds)
        case .blockFrames(let frames):
            follow(AudioFormat(
                sampleRate: follower.format.sampleRate, maximumBlockFrames: frames), tell)
        case .sampleRate(let rate):
            follow(AudioFormat(
                sampleRate: rate, maximumBlockFrames: follower.format.maximumBlockFrames), tell)
        case .freewheel(let isOn):
            isFreewheeling = isOn
            tell(.freewheel(isOn: isOn))
        case .xrun: break
        case .serverLost(let reason): phase = .over(.serverLost(reason), since: startTime)
        case .command(let command): _ = session.engine.send(command)
        case .stop(let reason): fadeOut(reason)
        }
    }

    private mutating func countXruns(_ letters: [Letter], _ tell: (SessionEvent) -> Void) {
        let new = letters.count { if case .xrun = $0 { true } else { false } }
        xruns += new
        if new > 0 { tell(.xruns(new)) }
    }

    private mutating func follow(_ format: AudioFormat, _ tell: (SessionEvent) -> Void) {
        do {
            guard let schedule = try follower.follow(format) else { return }
            latencyFrames = schedule.plan.latencyFrames
            session.notifications.latencies.replace(
                LatencyPaths(session.pipeline, schedule.plan))
            session.engine.exchange(schedule)
            session.server.client.recomputeLatencies()
            tell(
                .formatChanged(
                    sampleRate: format.sampleRate, blockFrames: format.maximumBlockFrames,
                    latencyFrames: latencyFrames))
        } catch {
            tell(.preparationFailed(message: "\(error.node): \(error.fault.message)"))
        }
    }

    private mutating func fadeOut(_ reason: StopReason) {
        switch phase {
        case .starting, .playing:
            _ = session.engine.fadeOut(seconds: Self.fadeSeconds)
            phase = .fading(
                reason, since: startTime,
                patientUntil: after(Self.fadeSeconds + Self.fadePatienceSeconds))
        case .fading, .over: break
        }
    }
}

// MARK: - What is due

extension SessionLoop {
    private func after(_ seconds: Double) -> UInt64 { rt_nanoseconds() + UInt64(seconds * 1e9) }

    /// When the first audio cycle was done; nil before.
    private var startTime: UInt64? { session.audioSide.firstCycleNanoseconds }

    private func nextDue() -> UInt64 {
        let reading: Double
        switch phase {
        case .starting: reading = 0.002
        case .playing: reading = Self.readingSeconds
        case .fading, .over: reading = 0.005
        }
        return min(after(reading), connectionsDue ?? .max, statusDue)
    }

    private mutating func readReports(_ tell: (SessionEvent) -> Void) {
        session.engine.collect()
        while let report = session.engine.nextReport() {
            gauge.add(report)
            if let event = faults.event(for: report) { tell(event) }
            if case .faded = report, case .fading(let reason, let since, _) = phase {
                phase = .over(reason, since: since)
            }
        }
    }

    private mutating func doWhatIsDue(_ tell: (SessionEvent) -> Void) {
        let now = rt_nanoseconds()
        if let due = connectionsDue, due <= now { connect(tell) }
        if statusDue <= now { tellStatus(tell) }
        switch phase {
        case .starting: if let startTime { begin(startTime, tell) }
        case .playing(let since):
            let seconds = Double(now - since) / 1e9
            if let duration = session.options.durationSeconds, seconds >= duration {
                fadeOut(.durationOver)
            }
        case .fading(let reason, let since, let patientUntil):
            if patientUntil <= now { phase = .over(reason, since: since) }
        case .over: break
        }
    }

    private mutating func connect(_ tell: (SessionEvent) -> Void) {
        connectionsDue = nil
        for pair in keeper.connect() {
            tell(.connectionRefused(own: pair.own, other: pair.other))
        }
    }

    private mutating func begin(_ startTime: UInt64, _ tell: (SessionEvent) -> Void) {
        phase = .playing(since: startTime)
        statusDue = after(session.options.statusSeconds)
        let client = session.server.client
        tell(
            .started(
                SessionStart(
                    clientName: client.name, pipelineName: session.pipeline.name,
                    sampleRate: follower.format.sampleRate,
                    blockFrames: follower.format.maximumBlockFrames, latencyFrames: latencyFrames,
                    startupSeconds: ProcessClock.seconds(untilNanoseconds: startTime) ?? 0)))
        JackMetadata(client: client).describe(
            session.inputs + session.outputs, pipeline: session.pipeline.name)
    }

    private mutating func tellStatus(_ tell: (SessionEvent) -> Void) {
        statusDue = after(session.options.statusSeconds)
        tell(
            .status(
                gauge.take(
                    xruns: xruns, latencyFrames: latencyFrames,
                    roundTripFrames: session.notifications.latencies.roundTripFrames,
                    sampleRate: follower.format.sampleRate)))
    }

    /// Leaves the server in a state that later clients can work with, and sums up.
    private func leave(
        _ reason: StopReason, _ since: UInt64?, _ tell: (SessionEvent) -> Void
    ) -> StopReason {
        let seconds = since.map { Double(rt_nanoseconds() - $0) / 1e9 } ?? 0
        if case .serverLost = reason {} else { leaveGraph() }
        tell(
            .ended(
                SessionSummary(
                    reason: reason, seconds: seconds, xruns: xruns, peak: gauge.highestPeak,
                    worstLoad: gauge.highestLoad)))
        return reason
    }

    private func leaveGraph() {
        JackMetadata(client: session.server.client).forget(session.inputs + session.outputs)
        guard isFreewheeling else { return }
        session.server.client.leaveFreewheel()
        usleep(Self.freewheelPauseMicroseconds)
    }
}
