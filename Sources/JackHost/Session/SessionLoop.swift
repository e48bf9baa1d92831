internal import CRealtime
internal import Engine
internal import Processing
internal import SessionCore
internal import Platform

/// The work of the session's thread: it handles messages, the engine's reports and timed work.
struct SessionLoop {
    /// The length of the fades at start and end, in seconds.
    static let fadeSeconds = 0.05
    /// The longest time for the end after a signal, in seconds.
    private static let signalSeconds = 2.5
    /// The longest wait for the metadata database at the end, in seconds.
    ///
    /// A program that ends while it writes leaves the database locked.
    private static let databaseSeconds = 1.0
    /// The time that a fade may take beyond its length before the session ends without it, in
    /// seconds.
    private static let fadeTimeoutSeconds = 0.25
    /// The reason for which a request for another session ends.
    private static let replacement = "a later request replaced this one"

    private let connection: ConnectionSupervisor
    private let memory: SessionMemory
    private let options: SessionOptions
    private let mailbox: Mailbox<SessionMessage>
    private let leaving: LeaveProgress
    private var session: Session
    private var phase = Phase.starting
    /// The number of the latest request for another session.
    private var switchCount = 0
    /// The number of the latest request that could be carried out.
    private var lastReadySwitch = 0
    /// The session that is ready to replace the current one.
    private var prepared: PreparedSwitch?
    /// The request of a session that has replaced another one and is not audible yet.
    private var unannouncedSwitch: SessionSwitch?
    /// The number of xruns that are not published yet.
    private var newXruns = 0
    /// The delay of the longest of them, in ms; `nil` if the server did not report any.
    private var longestMilliseconds: Double?
    /// The end of the first audio cycle, in ns of the monotonic clock; `nil` before it.
    private var startTime: UInt64?
    private var statusDue: UInt64 = .max
    /// The cycle count at the start of the last fade.
    private var cyclesBeforeFade: UInt64 = 0
    private var snapshots: SnapshotSchedule
    private var progress: ProgressReport
    /// The time limit for JACK at the end of the session, in ns of the monotonic clock.
    private var endDeadline = UInt64.max

    /// A phase of the session.
    private enum Phase {
        case starting
        case playing
        /// The current songs fade out for a session switch. The session waits for the fade until
        /// this time.
        case yielding(deadline: UInt64)
        /// The session fades out before it ends. It waits for the fade until this time.
        case fading(StopReason, deadline: UInt64)
        case over(StopReason)
    }

    /// The end of a session.
    struct End {
        let reason: StopReason
        /// Whether no task uses the client any more, so that it may be closed.
        let isClientFree: Bool
        /// The time limit for the disconnect, in ns of the monotonic clock.
        let deadline: UInt64
    }

    init(
        _ session: Session, _ connection: ConnectionSupervisor, _ memory: SessionMemory,
        options: SessionOptions, mailbox: Mailbox<SessionMessage>, leaving: LeaveProgress
    ) {
        self.session = session
        self.connection = connection
        self.memory = memory
        self.options = options
        self.mailbox = mailbox
        self.leaving = leaving
        snapshots = SnapshotSchedule(options.onSnapshot)
        progress = ProgressReport(options.onProgress)
    }

    /// Runs until the session has ended.
    mutating func run() -> End {
        for pattern in connection.invalidPatterns { session.publish(.invalidPattern(pattern)) }
        connection.connect(session)
        while true {
            receive(mailbox.wait(untilNanoseconds: nextDue()))
            for notice in session.advance(countsOverruns: connection.runsInRealTime) {
                follow(notice)
            }
            publishIncidentsOfRemovedNodes()
            performDueWork()
            if case .over(let reason) = phase { return end(reason) }
        }
    }

    /// Publishes incidents of nodes that have been removed, such as the end of a take.
    private func publishIncidentsOfRemovedNodes() {
        while let found = options.nextIncident?() {
            session.publish(
                .incident(node: found.node, plugin: found.label, found.incident))
        }
    }

