internal import Glibc
internal import JackHost
internal import Synchronization
internal import Terminal

/// Ends the program at a signal: in order where a session plays, and in any case within a second.
final class Stopper: Sendable {
    private struct State {
        var remote: SessionRemote?
        var signal: Int32?
    }

    private static let patienceMicroseconds: UInt32 = 950_000

    private let state = Mutex(State())

    /// Stops the session, or the one that is still to come; where that does not end the program in time, as when the server
    /// hangs, does it by force.
    func receive(_ signal: Int32) {
        let remote = state.withLock { state in
            state.signal = signal
            return state.remote
        }
        remote?.stop(.signal(signal))
        usleep(Self.patienceMicroseconds)
        TerminalView.giveBack()
        if isatty(STDERR_FILENO) != 0 { Console.rewrite("") }
        Console.complain("the JACK server does not answer")
        _exit(ExitStatus.unavailable.rawValue)
    }

    /// Names the session that signals stop; one that has come already stops it now.
    func stops(_ remote: SessionRemote) {
        let signal = state.withLock { state in
            state.remote = remote
            return state.signal
        }
        if let signal { remote.stop(.signal(signal)) }
    }
}
