public import Engine
public import SessionCore
internal import Platform

/// The interface of a running session for its owner, from any thread except the audio thread.
public struct SessionRemote: Sendable {
    private let mailbox: Mailbox<SessionMessage>
    private let progress: LeaveProgress

    init(mailbox: Mailbox<SessionMessage>, progress: LeaveProgress) {
        self.mailbox = mailbox
        self.progress = progress
    }

    /// Sends a command to the engine.
    public func send(_ command: Command) { mailbox.post(.command(command)) }

    /// Makes the session fade out and end.
    public func stop(_ reason: StopReason = .requested) { mailbox.post(.stop(reason)) }

    /// Whether the session is leaving its server and makes progress, or waits for other instances
    /// that do.
    public var isLeaving: Bool { progress.isProgressing }

    /// Whether the session has left its server.
    public var hasLeft: Bool { progress.hasLeft }

    /// Makes the session apply edited files.
    ///
    /// - Parameter collection: All songs after the edit.
    public func follow(_ collection: SongCollection) { mailbox.post(.follow(collection)) }

    /// Reports that a file was edited by order of the session, or why not.
    ///
    /// - Parameters:
    ///   - number: The number of the order.
    ///   - result: The result.
    ///   - songs: All songs after the edit; `nil` if they could not be read or are unchanged.
    public func finishFileEdit(
        _ number: Int, _ result: FileEditResult, songs: SongCollection?
    ) {
        mailbox.post(.fileEdited(number, result, songs))
    }

    /// Announces the files that play, with their tags and the history of their edits.
    public func announce(_ files: SessionFiles) { mailbox.post(.files(files)) }

    /// Announces that a box was written.
    ///
    /// - Parameters:
    ///   - path: The path of the box.
    ///   - reason: The reason for the box, in words.
    ///   - request: The number of the request for it; `nil` if nobody asked.
    public func announceBox(path: String, reason: String, request: Int?) {
        mailbox.post(.boxKept(path: path, reason: reason, request: request))
    }

    /// Announces that a box could not be written.
    ///
    /// - Parameters:
    ///   - reason: The reason, a sentence without its full stop.
    ///   - request: The number of the request for it; `nil` if nobody asked.
    public func announceMissingBox(_ reason: String, request: Int?) {
        mailbox.post(.boxNotKept(reason: reason, request: request))
    }

    /// Starts a switch to other songs under a client name, which may be the current one.
    public func switchSongs(_ request: SessionSwitch) { mailbox.post(.switchSongs(request)) }

    /// Returns a new session control; each controller needs its own.
    ///
    /// - Parameter origin: The origin of its requests; some nodes refuse requests of other
    ///   programs.
    /// - Returns: The control.
    public func control(for origin: RequestOrigin = .here) -> any SessionControl {
        JackSessionControl(mailbox, for: origin)
    }

    /// Treats the server as lost although it runs; for tests.
    package func loseServer() { mailbox.post(.serverLost(reason: "")) }

    /// Registers and unregisters JACK ports for other engine ports; for tests.
    package func use(_ ports: EnginePorts) { mailbox.post(.use(ports)) }
}