    /// Returns the time at which the loop must continue without a message.
    private func nextDue() -> UInt64 {
        let seconds =
            switch phase {
            case .starting where connection.isConnected: 0.002
            case .starting, .playing: session.advanceSeconds
            case .yielding, .fading, .over: 0.005
            }
        return min(after(seconds), connection.due, statusDue)
    }

    // MARK: Messages

    private mutating func receive(_ messages: [SessionMessage]) {
        for message in messages { receive(message) }
        connection.followFormat(session)
        guard newXruns > 0 else { return }
        session.addXruns(newXruns, longestMilliseconds: longestMilliseconds)
        (newXruns, longestMilliseconds) = (0, nil)
    }

    private mutating func receive(_ message: SessionMessage) {
        switch message {
        case .portAppeared, .connectionsChanged, .portsListed, .metadataChanged, .metadataRead,
            .blockFrames, .sampleRate, .freewheel, .latencyAsked:
            connection.receive(message, session)
        case .xrun(let milliseconds):
            guard connection.isConnected else { return }
            newXruns += 1
            longestMilliseconds = [longestMilliseconds, milliseconds].compactMap { $0 }.max()
        case .serverLost: handleServerLoss(message)
        case .clientClosed:
            // A session that is not audible yet begins when the server is joined.
            connection.receiveClosed(session, playsOffline: unannouncedSwitch == nil)
        case .clientOpened(let client):
            connection.receiveOpened(client, session, isNew: unannouncedSwitch != nil)
        case .portsChanged: connection.announcePorts()
        case .memoryLocked(let outcome): memory.report(outcome, session)
        case .portRefused(let name): session.publish(.portRefused(name: name))
        case .coresNotUsed: session.publish(.coresNotUsed)
        case .use(let ports): use(ports)
        case .request(.ports(let request), _, let answer):
            answer(connection.perform(request, session))
        case .request(let request, let origin, let answer):
            answer(session.perform(request, from: origin, later: answer))
        case .watch(let owner, let watcher): session.watch(for: owner, watcher)
        case .follow(let collection): session.follow(collection)
        case .fileEdited(let number, let result, let songs):
            session.finishFileEdit(number, result, songs: songs)
        case .files(let files): session.follow(files)
        case .boxKept(let path, let reason, let request):
            session.publish(.boxKept(path: path, reason: reason))
            if let request { session.finishBoxRequest(request, .kept(path: path)) }
        case .boxNotKept(let reason, let request):
            session.publish(.boxNotKept(reason: reason))
            if let request {
                session.finishBoxRequest(request, .refused(reason, suggestion: nil))
            }
        case .command(let command): _ = session.engine.send(command)
        case .stop(let reason): fadeOut(reason)
        case .switchSongs, .switchReady, .switchAsEdit, .switchFailed: receiveSwitch(message)
        }
    }

    private func use(_ ports: EnginePorts) {
        do { try connection.follow(ports, of: session) } catch {
            if case .portRefused(let name) = error { session.publish(.portRefused(name: name)) }
        }
    }

    private mutating func handleServerLoss(_ message: SessionMessage) {
        guard connection.isConnected, !connection.isStillCalled else { return }
        connection.receive(message, session)
        switch phase {
        case .fading(let reason, _): phase = .over(reason)
        case .yielding: phase = .playing
        case .starting, .playing, .over: break
        }
    }

    // MARK: Phases

    private mutating func follow(_ notice: Session.HostNotice) {
        switch notice {
        case .scheduleActive(let schedule):
            connection.follow(schedule)
            memory.lockSoon()
        case .faded:
            switch phase {
            case .fading(let reason, _): phase = .over(reason)
            case .yielding: phase = .yielding(deadline: 0)
            case .starting, .playing, .over: break
            }
        }
    }

