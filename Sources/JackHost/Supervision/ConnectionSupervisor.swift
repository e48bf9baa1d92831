internal import CRealtime
internal import Engine
internal import Glibc
internal import Processing
internal import SessionCore
internal import Platform

/// Keeps a session connected to a JACK server: applies connection rules, leaves the server, waits
/// until a server runs, and joins it again.
///
/// Only the session's thread uses it. Times are in ns of the monotonic clock.
final class ConnectionSupervisor {
    /// The time between two attempts to join a server, in seconds.
    private static let retrySeconds = 0.25
    /// The time between two attempts to join a server that this program started, in seconds.
    private static let ownRetrySeconds = 0.05
    /// The longest time that the metadata database may delay the change to another client, in
    /// seconds.
    private static let databaseSeconds = 0.1
    /// The time that jackd needs to leave freewheeling before a client may leave.
    ///
    /// Without this pause, later clients receive no cycles.
    private static let freewheelPauseMicroseconds: UInt32 = 50_000
    /// The longest time for a disconnect that makes progress, in seconds.
    ///
    /// Instances that end at the same time wait for each other.
    private static let longestDisconnectSeconds = 15.0

    private let server: JoinedServer
    private let options: SessionOptions
    private let mailbox: Mailbox<SessionMessage>
    private var connector: PortConnector
    private var report = ConnectionReport()
    private var directory: PortDirectory
    private var conditions: CycleConditions
    private var metadata: MetadataWriter
    private var timebase: TimebaseLead
    private var connection: JackConnection?
    private var state = ConnectionState.joined
    /// Whether the engine's workers had threads on the last server.
    private var hasWorkers = true
    /// Runs the engine while no server does.
    private var offlineClock: OfflineClock?
    /// Metadata tasks that may still use earlier clients.
    private var lingering: [BlockingTask] = []

    /// Creates a supervisor for a server that the program has joined.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - options: The options for the use of JACK.
    ///   - format: The server's format.
    ///   - pipelineName: The first part of the ports' pretty names.
    ///   - mailbox: Receives messages for the session's thread.
    init(
        _ server: JoinedServer, _ options: SessionOptions, format: AudioFormat,
        pipelineName: String, mailbox: Mailbox<SessionMessage>
    ) {
        self.server = server
        self.options = options
        self.mailbox = mailbox
        connector = PortConnector(followsRules: options.makesConnections)
        directory = PortDirectory(options, mailbox: mailbox)
        conditions = CycleConditions(format)
        metadata = MetadataWriter(options, pipelineName: pipelineName)
        timebase = TimebaseLead(options.timebase)
    }

    // MARK: State

    /// Whether the session has a client.
    var isConnected: Bool { connection != nil }
    /// The server's format.
    var format: AudioFormat { conditions.format }
    /// Whether PipeWire calls the client although its library has announced PipeWire's end.
    ///
    /// The library (0.3.65) announces the end after each error that the server reports for the
    /// connection, such as a request for a port that another client has just removed. Waits for at
    /// most 0.2 s or eight periods.
    var isStillCalled: Bool {
        guard JackLibrary.loaded.isPipeWire else { return false }
        let first = cycleCount
        let end = after(max(0.2, 8 * Double(format.maximumBlockFrames) / format.sampleRate))
        while rt_nanoseconds() < end {
            // Cycles that have begun may end after PipeWire.
            if cycleCount > first + 2 { return true }
            usleep(2_000)
        }
        return false
    }
    /// Whether no task is opening or closing a client.
    var isSettled: Bool { state.isSettled }
    /// Whether the engine runs without a server.
    private var isOffline: Bool { offlineClock != nil }
    /// The client's name, as assigned by the server.
    var clientName: String { server.clientName }
    /// The patterns of connection rules that are not valid regular expressions.
    var invalidPatterns: [String] { connector.invalidPatterns }
    /// The end of the current client's first cycle; `nil` before it.
    var firstCycleNanoseconds: UInt64? { connection?.firstCycleNanoseconds }
    /// The number of cycles that the current client has played.
    var cycleCount: UInt64 { connection?.cycleCount ?? 0 }
    /// The number of cycles of the audio thread, for a watchdog; `nil` while no server is running.
    var watchedCycle: UInt64? { isConnected || state.isHanging ? cycleCount : nil }
    /// The latency from the sound card's input to its output, in frames; only connected ports
    /// count.
    var roundTripFrames: Int { connection?.roundTripFrames ?? 0 }

