internal import CRealtime
public import Engine
public import Pipelines
public import Processing
internal import Realtime
public import Show
internal import Threads

/// A show that plays in a JACK graph, from its ports' registration to its last faded sample.
///
/// The thread that calls `play` is the session's own: it makes connections, prepares schedules and tells of events.
/// JACK's threads and everybody else only leave letters for it.
public final class JackSession {
    let server: JoinedServer
    let options: SessionOptions
    /// What the session is called: the pipeline's name, or the setlist's.
    private(set) var name: String
    private(set) var show: Show
    var engine: Engine { show.engine }
    let mailbox: Mailbox<Letter>
    /// Nil while there is no server.
    private(set) var stay: Stay?
    var keeper: ConnectionKeeper

    /// A session of one pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: What is played, checked for the server's sample rate.
    ///   - catalogue: The one that the pipeline was checked with.
    ///   - server: Where it is played; the session leaves it at the end.
    ///   - options: How it takes its place.
    /// - Throws: `SessionFault` where a plugin does not load or JACK refuses a port.
    public convenience init(
        playing pipeline: Pipeline, catalogue: Catalogue, on server: JoinedServer,
        options: SessionOptions
    ) throws(SessionFault) {
        try self.init(
            playing: [Song(name: pipeline.name, pipeline: pipeline, path: "")],
            named: pipeline.name, catalogue: catalogue, on: server, options: options)
    }

    /// Prepares the first song for the server's format and registers the ports of all; nothing plays yet.
    ///
    /// - Parameters:
    ///   - songs: What is played, checked for the server's sample rate; at least one.
    ///   - name: What it is called.
    ///   - catalogue: The one that the songs were checked with.
    ///   - server: Where it is played; the session leaves it at the end.
    ///   - options: How it takes its place.
    /// - Throws: `SessionFault` where a plugin does not load or JACK refuses a port.
    public init(
        playing songs: [Song], named name: String, catalogue: Catalogue, on server: JoinedServer,
        options: SessionOptions
    ) throws(SessionFault) {
        self.name = name
        self.server = server
        self.options = options
        let mailbox = Mailbox<Letter>()
        self.mailbox = mailbox
        show = try Show(
            playing: songs, catalogue: catalogue, format: AudioFormat(server.client),
            mailbox: mailbox)
        keeper = ConnectionKeeper(followsRules: options.makesConnections)
        do { try join(server.client) } catch { throw .jack(error) }
        engine.watchPlugins(options.stopsSlowPlugins)
        followOutside()
    }

    private func followOutside() { show.onOutside = { [unowned self] in followOrTell($0) } }

    /// Plays another show from the next server on, or in the next client.
    ///
    /// - Parameters:
    ///   - successor: Nothing of it was played.
    ///   - name: What it is called.
    /// - Returns: The show that played, which may still be in the client's callback.
    func succeed(by successor: Show, named name: String) -> FormerShow {
        let former = show
        successor.succeed(former)
        show = successor
        self.name = name
        keeper = ConnectionKeeper(followsRules: options.makesConnections)
        followOutside()
        return FormerShow(show: former)
    }

    /// What plays now.
    var pipeline: Pipeline { show.playing.pipeline }
    /// In what order, and how late.
    var plan: Plan { show.playing.plan }

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
            let patience = rt_nanoseconds() + UInt64(options.hangSeconds * 1e9)
            try Departure.leave(self, isClientFree: true, patientUntil: patience)
            throw error
        }
        var loop = SessionLoop(self, tell: tell)
        let reason = loop.run()
        try Departure.leave(self, isClientFree: loop.isClientFree, patientUntil: loop.endPatience)
        return reason
    }

    /// Brings the ports in line with what the engine has outside; those that stay keep their connections.
    ///
    /// To be called on the session's own thread: before a schedule is handed over that needs more, and after one is
    /// gone that needed more. Where there is no server, the ports come with it.
    ///
    /// - Parameter outside: All signals that there are to be.
    /// - Throws: `JackFault.portRefused`; all ports that could be had are there.
    package func follow(_ outside: Outside) throws(JackFault) {
        guard let stay else { return }
        // What is connected now is to be there again when a port comes back that goes.
        keeper.restore(stay.client)
        defer { mailbox.post(.portsChanged) }
        try bringPortsInLine(outside)
    }

    /// As above, for changes of songs and edits.
    private func followOrTell(_ outside: Outside) {
        do { try follow(outside) } catch {
            if case .portRefused(let name) = error { mailbox.post(.portRefused(name)) }
        }
    }

    private func bringPortsInLine(_ outside: Outside) throws(JackFault) {
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
    func join(_ client: JackClient) throws(JackFault) {
        stay = Stay(
            client, engine, mailbox: mailbox, paths: LatencyPaths(pipeline, plan),
            followFreewheel: { [engine, options] isOn in
                engine.watchPlugins(options.stopsSlowPlugins && !isOn)
            })
        try bringPortsInLine(show.outside)
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
    /// Songs whose signals do not go together: a sentence without its full stop.
    case signals(String)
}

extension AudioFormat {
    /// What a client's server asks for.
    init(_ client: JackClient) {
        self.init(
            sampleRate: client.sampleRate, maximumBlockFrames: client.blockFrames, isLive: true,
            realtimePriority: client.realtimePriority)
    }
}