    /// Connects, publishes a status and enters the next phase, each if it is due.
    private mutating func performDueWork() {
        let now = rt_nanoseconds()
        connection.connectIfDue(at: now, session)
        connection.reportPorts(at: now, session)
        if statusDue <= now {
            statusDue = after(options.statusSeconds)
            session.publishStatus(roundTripFrames: connection.roundTripFrames)
        }
        connection.advance(at: now, session)
        if startTime != nil { snapshots.advance(session, nowNanoseconds: now) }
        progress.advance(cycle: connection.watchedCycle, nowNanoseconds: now)
        switch phase {
        case .starting: if let time = connection.firstCycleNanoseconds { begin(time) }
        case .playing:
            connection.reportConnections(at: now, session)
            connection.reportTimebase(session)
            if let duration = options.durationSeconds, playedSeconds >= duration {
                fadeOut(.durationOver)
            } else {
                fadeOutForPrepared()
            }
        case .yielding(let deadline): if deadline <= now { switchToPrepared() }
        case .fading(let reason, let deadline):
            if deadline <= now { phase = .over(reason) }
        case .over: break
        }
    }

    private mutating func begin(_ firstCycleTime: UInt64) {
        phase = .playing
        guard startTime == nil else { return announceSwitch() }
        startTime = firstCycleTime
        statusDue = after(options.statusSeconds)
        let plan = session.reportedPlan
        session.publish(
            .started(
                SessionStart(
                    clientName: connection.clientName, pipelineName: session.name,
                    sampleRate: plan.format.sampleRate,
                    blockFrames: plan.format.maximumBlockFrames,
                    latencyFrames: plan.latencyFrames,
                    startupSeconds: ProcessClock.seconds(untilNanoseconds: firstCycleTime) ?? 0)))
        session.announceProblems()
        connection.describePorts()
    }

    /// Begins the end of the session, unless it has already begun.
    private mutating func fadeOut(_ reason: StopReason) {
        switch phase {
        case .starting, .playing, .yielding: break
        case .fading, .over: return
        }
        session.refuseWaitingRequests("the session ends")
        let seconds = if case .signal = reason { Self.signalSeconds } else { options.hangSeconds }
        endDeadline = after(seconds)
        // Without a server the fade would be inaudible.
        guard connection.isConnected else {
            phase = .over(reason)
            return
        }
        _ = session.engine.fadeOut(seconds: Self.fadeSeconds)
        cyclesBeforeFade = connection.cycleCount
        phase = .fading(reason, deadline: fadeDeadline)
    }

    /// Leaves the server in a state that later clients can work with.
    private mutating func end(_ reason: StopReason) -> End {
        // A server that still calls the client does not hang, even if the machine is too busy for a
        // fade to end in time. One cycle may have been running when the fade began.
        if connection.cycleCount > cyclesBeforeFade + 1 { leaving.note() }
        let isClientFree = connection.prepareEnd(
            databaseDeadline: min(endDeadline, after(Self.databaseSeconds)),
            deadline: endDeadline)
        snapshots.finish(session)
        session.refuseWaitingRequests("the session ends")
        session.publish(.ended(session.summary(reason, seconds: playedSeconds)))
        return End(reason: reason, isClientFree: isClientFree, deadline: endDeadline)
    }

    // MARK: Session switch

    private mutating func receiveSwitch(_ message: SessionMessage) {
        switch message {
        case .switchSongs(var request):
            switchCount += 1
            request.number = switchCount
            prepare(request)
        case .switchReady(let ready):
            guard !dropIfReplaced(ready.request) else { return }
            replaceEarlier(with: ready.request)
            prepared = ready
        case .switchAsEdit(let request): followAsEdit(request)
        case .switchFailed(let request, let reason): drop(request, reason)
        default: break
        }
    }