    /// Whether cycles run in real time for a server.
    ///
    /// If not, overruns are impossible or inaudible.
    var runsInRealTime: Bool {
        !isOffline && conditions.areRealTime(atNanoseconds: rt_nanoseconds())
    }

    /// The time of the next work that needs no message.
    var due: UInt64 {
        let step = isOffline ? after(OfflineClock.stepSeconds) : .max
        return min(step, connector.due, directory.due, state.due)
    }

    /// Returns whether the client has the given name.
    func isNamed(_ name: String) -> Bool { server.isNamed(name) }

    // MARK: Joining

    /// Registers the ports of a session with a client that is not active yet.
    ///
    /// - Throws: `JackError.portRefused`; the remaining ports are registered anyway.
    func join(_ client: JackClient, playing session: Session) throws(JackError) {
        let engine = session.engine
        connection = JackConnection(
            client, engine, mailbox: mailbox,
            paths: LatencyPaths(session.active.pipeline, session.active.plan),
            followFreewheel: { [options] isOn in
                engine.watchPlugins(options.stopsSlowPlugins && !isOn)
            })
        try registerPorts(session.ports, of: session)
    }

    /// Starts the client's callbacks.
    ///
    /// Posts that the session cannot use several cores, unless that is known. The page and OSC
    /// would miss an event before the first message.
    func activate(playing session: Session) throws(JackError) {
        guard let connection else { return }
        try connection.activate()
        timebase.take(connection)
        let hadWorkers = hasWorkers
        hasWorkers = connection.hasWorkers
        session.useWorkers(hasWorkers)
        if hadWorkers, !hasWorkers { mailbox.post(.coresNotUsed) }
    }

    /// Publishes whether the program is JACK's timebase master, if that has changed.
    func reportTimebase(_ session: Session) {
        guard let connection, let role = timebase.change(on: connection) else { return }
        session.publish(.timebase(role))
    }

    /// Registers and unregisters JACK ports whenever the engine ports of a session change.
    func followPorts(of session: Session) {
        session.onPortsChange = { [unowned self, unowned session] signals in
            do throws(JackError) { try follow(signals, of: session) } catch {
                if case .portRefused(let name) = error { mailbox.post(.portRefused(name)) }
            }
        }
    }

    /// Registers and unregisters JACK ports for other engine ports; remaining ports keep their
    /// connections.
    ///
    /// It is called before a schedule that needs more ports becomes active, and after one that
    /// needed more has been removed. Without a server, the ports are registered when a server is
    /// joined.
    ///
    /// - Throws: `JackError.portRefused`; the remaining ports are registered anyway.
    func follow(_ signals: EnginePorts, of session: Session) throws(JackError) {
        guard let connection else { return }
        // Records the connections of ports that are unregistered now, to restore them later.
        connector.restore(connection.client)
        defer { mailbox.post(.portsChanged) }
        try registerPorts(signals, of: session)
    }

    private func registerPorts(_ signals: EnginePorts, of session: Session) throws(JackError) {
        guard let connection else { return }
        let changes = connection.follow(signals, playing: session.active)
        connector.follow(connection.ports, changes.renamings)
        if let name = changes.refused.first { throw .portRefused(name: name) }
    }

    /// Writes the metadata of the current ports, and connects them.
    func announcePorts() {
        guard let connection else { return }
        metadata.describe(connection)
        connection.recomputeLatencies()
        connector.connectNow()
        directory.noteChange()
    }

