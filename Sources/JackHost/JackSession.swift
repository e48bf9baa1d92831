public import Engine
public import Pipelines
public import Processing

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
    let inputs: [SignalPorts]
    let outputs: [SignalPorts]
    let audioSide: AudioSide
    let notifications: Notifications
    let follower: FormatFollower
    let latencyFrames: Int

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
        let client = server.client
        let format = AudioFormat(
            sampleRate: client.sampleRate, maximumBlockFrames: client.blockFrames, isLive: true)
        do {
            schedule = try Schedule(preparing: pipeline, catalogue: catalogue, format: format)
        } catch { throw .preparation(error) }
        do {
            inputs = try registerPorts(of: pipeline.inputs, client)
            outputs = try registerPorts(of: pipeline.outputs, client)
        } catch { throw .jack(error) }
        latencyFrames = schedule.plan.latencyFrames
        follower = FormatFollower(pipeline, catalogue: catalogue, format: format)
        engine = Engine(playing: schedule, fadingIn: true)
        audioSide = AudioSide(engine.audio, inputs: inputs, outputs: outputs)
        notifications = Notifications(
            mailbox: mailbox,
            latencies: LatencyBook(
                inputs: inputs, outputs: outputs, paths: LatencyPaths(pipeline, schedule.plan)))
    }

    deinit {
        // Before all that its callbacks use goes.
        server.client.close()
    }

    /// What other threads may do with the session.
    public var remote: SessionRemote { SessionRemote(mailbox: mailbox) }

    /// Plays until the session is stopped, its time is over, or the server is lost; then leaves the server.
    ///
    /// - Parameter tell: Called on this thread with all that happens.
    /// - Returns: Why it ended.
    /// - Throws: `JackFault` where the server does not let it play, or does not answer at the end.
    public func play(_ tell: @escaping (SessionEvent) -> Void) throws(JackFault) -> StopReason {
        tellOfServer(tell)
        if options.locksMemory, !lockMemory() { tell(.memoryNotLocked) }
        audioSide.attach(to: server.client)
        notifications.listen(to: server.client)
        _ = engine.fadeIn(seconds: SessionLoop.fadeSeconds)
        do { try server.client.activate() } catch {
            try Departure.leave(self, isClientFree: true)
            throw error
        }
        var loop = SessionLoop(self, tell: tell)
        let reason = loop.run()
        try Departure.leave(self, isClientFree: loop.isClientFree)
        return reason
    }

    private func tellOfServer(_ tell: (SessionEvent) -> Void) {
        if let command = server.ownServerCommand { tell(.serverStarted(command: command)) }
        if let wished = server.refusedName {
            tell(.nameChanged(wished: wished, given: server.client.name))
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
}

private func registerPorts(
    of inputs: [Pipeline.Input], _ client: JackClient
) throws(JackFault) -> [SignalPorts] {
    var signals: [SignalPorts] = []
    for input in inputs { signals.append(try SignalPorts(input, client: client)) }
    return signals
}

private func registerPorts(
    of outputs: [Pipeline.Output], _ client: JackClient
) throws(JackFault) -> [SignalPorts] {
    var signals: [SignalPorts] = []
    for output in outputs { signals.append(try SignalPorts(output, client: client)) }
    return signals
}
