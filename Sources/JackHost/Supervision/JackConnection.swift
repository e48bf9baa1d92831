internal import CJack
internal import Engine
internal import Pipelines
internal import Processing
internal import SessionCore
internal import Platform

/// A client in a server's graph, with the objects that its callbacks use, which live until the
/// client is closed.
///
/// The session's thread uses it until the server is left; after that, only the task that closes it
/// does.
final class JackConnection: @unchecked Sendable {
    // SAFETY: only the session's thread uses `ports` and `hasNewPaths`; any thread except the audio
    // thread may use the rest.

    /// The client; the metadata writer uses it as well.
    let client: JackClient
    private let callback: ProcessCallback
    private let notifications: Notifications
    private(set) var ports: RegisteredPorts
    /// Whether the latencies between the ports have changed since JACK calculated its own.
    private var hasNewPaths = false
    /// Kept alive because the callback plays it.
    private let engine: Engine
    private var workers: WorkerThreads?

    /// Creates a connection without ports.
    ///
    /// - Parameters:
    ///   - client: An open client that is not active yet.
    ///   - engine: The engine that the callback plays.
    ///   - mailbox: Receives the server's notifications.
    ///   - paths: The latencies between inputs and outputs.
    ///   - followFreewheel: Called on a thread of the client before the server begins or ends
    ///     freewheeling.
    init(
        _ client: JackClient, _ engine: Engine, mailbox: Mailbox<SessionMessage>,
        paths: LatencyPaths, followFreewheel: @escaping @Sendable (Bool) -> Void
    ) {
        self.client = client
        self.engine = engine
        callback = ProcessCallback(engine.audio, client: client)
        ports = RegisteredPorts(client: client)
        notifications = Notifications(
            of: client, mailbox: mailbox, latencies: LatencyResponder(paths),
            processCallback: callback,
            followFreewheel: followFreewheel)
    }

    deinit { close() }

    /// The end of the first cycle, in ns of the monotonic clock; `nil` before it.
    var firstCycleNanoseconds: UInt64? { callback.firstCycleNanoseconds }

    /// The number of cycles that the client has played.
    var cycleCount: UInt64 { callback.cycleCount }

    /// The format of the cycles as the client sees it; `nil` before the first one.
    var cycleFormat: AudioFormat? {
        guard firstCycleNanoseconds != nil else { return nil }
        return AudioFormat(
            sampleRate: client.sampleRate, maximumBlockFrames: callback.cycleFrames)
    }

    /// The latency from the sound card's input to its output, in frames; only connected ports
    /// count.
    var roundTripFrames: Int { notifications.latencies.roundTripFrames }

    /// Registers, renames and unregisters ports until there is one for each channel of the engine ports.
    ///
    /// `recomputeLatencies` must follow when the ports are announced.
    ///
    /// - Parameters:
    ///   - signals: The engine ports.
    ///   - schedule: The active schedule.
    /// - Returns: The renamed ports, and those that JACK refused.
    func follow(_ signals: EnginePorts, playing schedule: Schedule) -> RegisteredPorts.Changes {
        let changes = ports.follow(signals, callback)
        replacePaths(LatencyPaths(schedule.pipeline, schedule.plan))
        return changes
    }

    /// Uses the latencies of another schedule for JACK's latency callback from now on.
    ///
    /// Most exchanges change no latency, and then JACK asks no client.
    func follow(_ schedule: ActiveSchedule) {
        replacePaths(LatencyPaths(schedule.pipeline, schedule.plan))
        if hasNewPaths { recomputeLatencies() }
    }

    private func replacePaths(_ paths: LatencyPaths) {
        let haveChanged = notifications.latencies.replace(ports, paths)
        hasNewPaths = hasNewPaths || haveChanged
    }

    /// Makes the server ask every client for its latencies.
    func recomputeLatencies() {
        hasNewPaths = false
        client.recomputeLatencies()
    }

    /// Sets the latencies of one direction, outside of JACK's callback.
    func answerLatency(isCapture: Bool) {
        notifications.latencies.answer(isCapture ? JackCaptureLatency : JackPlaybackLatency)
    }

    /// Starts the client's callbacks.
    func activate() throws(JackError) {
        callback.attach(to: client)
        notifications.listen()
        workers = WorkerThreads(engine, client: client)
        try client.activate()
    }

    /// Whether the engine's workers have threads, or the engine has no workers.
    var hasWorkers: Bool { workers?.areRunning ?? true }

    /// Makes the client JACK's timebase master.
    ///
    /// - Parameter takesOver: Whether the client replaces another timebase master.
    /// - Returns: Whether the client is the timebase master now.
    func takeTimebase(takesOver: Bool) -> Bool {
        callback.takeTimebase(client, takesOver: takesOver)
    }

    /// Whether another program has become the timebase master; `true` only once.
    func popTimebaseLoss() -> Bool { callback.popTimebaseLoss() }

    /// Runs one cycle as JACK does; for tests.
    func runCycle(frames: Int) { callback.runCycle(frames: frames) }

    /// Leaves the server.
    ///
    /// A server that hangs may block this call forever.
    ///
    /// - Parameters:
    ///   - hasServer: Whether the server still runs.
    ///   - progress: Notes each step.
    func close(hasServer: Bool = true, progress: LeaveProgress? = nil) {
        client.close(hasServer: hasServer, progress: progress)
        workers = nil
    }

    /// Releases the engine for other threads.
    ///
    /// It waits for a callback that still runs, because one thread at a time plays the engine.
    func releaseEngine() {
        while !callback.stopPlaying() {}
        workers = nil
    }
}
