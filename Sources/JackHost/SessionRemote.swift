public import Engine
public import Show
internal import Threads

/// The end of a session that any thread but the audio thread may use.
public struct SessionRemote: Sendable {
    let mailbox: Mailbox<Letter>

    /// Has a command carried out by the engine.
    public func send(_ command: Command) { mailbox.post(.command(command)) }

    /// Has the session fade out and end.
    public func stop(_ reason: StopReason = .asked) { mailbox.post(.stop(reason)) }

    /// Has edited files followed; they are all songs as they are now.
    public func follow(_ songs: [Song]) { mailbox.post(.edited(songs)) }

    /// Has other songs play under a client's name, which may be the one that there is.
    public func turn(to next: Succession) { mailbox.post(.turn(next)) }

    /// What remote controls use; each of them takes one of its own.
    public func desk() -> any Desk { SessionDesk(mailbox) }

    /// Has the session do what it does when its server is lost, also where that goes on: for tests.
    package func loseServer() { mailbox.post(.serverLost(reason: "")) }

    /// Has the ports brought in line with what the engine has outside.
    package func use(_ outside: Outside) { mailbox.post(.use(outside)) }
}