    /// Writes the metadata of the current ports, for patchbays.
    func describePorts() {
        directory.noteChange()
        if let connection { metadata.describe(connection) }
    }

    /// Uses the latencies of another schedule for JACK's latency callback from now on.
    func follow(_ schedule: ActiveSchedule) { connection?.follow(schedule) }

    /// Calls the process callback as JACK does once per cycle; for tests.
    func runCycle(frames: Int) { connection?.runCycle(frames: frames) }

    // MARK: Messages of the server

    /// Handles a message from the server.
    ///
    /// Without a client the message is ignored, because it comes from a server that was left.
    func receive(_ message: SessionMessage, _ session: Session) {
        guard let connection else { return }
        switch message {
        case .portAppeared(let identity):
            connector.portAppeared(identity, connection.client)
            directory.noteChange()
        case .connectionsChanged: connector.connectSoon()
        case .portsListed, .metadataRead: directory.noteChange()
        case .metadataChanged: directory.noteMetadata()
        case .blockFrames(let frames): conditions.announce(blockFrames: frames)
        case .sampleRate(let rate): conditions.announce(sampleRate: rate)
        case .freewheel(let isOn):
            conditions.setFreewheeling(isOn, atNanoseconds: rt_nanoseconds())
            session.publish(.freewheel(isOn: isOn))
        case .latencyAsked(let isCapture): connection.answerLatency(isCapture: isCapture)
        case .serverLost(let reason):
            session.publish(.serverLost(reason: reason))
            leave(hasServer: false)
        default: break
        }
    }

    /// Applies the format that the server has announced, or that its cycles have, to a session.
    ///
    /// It is called often, because not every server announces each change.
    func followFormat(_ session: Session) {
        if let connection, let format = connection.cycleFormat {
            conditions.note(format, cycle: connection.cycleCount)
        }
        if let newFormat = conditions.useAnnounced() { session.follow(newFormat) }
    }

    // MARK: Time

    /// Does the work that is due: runs the engine offline, detects a hang, tries to join a server.
    func advance(at now: UInt64, _ session: Session) {
        offlineClock?.play(sampleRate: format.sampleRate)
        if state.detectHang(at: now) { session.publish(.jackHangs) }
        guard case .away(let retryDue) = state, retryDue <= now else { return }
        if let command = server.restartOwnServer() {
            session.publish(.serverStarted(command: command))
        }
        state = .joining(deadline: after(options.hangSeconds))
        let openClient = server.openClient
        _ = BlockingTask { [mailbox] in mailbox.post(.clientOpened(openClient())) }
    }

    /// Applies the connection rules if that is due.
    func connectIfDue(at now: UInt64, _ session: Session) {
        if connector.due <= now { connect(session) }
    }

    /// Applies the connection rules to the current ports of the graph.
    func connect(_ session: Session) {
        guard let connection else { return connector.cancel() }
        for pair in connector.connect(connection.client) {
            session.publish(.connectionRefused(own: pair.own, other: pair.other))
        }
        report.noteChange(at: rt_nanoseconds())
    }

    /// Publishes the connections of all ports, if they have changed and the graph has settled.
    func reportConnections(at now: UInt64, _ session: Session) {
        guard let connection, report.isDue(at: now) else { return }
        if let connections = report.report(connector.portConnections(connection.client)) {
            session.publish(.connections(connections))
        }
    }

    /// Publishes the ports of the server, if they have changed.
    func reportPorts(at now: UInt64, _ session: Session) {
        guard let connection, directory.due <= now else { return }
        if let ports = directory.report(connection.client) {
            session.publish(.serverPorts(ports))
        }
    }

