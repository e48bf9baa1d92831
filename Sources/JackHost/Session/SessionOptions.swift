public import Processing
public import SessionCore

/// The options for the use of JACK by a session.
public struct SessionOptions: Sendable {
    /// Whether the file's connection rules are followed.
    public var makesConnections = true
    /// Whether the ports get readable names and an order as metadata.
    ///
    /// All servers of a user share one metadata store. A program that is killed while it writes
    /// leaves the store locked forever, and all others lose their metadata: turn this off for
    /// programs that are expected to be killed.
    public var writesMetadata = true
    /// The time to play, in seconds from the first audio cycle; `nil` plays until the session is
    /// stopped.
    public var durationSeconds: Double?
    /// The time between two `SessionEvent.status`, in seconds.
    public var statusSeconds = 1.0
    /// Whether all memory of the process is locked if that is allowed.
    public var locksMemory = true
    /// Whether a plugin that repeatedly overruns its period is stopped.
    public var stopsSlowPlugins = true
    /// Whether the session plays songs whose nodes cannot all be prepared, with stand-ins.
    public var isTolerant = false
    /// Whether the program becomes JACK's timebase master; `nil` leaves that to other programs.
    public var timebase: TimebaseWish?
    /// The number of cores that may run nodes, at least 1.
    public var coreCount = 1
    /// Whether more than one core is used only while it pays.
    public var usesCoresAutomatically = true
    /// Receives the state of the session within half a second after each change, and at the end of
    /// the session, on the session's thread; it must return soon.
    public var onSnapshot: (@Sendable (SessionSnapshot) -> Void)?
    /// Called on the session's thread, about four times per second, while the audio thread makes
    /// progress or the session waits for a server; it must return soon.
    public var onProgress: (@Sendable () -> Void)?

    /// Makes the captures of the engines; `nil` without captures.
    public var captures: (any EngineCaptures)?

    /// Returns the oldest unread incident of a node that has been removed; `nil` if there is none.
    ///
    /// It is called on the session's thread, and must return soon.
    public var nextIncident: (@Sendable () -> NodeIncident?)?

    /// Called on the thread that writes metadata before it writes: tests use it to simulate a
    /// locked store.
    package var precedesMetadata: @Sendable () -> Void = {}

    /// The time in seconds that JACK's library may take to leave or join a server before an event
    /// reports it, and before the session gives up at its end.
    package var hangSeconds = 10.0

    /// The options of a plain `stompline run FILE`.
    public init() {}
}

/// Whether the program replaces another timebase master of JACK.
public enum TimebaseWish: String, Sendable, CaseIterable {
    /// The program becomes the timebase master only if no other program is.
    case ifFree = "if-free"
    /// The program becomes the timebase master, and replaces another one.
    case takeOver = "take-over"
}
