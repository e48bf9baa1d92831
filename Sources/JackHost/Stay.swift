internal import Engine
internal import Threads

/// Our time in a server: the client, and all that its callbacks use, which lives until it is closed.
///
/// It belongs to the session's thread, and after that to whoever closes it.
final class Stay: @unchecked Sendable {
    // SAFETY: `ports` belongs to the session's thread; all else may be used by any thread but the audio thread.
    let client: JackClient
    let audioSide: AudioSide
    let notifications: Notifications
    private(set) var ports: PortBook
    /// Played by the callback.
    private let engine: Engine

    /// A stay without ports.
    init(
        _ client: JackClient, _ engine: Engine, mailbox: Mailbox<Letter>, paths: LatencyPaths,
        followFreewheel: @escaping @Sendable (Bool) -> Void
    ) {
        self.client = client
        self.engine = engine
        audioSide = AudioSide(engine.audio, client: client)
        ports = PortBook(client: client)
        notifications = Notifications(
            of: client, mailbox: mailbox, latencies: LatencyBook(paths), audioSide: audioSide,
            followFreewheel: followFreewheel)
    }

    deinit { close() }

    /// Brings the ports in line with what there is outside.
    ///
    /// - Returns: What was renamed, and what is missing.
    func use(_ outside: Outside) -> PortBook.Changes { ports.follow(outside, audioSide) }

    /// Has the server call us.
    func begin() throws(JackFault) {
        audioSide.attach(to: client)
        notifications.listen()
        try client.activate()
    }

    /// Leaves the server; it may be held up for ever by one that hangs.
    func close() { client.close() }

    /// Leaves the engine to others.
    ///
    /// It waits for a callback that is still at work: the engine is played by one thread at a time.
    func abandon() { while !audioSide.shut() {} }
}