    private func prepare(_ request: SessionSwitch) {
        request.prepare(
            connection.format, isEdit: connection.isNamed(request.clientName),
            usesCoresAutomatically: options.usesCoresAutomatically,
            isTolerant: options.isTolerant, captures: options.captures, mailbox)
    }

    /// Ends a request if a later one got ready before it; returns whether it has ended.
    private func dropIfReplaced(_ request: SessionSwitch) -> Bool {
        guard request.number < lastReadySwitch else { return false }
        drop(request, Self.replacement)
        return true
    }

    /// Notes a request that can be carried out, and ends an earlier one that waits.
    private mutating func replaceEarlier(with request: SessionSwitch) {
        lastReadySwitch = request.number
        if let former = prepared?.request { drop(former, Self.replacement) }
        prepared = nil
    }

    /// Ends a request whose session will not play.
    private func drop(_ request: SessionSwitch, _ reason: String) {
        options.captures?.sessionIsDropped(request.number)
        request.finish(reason)
    }

    /// Applies the songs of a session switch that keeps the client's name.
    private mutating func followAsEdit(_ request: SessionSwitch) {
        guard !dropIfReplaced(request) else { return }
        // An earlier request may have renamed the client in the meantime.
        guard connection.isNamed(request.clientName) else { return prepare(request) }
        guard session.hasRoom(for: request.collection.songs) else {
            return request.finish("its inputs and outputs are not compatible with the current ones")
        }
        replaceEarlier(with: request)
        request.finish()
        session.replaceSongs(with: request.collection)
    }

    /// Fades the current songs out if another session is ready and the client can be closed.
    private mutating func fadeOutForPrepared() {
        guard prepared != nil, connection.isSettled else { return }
        guard connection.isConnected else { return switchToPrepared() }
        _ = session.engine.fadeOut(seconds: Self.fadeSeconds)
        phase = .yielding(deadline: fadeDeadline)
    }

    /// Replaces the session, leaves the server, and joins it again under the other name.
    private mutating func switchToPrepared() {
        guard let ready = prepared else {
            // An edit has replaced the request for which the current songs faded out.
            _ = session.engine.fadeIn(seconds: Self.fadeSeconds)
            phase = .playing
            return
        }
        prepared = nil
        let former = ReplacedSession(session: session)
        session = ready.session
        session.replace(former.session)
        connection.rename(to: ready.request.clientName, session)
        unannouncedSwitch = ready.request
        if connection.isConnected {
            connection.leaveFreewheel()
            connection.leave(hasServer: true, freeing: former)
            phase = .starting
        }
        // While the session plays offline, the switch does not wait for the server.
        guard connection.continueOffline(with: session) else { return }
        _ = session.engine.fadeIn(seconds: Self.fadeSeconds)
        announceSwitch()
    }

    /// Announces that the new session of a session switch is audible.
    private mutating func announceSwitch() {
        guard let request = unannouncedSwitch else { return }
        unannouncedSwitch = nil
        options.captures?.sessionPlays(request.number)
        let assignedName = connection.clientName
        if !connection.isNamed(request.clientName) {
            session.publish(.nameTaken(requested: request.clientName, assigned: assignedName))
        }
        for pattern in connection.invalidPatterns { session.publish(.invalidPattern(pattern)) }
        session.publish(.switched(clientName: assignedName, pipelineName: session.name))
        request.finish()
        session.announceReplacement()
    }

    // MARK: Time

    /// The time limit for a fade that begins now, in ns of the monotonic clock.
    private var fadeDeadline: UInt64 { after(Self.fadeSeconds + Self.fadeTimeoutSeconds) }

    /// The seconds since the first audio cycle.
    private var playedSeconds: Double {
        startTime.map { Double(rt_nanoseconds() - $0) / 1e9 } ?? 0
    }

    /// Returns the time a number of seconds from now, in ns of the monotonic clock.
    private func after(_ seconds: Double) -> UInt64 { rt_nanoseconds() + UInt64(seconds * 1e9) }
}
