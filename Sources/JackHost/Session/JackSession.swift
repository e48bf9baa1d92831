internal import CRealtime
public import Engine
public import Pipelines
public import Processing
internal import Realtime
public import SessionCore
internal import Platform

/// A session that plays in a JACK graph, from the registration of its ports to the end of its
/// fade-out.
///
/// The thread that calls `play` is the session's thread: it makes connections, exchanges schedules
/// and publishes events. JACK's threads and all controllers send messages to it.
public final class JackSession {
    private let server: JoinedServer
    private let options: SessionOptions
    /// The first session; `nil` once it plays.
    private var first: Session?
    private let connection: ConnectionSupervisor
    private let mailbox = Mailbox<SessionMessage>()
    private let leaving = LeaveProgress()

    /// Prepares a session of one pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline, checked for the server's sample rate.
    ///   - catalogue: The catalogue that it was checked with.
    ///   - server: The server; the session leaves it at the end.
    ///   - options: The options for the use of the server.
    /// - Throws: `JackSessionError` if a plugin cannot be loaded or JACK refuses a port.
    public convenience init(
        playing pipeline: Pipeline, catalogue: Catalogue, on server: JoinedServer,
        options: SessionOptions
    ) throws(JackSessionError) {
        let song = Song(name: pipeline.name, pipeline: pipeline, path: "")
        try self.init(
            playing: SongCollection(name: pipeline.name, songs: [song], isSetlist: false),
            catalogue: catalogue, on: server, options: options)
    }

    /// Prepares the first song for the server's format and registers the ports of all songs.
    ///
    /// The session does not play before `play` is called.
    ///
    /// - Parameters:
    ///   - collection: The songs, checked for the server's sample rate; at least one.
    ///   - start: The song and the scene to begin with.
    ///   - catalogue: The catalogue that they were checked with.
    ///   - server: The server; the session leaves it at the end.
    ///   - options: The options for the use of the server.
    /// - Throws: `JackSessionError` if a plugin cannot be loaded or JACK refuses a port.
    public init(
        playing collection: SongCollection, from start: StartingPoint = StartingPoint(),
        catalogue: Catalogue, on server: JoinedServer, options: SessionOptions
    ) throws(JackSessionError) {
        self.server = server
        self.options = options
        let session: Session
        do {
            let format = AudioFormat(server.client, coreCount: options.coreCount)
            session = try Session(
                playing: collection, from: start, catalogue: catalogue, format: format,
                usesCoresAutomatically: options.usesCoresAutomatically,
                isTolerant: options.isTolerant,
                capture: options.captures?.makeCapture(ofSession: 0, format),
                mailbox: mailbox)
        } catch { throw JackSessionError(error) }
        first = session
        connection = ConnectionSupervisor(
            server, options,
            format: AudioFormat(server.client, coreCount: options.coreCount),
            pipelineName: collection.name, mailbox: mailbox)
        do { try connection.join(server.client, playing: session) } catch { throw .jack(error) }
        session.engine.watchPlugins(options.stopsSlowPlugins)
        connection.followPorts(of: session)
    }

    /// The interface for the session's owner on other threads.
    public var remote: SessionRemote { SessionRemote(mailbox: mailbox, progress: leaving) }

    /// Plays until the session is stopped or its duration has elapsed, even if the server is lost
    /// and comes back.
    ///
    /// - Parameter watcher: Called on this thread with every event.
    /// - Returns: The reason why the session ended.
    /// - Throws: `JackError` if the server does not let the session play, or does not answer at the
    ///   end.
    public func play(
        _ watcher: @escaping @Sendable (SessionEvent) -> Void
    ) throws(JackError) -> StopReason {
        guard var loop = try start(watcher) else { return .requested }
        let end = loop.run()
        try connection.disconnect(
            isClientFree: end.isClientFree, deadline: end.deadline, progress: leaving)
        return end.reason
    }

    /// Starts the client.
    ///
    /// - Returns: The loop, which owns the session; `nil` if the session has played before.
    private func start(
        _ watcher: @escaping @Sendable (SessionEvent) -> Void
    ) throws(JackError) -> SessionLoop? {
        guard let session = first else { return nil }
        first = nil
        session.watch(for: ObjectIdentifier(self), watcher)
        publishServer(session)
        let memory = SessionMemory(isWanted: options.locksMemory, mailbox: mailbox)
        memory.lockNow()
        _ = session.engine.fadeIn(seconds: SessionLoop.fadeSeconds)
        do { try connection.activate(playing: session) } catch {
            let deadline = rt_nanoseconds() + UInt64(options.hangSeconds * 1e9)
            try connection.disconnect(
                isClientFree: true, deadline: deadline, progress: leaving)
            throw error
        }
        return SessionLoop(
            session, connection, memory, options: options, mailbox: mailbox, leaving: leaving)
    }

    private func publishServer(_ session: Session) {
        if let command = server.ownServerCommand {
            session.publish(.serverStarted(command: command))
        }
        if let requested = server.refusedName {
            session.publish(.nameChanged(requested: requested, assigned: server.clientName))
        }
        if let taken = server.takenName {
            session.publish(.nameTaken(requested: taken, assigned: server.clientName))
        }
    }

    // MARK: For tests

    /// Registers and unregisters ports for other signals, before `play`.
    package func follow(_ ports: EnginePorts) throws(JackError) {
        if let first { try connection.follow(ports, of: first) }
    }

    /// Runs one cycle as JACK does, before `play`.
    package func runCycle(frames: Int) { connection.runCycle(frames: frames) }
}

/// The reason why a session cannot begin.
public enum JackSessionError: Error, Sendable, Equatable {
    case jack(JackError)
    case preparation(PreparationError)
    /// The songs' signals do not fit together: a sentence without its full stop.
    case signals(String)

    init(_ error: SessionError) {
        switch error {
        case .preparation(let error): self = .preparation(error)
        case .signals(let message): self = .signals(message)
        }
    }

    /// A sentence without its full stop.
    var message: String {
        switch self {
        case .jack(let error): error.message
        case .preparation(let error): error.message
        case .signals(let message): message
        }
    }
}

extension AudioFormat {
    /// Creates the format of a client's server.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - coreCount: The number of cores that the engine may use.
    init(_ client: JackClient, coreCount: Int) {
        self.init(
            sampleRate: client.sampleRate, maximumBlockFrames: client.blockFrames, isLive: true,
            realtimePriority: client.realtimePriority, coreCount: coreCount)
    }
}
