/// How a session takes its place in JACK.
public struct SessionOptions: Sendable {
    /// The client's name; nil takes the pipeline's.
    public var clientName: String?
    /// The server's name; nil is the default one.
    public var serverName: String?
    /// Whether the file's connection rules are followed.
    public var makesConnections = true
    /// Whether a server may be started where none runs.
    public var mayStartServer = true
    /// How long to play, in seconds from the first audio cycle; nil plays until stopped.
    public var durationSeconds: Double?
    /// The time between two `SessionEvent.status`, in seconds.
    public var statusSeconds = 1.0
    /// Whether all memory of the process is locked where that is allowed.
    public var locksMemory = true

    /// The options of a plain `stompline run FILE`.
    public init() {}
}
