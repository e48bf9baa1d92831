/// How a session takes its place in JACK.
public struct SessionOptions: Sendable {
    /// Whether the file's connection rules are followed.
    public var makesConnections = true
    /// Whether the ports get readable names and an order as metadata.
    ///
    /// All servers of a user share one metadata store, and who is killed while writing leaves it locked for ever, which
    /// costs all others their metadata: it is not for programs that are expected to die.
    public var writesMetadata = true
    /// How long to play, in seconds from the first audio cycle; nil plays until stopped.
    public var durationSeconds: Double?
    /// The time between two `SessionEvent.status`, in seconds.
    public var statusSeconds = 1.0
    /// Whether all memory of the process is locked where that is allowed.
    public var locksMemory = true
    /// Whether a plugin that overruns its period again and again is stopped.
    public var stopsSlowPlugins = true

    /// Called on the metadata's own thread before any is written, by tests that act a store that is locked.
    package var precedesMetadata: @Sendable () -> Void = {}

    /// How long JACK's library may take to leave or join a server until that is told of, and at the end is given up, in seconds.
    package var hangSeconds = 10.0

    /// The options of a plain `stompline run FILE`.
    public init() {}
}
