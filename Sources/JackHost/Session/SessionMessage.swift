internal import Engine
internal import Realtime
internal import SessionCore

/// A message to the session's thread, from JACK's threads, blocking tasks or controllers.
enum SessionMessage: Sendable {
    // MARK: From the server

    case portAppeared(UInt32)
    /// Ports were connected or disconnected somewhere in the graph.
    case connectionsChanged
    /// Ports of other clients have disappeared, or have other names.
    case portsListed
    /// A program has changed JACK's metadata.
    case metadataChanged
    /// The metadata of ports has been read.
    case metadataRead
    case blockFrames(Int)
    case sampleRate(Double)
    case freewheel(Bool)
    /// The server needs the latencies of one direction.
    case latencyAsked(isCapture: Bool)
    /// A missed deadline, with its delay in ms; `nil` if the server does not report it.
    case xrun(milliseconds: Double?)
    case serverLost(reason: String)

    // MARK: From blocking tasks

    /// The client of a server that was lost or left is closed, and sends no more messages.
    case clientClosed
    /// An attempt to join a server has ended; `nil` if no server accepted the client.
    case clientOpened(JackClient?)
    /// New memory has been locked, or could not be.
    case memoryLocked(MemoryLock.Outcome)
    /// The session's own ports have changed.
    case portsChanged
    case portRefused(String)
    /// The threads of the engine's workers got no real-time priority.
    case coresNotUsed
    /// The songs of a session switch are prepared and need another client.
    case switchReady(PreparedSwitch)
    /// The songs of a session switch can be prepared and keep the client.
    case switchAsEdit(SessionSwitch)
    /// The songs of a session switch cannot be prepared, for this reason.
    case switchFailed(SessionSwitch, String)

    // MARK: From controllers

    case request(SessionRequest, RequestOrigin, @Sendable (Answer) -> Void)
    case watch(ObjectIdentifier, (@Sendable (SessionEvent) -> Void)?)
    /// All songs after an edit of their files.
    case follow(SongCollection)
    /// The host has carried out the order with a number; all songs after the edit, if they changed.
    case fileEdited(Int, FileEditResult, SongCollection?)
    /// The files that play, and the history of their edits.
    case files(SessionFiles)
    /// The host has written a box, for a reason in words; the request has this number.
    case boxKept(path: String, reason: String, request: Int?)
    /// The host could not write a box; the request has this number.
    case boxNotKept(reason: String, request: Int?)
    case switchSongs(SessionSwitch)
    case command(Command)
    case use(EnginePorts)
    case stop(StopReason)
}
