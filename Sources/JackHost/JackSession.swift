public import Engine
public import Pipelines
public import Processing
internal import Realtime

/// A pipeline that plays in a JACK graph, from its ports' registration to its last faded sample.
///
/// The thread that calls `play` is the session's own: it makes connections, prepares schedules and tells of events.
/// JACK's threads and everybody else only leave letters for it.
public final class JackSession {
    let server: JoinedServer
    let options: SessionOptions
    let pipeline: Pipeline
    let engine: Engine
    let mailbox = Mailbox<Letter>()
    /// Nil while there is no server.
    private(set) var stay: Stay?
    var keeper: ConnectionKeeper
    let follower: FormatFollower
    /// What plays first.
    let plan: Plan
    private var outside: Outside

    /// Prepares the pipeline for the server's format and registers its ports; nothing plays yet.
    ///
    /// - Parameters:
    ///   - pipeline: What is played, checked for the server's sample rate.
    ///   - catalogue: The one that the pipeline was checked with.
    ///   - server: Where it is played; the session leaves it at the end.
    ///   - options: How it takes its place.
    /// - Throws: `SessionFault` where a plugin does not load or JACK refuses a port.
    public init(
        playing pipeline: Pipeline, catalogue: Catalogue, on server: JoinedServer,
        options: SessionOptions
    ) throws(SessionFault) {
        self.pipeline = pipeline
        self.server = server
        self.options = options
        let schedule: Schedule
        let format = AudioFormat(server.client)
        do {
            schedule = try Schedule(preparing: pipeline, catalogue: catalogue, format: format)
        } catch { throw .preparation(error) }
        guard let outside = Outside(pipeline) else { throw .jack(.tooManyPorts) }
        self.outside = outside
        plan = schedule.plan
        keeper = ConnectionKeeper(followsRules: options.makesConnections)
        follower = FormatFollower(pipeline, catalogue: catalogue, format: format)
        engine = Engine(playing: schedule, fadingIn: true)
        do { try join(server.client, plan) } catch { throw .jack(error) }
        engine.watchPlugins(options.stopsSlowPlugins)
    }

    /// What other threads may do with the session.
    public var remote: SessionRemote { SessionRemote(mailbox: mailbox) }

    /// Plays until the session is stopped or its time is over, also where the server goes and comes back.
    ///
    /// - Parameter tell: Called on this thread with all that happens.
    /// - Returns: Why it ended.
    /// - Throws: `JackFault` where the server does not let it play, or does not answer at the end.
    public func play(_ tell: @escaping (SessionEvent) -> Void) throws(JackFault) -> StopReason {
        tellOfServer(tell)
        if options.locksMemory, !MemoryLock.lock() { tell(.memoryNotLocked) }
        _ = engine.fadeIn(seconds: SessionLoop.fadeSeconds)
        do { try stay?.begin() } catch {
            try Departure.leave(self, isClientFree: true)
            throw error
        }
        var loop = SessionLoop(self, tell: tell)
        let reason = loop.run()
        try Departure.leave(self, isClientFree: loop.isClientFree)
        return reason
    }

    /// Brings the ports in line with what the engine has outside; those that stay keep their connections.
    ///
    /// To be called on the session's own thread: before a schedule is handed over that needs more, and after one is
    /// gone that needed more. Where there is no server, the ports come with it.
    ///
    /// - Parameter outside: All signals that there are to be.
    /// - Throws: `JackFault.portRefused`; all ports that could be had are there.
    public func use(_ outside: Outside) throws(JackFault) {
        self.outside = outside
        guard let stay else { return }
        // What is connected now is to be there again when a port comes back that goes.
        keeper.restore(stay.client)
        defer { mailbox.post(.portsChanged) }
        try bringPortsInLine()
    }

    private func bringPortsInLine() throws(JackFault) {
        guard let stay else { return }
        let changes = stay.use(outside)
        keeper.follow(stay.ports, changes.renamings)
        stay.notifications.latencies.replace(
            stay.ports, inputNames: pipeline.inputs.map(\.name),
            outputNames: pipeline.outputs.map(\.name))
        if let name = changes.refused.first { throw .portRefused(name: name) }
    }

    /// Does what JACK does once a cycle, in its stead, before `play`: for tests.
    package func callBack(frames: Int) { stay?.audioSide.callBack(frames: frames) }

    /// Becomes a part of a server's graph, which does not call us yet.
    func join(_ client: JackClient, _ plan: Plan) throws(JackFault) {
        stay = Stay(
            client, engine, mailbox: mailbox, paths: LatencyPaths(pipeline, plan),
            followFreewheel: { [engine, options] isOn in
                engine.watchPlugins(options.stopsSlowPlugins && !isOn)
            })
        try bringPortsInLine()
    }

    /// Gives up a server that is lost.
    ///
    /// - Returns: Our time there, to be ended elsewhere.
    func part() -> Stay? {
        defer { stay = nil }
        return stay
    }

    private func tellOfServer(_ tell: (SessionEvent) -> Void) {
        if let command = server.ownServerCommand { tell(.serverStarted(command: command)) }
        if let wished = server.refusedName {
            tell(.nameChanged(wished: wished, given: server.clientName))
        }
        if let taken = server.takenName {
            tell(.nameTaken(wished: taken, given: server.clientName))
        }
    }
}

/// Why a session cannot begin.
public enum SessionFault: Error, Sendable, Equatable {
    case jack(JackFault)
    case preparation(PreparationFault)
}

/// The end of a session that any thread but the audio thread may use.
public struct SessionRemote: Sendable {
    let mailbox: Mailbox<Letter>

    /// Has a command carried out by the engine.
    public func send(_ command: Command) { mailbox.post(.command(command)) }

    /// Has the session fade out and end.
    public func stop(_ reason: StopReason = .asked) { mailbox.post(.stop(reason)) }

    /// Has the ports brought in line with what the engine has outside: `JackSession.use`.
    package func use(_ outside: Outside) { mailbox.post(.use(outside)) }
}

extension AudioFormat {
    /// What a client's server asks for now.
    init(_ client: JackClient) {
        self.init(
            sampleRate: client.sampleRate, maximumBlockFrames: client.blockFrames, isLive: true,
            realtimePriority: client.realtimePriority)
    }
}
