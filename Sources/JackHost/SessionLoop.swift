internal import CRealtime
internal import Engine
internal import Pipelines
internal import Processing
internal import Show
internal import Threads

/// The session's own thread at work: it reads letters and the engine's reports, and does what is due.
struct SessionLoop {
    /// How long the fades at start and end take.
    static let fadeSeconds = 0.05
    /// How long the end may take where a signal asks for it, in seconds: the program's end follows within one.
    private static let signalSeconds = 0.75
    /// How long the metadata database may take at the end, in seconds: who ends it while it is written to leaves it locked.
    private static let databaseSeconds = 1.0

    let session: JackSession
    let tell: (SessionEvent) -> Void
    var gauge: StatusGauge
    var faults: FaultWatch
    var clerk: MetadataClerk
    /// Who may still use clients that were left.
    var lingering: [Errand] = []
    /// Whether the client may be closed: nothing else uses it any more.
    private(set) var isClientFree = true
    /// Until when JACK may take for the end once that has begun, in ns of the monotonic clock.
    private(set) var endPatience = UInt64.max
    var phase = Phase.starting
    var presence = Presence.joined
    /// What plays while the engine is nobody else's.
    var interlude: Interlude?
    /// What the server asks for.
    var format: AudioFormat
    /// What plays, and its plan, as far as the engine has told.
    var pipeline: Pipeline
    var plan: Plan
    var latencyFrames: Int { plan.latencyFrames }
    /// What is ready to play in the place of what plays.
    var successor: Successor?
    /// What has taken the place of what played, and is not heard yet.
    var arriving: Succession?
    var xruns = 0
    /// Those not told of yet.
    var newXruns = 0
    /// What the server has changed to, to be followed.
    var newFormat: AudioFormat?
    /// When the first audio cycle was done; nil before.
    var startTime: UInt64?
    var isFreewheeling = false
    /// Until when cycles may still come off the clock, after the server has said that it is back on it.
    var clockReturns: UInt64 = 0
    /// When the connection rules are to be followed again; nil where nothing has changed.
    var connectionsDue: UInt64?
    var statusDue: UInt64 = .max

    /// How far the session is.
    enum Phase {
        case starting
        case playing
        /// What plays fades for what is to play in its place.
        case yielding(patientUntil: UInt64)
        /// The end is waited for until the fade is over, or patience is.
        case fading(StopReason, patientUntil: UInt64)
        case over(StopReason)
    }

    init(_ session: JackSession, tell: @escaping (SessionEvent) -> Void) {
        self.session = session
        self.tell = tell
        pipeline = session.pipeline
        plan = session.plan
        format = plan.format
        gauge = StatusGauge(nodeIDs: session.show.playing.nodeIDs)
        if let stay = session.stay { gauge.follow(stay.ports) }
        faults = FaultWatch(nodes: session.pipeline.nodes.map(\.id))
        clerk = MetadataClerk(session.options, pipelineName: session.name)
    }

    /// Works until the session is over.
    mutating func run() -> StopReason {
        for pattern in session.keeper.faultyPatterns { tell(.faultyPattern(pattern)) }
        connect()
        while true {
            receive(session.mailbox.wait(untilNanoseconds: nextDue()))
            readReports()
            tellOfIncidents()
            doWhatIsDue()
            if case .over(let reason) = phase { return leave(reason) }
        }
    }

    /// Leaves the server in a state that later clients can work with, and sums up.
    private mutating func leave(_ reason: StopReason) -> StopReason {
        let databasePatience = min(endPatience, after(Self.databaseSeconds))
        isClientFree =
            clerk.end(hasServer: session.stay != nil, patientUntil: databasePatience).isEmpty
        leaveFreewheel()
        presence.waitForParting(untilNanoseconds: endPatience)
        tell(.ended(summary(reason)))
        return reason
    }

    /// Begins the end, unless it has begun.
    mutating func fadeOut(_ reason: StopReason) {
        switch phase {
        case .starting, .playing, .yielding: break
        case .fading, .over: return
        }
        let seconds =
            if case .signal = reason { Self.signalSeconds } else { session.options.hangSeconds }
        endPatience = after(seconds)
        // Nobody would hear it.
        guard session.stay != nil else {
            phase = .over(reason)
            return
        }
        _ = session.engine.fadeOut(seconds: Self.fadeSeconds)
        phase = .fading(reason, patientUntil: fadePatienceEnd)
    }

    /// Seconds since the first audio cycle.
    var playedSeconds: Double { startTime.map { Double(rt_nanoseconds() - $0) / 1e9 } ?? 0 }

    /// The time so many seconds from now, in ns of the monotonic clock.
    func after(_ seconds: Double) -> UInt64 { rt_nanoseconds() + UInt64(seconds * 1e9) }
}