    /// Lists the ports of the server, or connects or disconnects a port of the session.
    func perform(_ request: PortRequest, _ session: Session) -> Answer {
        guard let connection else {
            return .refused("no JACK server runs at the moment", suggestion: nil)
        }
        switch request {
        case .list: return .ports(directory.ports(connection.client))
        case .connect(let pair): return change(pair, isConnected: true, connection, session)
        case .disconnect(let pair): return change(pair, isConnected: false, connection, session)
        }
    }

    private func change(
        _ pair: PortPair, isConnected: Bool, _ connection: JackConnection, _ session: Session
    ) -> Answer {
        if let refusal = connector.change(pair, isConnected: isConnected, connection.client) {
            return .refused(refusal.reason, suggestion: refusal.suggestion)
        }
        // The client that asked sees the change before its answer.
        if let connections = report.report(connector.portConnections(connection.client)) {
            session.publish(.connections(connections))
        }
        return .done
    }

    // MARK: Leaving

    /// Closes the client on another thread; the engine, values and schedules remain.
    ///
    /// - Parameters:
    ///   - hasServer: Whether the server still runs.
    ///   - former: The session that the client played and that has been replaced. It is freed with
    ///     its plugins on the closing thread, because that may take long.
    func leave(hasServer: Bool, freeing former: ReplacedSession? = nil) {
        guard let connection else { return }
        connector.cancel()
        report.cancel()
        conditions.forgetServer()
        let reader = directory.leave()
        let writers =
            metadata.end(hasServer: hasServer, deadline: after(Self.databaseSeconds))
            + [reader].compactMap { $0 }
        lingering.removeAll { $0.isDone(withinSeconds: 0) }
        lingering += writers
        // If the server runs, a task that still writes closes the client at its end. The next
        // client may be open by then.
        let isClientFree = !hasServer || writers.isEmpty
        // If the server has ended, libjack closes an old client when the next one is opened, so a
        // task that is still running would close it a second time.
        let awaited = hasServer ? [] : lingering
        if !hasServer { lingering = [] }
        self.connection = nil
        state = .closing(
            BlockingTask { [mailbox, former] in
                _ = former
                connection.releaseEngine()
                for writer in awaited { writer.wait() }
                if isClientFree { connection.close(hasServer: hasServer) }
                mailbox.post(.clientClosed)
            }, deadline: after(options.hangSeconds))
    }

    /// Notes that the old client is closed and its audio thread has ended.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - playsOffline: Whether the engine runs offline until the next server is joined.
    func receiveClosed(_ session: Session, playsOffline: Bool) {
        state = .away(retryDue: 0)
        if playsOffline { playOffline(session) }
    }

    private func playOffline(_ session: Session) {
        // The offline clock's thread has no real-time priority, so plugins may be slow there.
        session.engine.watchPlugins(false)
        offlineClock = offlineClock ?? OfflineClock(session.engine.audio)
    }

    /// Plays another session offline, if the current one plays offline.
    ///
    /// - Returns: Whether the session plays offline.
    func continueOffline(with session: Session) -> Bool {
        guard isOffline else { return false }
        offlineClock = OfflineClock(session.engine.audio)
        return true
    }

    /// Ends freewheeling, if the server freewheels.
    func leaveFreewheel() {
        guard conditions.isFreewheeling, let connection else { return }
        connection.client.leaveFreewheel()
        usleep(Self.freewheelPauseMicroseconds)
    }

    /// Prepares for another session and the name of its client.
    func rename(to clientName: String, _ session: Session) {
        connector.forgetPorts()
        report.forget()
        metadata.pipelineName = session.name
        server.rename(to: clientName)
        followPorts(of: session)
    }

    // MARK: Returning

    /// Continues with the result of an attempt to join a server.
    ///
    /// - Parameters:
    ///   - client: The new client; `nil` if no server runs.
    ///   - session: The session.
    ///   - isNew: Whether the session replaces another one and is not audible yet.
    func receiveOpened(_ client: JackClient?, _ session: Session, isNew: Bool) {
        guard let client else {
            playOffline(session)
            let isOwn = server.ownServerCommand != nil
            state = .away(retryDue: after(isOwn ? Self.ownRetrySeconds : Self.retrySeconds))
            return
        }
        server.rejoin(client)
        do { try resume(client, session, isNew: isNew) } catch {
            // The server is already lost again.
            leave(hasServer: false)
        }
    }

