internal import Pipelines

/// Writes what patchbays show of our ports, and takes it back, without ever holding up the session.
///
/// All servers of a user share one database, and who was killed while writing to it leaves it locked for ever: then our
/// ports have no pretty names, and all else goes on.
struct MetadataClerk {
    /// How long the end of a session waits for the database, in seconds.
    private static let patienceSeconds = 0.1

    private let session: PlayingSession
    private var writing: Errand?

    init(_ session: JackSession) { self.session = PlayingSession(session) }

    /// Begins to describe the ports.
    mutating func begin() {
        writing = Errand { [session] in
            session.session.options.precedesMetadata()
            session.metadata.describe(session.signals, pipeline: session.session.pipeline.name)
        }
    }

    /// Takes back what was described, which a server would keep for ever.
    ///
    /// - Parameter hasServer: Whether there is still one to be told of it.
    /// - Returns: Whether nothing uses the client any more: it must not be closed before.
    func end(hasServer: Bool) -> Bool {
        guard let writing else { return true }
        guard writing.isDone(withinSeconds: Self.patienceSeconds) else { return false }
        guard hasServer else { return true }
        let erasing = Errand { [session] in session.metadata.forget(session.signals) }
        return erasing.isDone(withinSeconds: Self.patienceSeconds)
    }
}

/// Keeps a session and all that JACK's threads use of it alive for an errand.
struct PlayingSession: @unchecked Sendable {
    // SAFETY: an errand only calls libjack's client and port functions, which any thread may call, and reads constants.
    let session: JackSession

    init(_ session: JackSession) { self.session = session }

    var metadata: JackMetadata { JackMetadata(client: session.server.client) }
    var signals: [SignalPorts] { session.inputs + session.outputs }
}
