public import Engine
public import Pipelines
public import Processing

/// An event in a session, delivered to every watcher.
public enum SessionEvent: Sendable, Equatable {
    // MARK: Values and meters

    /// The value of an address has changed.
    case valueChanged(AddressValue)
    /// A value that a node reports has changed; about 12 events per second and address at most.
    case reportChanged(NodeReport)
    /// The addresses have changed, because another song or an edited file is active.
    case addressesChanged
    /// The list of songs, scenes or inputs has changed.
    case overviewChanged(SessionOverview)
    /// The level of a port since its last level event, in dB; about 12 events per second and port.
    case level(port: String, peak: Double, rms: Double)
    /// The levels of the outputs of nodes since the last such event, if they were requested.
    case nodeLevels([NodeLevel])
    /// The spectrum of a node, if it was requested; about 20 events per second.
    case spectrum(NodeSpectrum)
    /// The mean and worst load of the cycles as shares of the period, and the number of xruns since
    /// the session began.
    case load(mean: Double, worst: Double, xruns: Int)
    /// The pitch that the tuner detects, in Hz; 0 if it detects no pitch.
    case pitch(hertz: Double)
    /// Levels, loads and latencies since the last status.
    case status(SessionStatus)

    // MARK: The course of the session

    /// The first audio cycle has ended.
    case started(SessionStart)
    /// A song of the setlist has begun; the number counts from 1.
    case song(number: Int, name: String)
    /// A song was not played because it cannot play, for the given reason.
    case songSkipped(name: String, reason: String)
    /// All errors that the session tolerates: at its start, and whenever they change. An empty list
    /// means that there are no errors any more.
    case problems([Problem])
    /// A scene was applied.
    case scene(name: String)
    /// Another cue is in effect or next; only songs with cues send it.
    case cue(CueState)
    /// The file of the current song was edited, and the edit is active: its addresses can be used.
    case reloaded(pipeline: String)
    /// A schedule could not be prepared, for a song, an edit or the server's new format. The active
    /// schedule continues to play.
    case preparationFailed(message: String)
    /// A MIDI control was moved and should be bound to the address, in the file at the path.
    case learned(address: String, LearnedTrigger, path: String)
    /// A file should be edited or read; the host carries it out.
    case fileEditRequested(FileEditOrder)
    /// A file was edited, or an edit undone or redone.
    case fileEdited(FileEdit)
    /// A MIDI control requested to save, undo or compare, which is not possible for this reason.
    case fileEditRefused(reason: String)
    /// The files that play have changed, or their contents.
    case filesChanged([SessionFiles.File])
    /// Other edits than before can be undone and redone next.
    case historyChanged(SessionFiles.History)
    /// Other values sound after a comparison.
    case compared(ComparedValues)
    /// Someone wants the last minutes as a box; the host writes it, and states the number with the
    /// result.
    case boxRequested(number: Int)
    /// The last minutes were written as a box at this path, for a reason in words.
    case boxKept(path: String, reason: String)
    /// The last minutes could not be written, for the given reason.
    case boxNotKept(reason: String)
    /// All sound is silenced, and all processors are prepared again.
    case panic
    /// The songs of another session now play, under this client name.
    case switched(clientName: String, pipelineName: String)
    /// The session has ended.
    case ended(SessionSummary)

    // MARK: Nodes

    /// A node produced a NaN or an infinity and was silenced.
    case nonFinite(node: String)
    /// A cycle took longer than its period; this node is the slowest one of the current song.
    case overrun(node: String, Overrun)
    /// A node plays its cheaper variant from now on, because the machine is too slow.
    case reduced(NodeReduction)
    /// A node plays as its file describes it again.
    case restored(NodeReduction)
    /// MIDI messages did not fit into a node's buffers.
    case messagesDropped(node: String, count: Int)
    /// The latency of a node has changed, and with it the latency of the pipeline.
    case latencyChanged(node: String, nodeFrames: Int, latencyFrames: Int)
    /// An incident of a node's plugin, stream or take has begun or ended.
    case incident(node: String, plugin: String, Incident)

    // MARK: The server

    /// No server was running, so the program started one with this command.
    case serverStarted(command: String)
    /// The wanted client name is the name of a server, which the client would make unreachable. The
    /// client has the other name.
    case nameChanged(requested: String, assigned: String)
    /// Another client has the wanted name; this client has the name that the server gave.
    case nameTaken(requested: String, assigned: String)
    /// The server ended or removed this client, for the given reason. The session waits for a
    /// server.
    case serverLost(reason: String)
    /// JACK's library has not answered for ten seconds while the session left or joined a server.
    /// The session continues without output.
    case jackHangs
    /// The server is back, and the session is part of its graph again.
    case serverBack(clientName: String, sampleRate: Double, blockFrames: Int)
    /// Whether the program is JACK's timebase master, if the user asked for it: after a server was
    /// joined, and when another program becomes the master.
    case timebase(TimebaseRole)
    /// The server refused a port that the session needs.
    case portRefused(name: String)
    /// Not all memory could be locked; page faults may delay the callback.
    ///
    /// `unlockedBytes` counts memory in RAM only; `limitBytes` is the limit of the process.
    case memoryNotLocked(lockedBytes: Int, unlockedBytes: Int, limitBytes: Int)
    /// The session should use several cores but uses one, because the threads for the others get no
    /// real-time priority.
    case coresNotUsed
    /// A connection rule is not a valid regular expression.
    case invalidPattern(String)
    /// The server refused to connect two ports.
    case connectionRefused(own: String, other: String)
    /// The connections of the session's ports, soon after the start and whenever they have changed
    /// and the graph has settled. None is sent while there is no server.
    case connections(SessionConnections)
    /// The ports of the server, soon after the start and whenever they have changed.
    case serverPorts([ServerPort])
    /// The xruns that the server has reported since the last event of this kind; at most one event
    /// every five seconds, and one at the end of the session.
    case xruns(XrunReport)
    /// The server's format changed; the pipeline was prepared again.
    case formatChanged(sampleRate: Double, blockFrames: Int, latencyFrames: Int)
    /// The server began or ended freewheeling.
    case freewheel(isOn: Bool)
}