    /// Plays the session in a server that is back.
    private func resume(
        _ client: JackClient, _ session: Session, isNew: Bool
    ) throws(JackError) {
        do { try join(client, playing: session) } catch {
            // A new session plays with the ports that could be registered, like a song.
            guard isNew, case .portRefused(let name) = error else { throw error }
            session.publish(.portRefused(name: name))
        }
        state = .joined
        let format = AudioFormat(client, coreCount: options.coreCount)
        conditions.use(format)
        session.follow(format)
        // Without this, the remaining sound from before the loss would start with a jump.
        _ = session.engine.fadeOut(seconds: 0)
        connector.returned(to: client)
        session.engine.watchPlugins(options.stopsSlowPlugins)
        offlineClock = nil
        try activate(playing: session)
        connect(session)
        // After the connections: a port that is connected during a fade would receive a step.
        _ = session.engine.fadeIn(seconds: SessionLoop.fadeSeconds)
        announcePorts()
        guard !isNew else { return }
        session.publish(
            .serverBack(
                clientName: server.clientName, sampleRate: format.sampleRate,
                blockFrames: format.maximumBlockFrames))
    }

    // MARK: End

    /// Stops writing metadata, ends freewheeling, and waits for a client that is being closed.
    ///
    /// - Parameters:
    ///   - databaseTime: The time limit for the metadata database.
    ///   - time: The time limit for the client.
    /// - Returns: Whether no task uses the client any more.
    func prepareEnd(databaseDeadline databaseTime: UInt64, deadline time: UInt64) -> Bool {
        let isClientFree = metadata.end(
            hasServer: isConnected, deadline: databaseTime
        ).isEmpty
        leaveFreewheel()
        state.waitForClosing(untilNanoseconds: time)
        let reader = directory.leave()
        return isClientFree && (reader?.isDone(untilNanoseconds: databaseTime) ?? true)
    }

    /// Closes the client for good, but does not wait for a server that hangs.
    ///
    /// A blocked task keeps everything alive that the client's callbacks use.
    ///
    /// - Parameters:
    ///   - isClientFree: Whether no task uses the client. If not, its last user closes it.
    ///   - time: The time limit for the server. If a client left in the middle of a cycle, the
    ///     server waits for JACK's own time limits, which are seconds.
    ///   - progress: Records each step.
    /// - Throws: `JackError.serverHangs`.
    func disconnect(
        isClientFree: Bool, deadline time: UInt64, progress: LeaveProgress
    ) throws(JackError) {
        var hangs = false
        defer { server.endOwnServer(hangs: hangs) }
        guard isClientFree, let connection else { return }
        self.connection = nil
        defer { progress.end(hasLeft: !hangs) }
        let closing = BlockingTask { connection.close(progress: progress) }
        hangs = !Self.isDone(closing, progress, deadline: time)
        if hangs { throw .serverHangs }
    }

    /// Waits for a disconnect while it makes progress; returns whether it is done.
    private static func isDone(
        _ closing: BlockingTask, _ progress: LeaveProgress, deadline time: UInt64
    ) -> Bool {
        if closing.isDone(untilNanoseconds: time) { return true }
        let end = time + UInt64(longestDisconnectSeconds * 1e9)
        while progress.isProgressing, rt_nanoseconds() < end {
            if closing.isDone(withinSeconds: 0.02) { return true }
        }
        return closing.isDone(withinSeconds: 0)
    }

    /// Returns the time a number of seconds from now.
    private func after(_ seconds: Double) -> UInt64 { rt_nanoseconds() + UInt64(seconds * 1e9) }
}
