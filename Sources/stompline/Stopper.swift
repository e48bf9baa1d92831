internal import CRealtime
internal import Glibc
internal import JackHost
internal import Synchronization
internal import Terminal

/// Ends the program at a signal: in order where a session plays, and in any case within a second; only takes that a slow disk
/// has not whole yet may take longer.
final class Stopper: Sendable {
    private struct State {
        var remote: SessionRemote?
        var signal: Int32?
        var hasPlayed = false
    }

    private static let patienceMicroseconds: UInt32 = 950_000
    /// What is saved faster has held up nobody, in ns.
    private static let momentNanoseconds: UInt64 = 10_000_000

    private let state = Mutex(State())
    private let save: @Sendable () -> Void
    private let isSaved = Mutex(false)

    /// - Parameter save: Makes whole what was recorded; called once, before the program ends in whatever way.
    init(saving save: @escaping @Sendable () -> Void) { self.save = save }

    /// Stops the session, or the one that is still to come; where that does not end the program in time, as when the server
    /// hangs, does it by force.
    func receive(_ signal: Int32) {
        let remote = state.withLock { state in
            state.signal = signal
            return state.remote
        }
        remote?.stop(.signal(signal))
        usleep(Self.patienceMicroseconds)
        let culprit = state.withLock(\.hasPlayed) ? "a plugin" : "the JACK server"
        let time = rt_nanoseconds()
        saveOnce()
        // After a slow disk the rest of the program has its time anew.
        if rt_nanoseconds() - time > Self.momentNanoseconds { usleep(Self.patienceMicroseconds) }
        TerminalView.giveBack()
        if isatty(STDERR_FILENO) != 0 { Console.rewrite("") }
        Console.complain("\(culprit) does not answer")
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

    /// Saves what was recorded: nothing plays any more, or a server that hangs holds it.
    func hasPlayed() {
        state.withLock { $0.hasPlayed = true }
        saveOnce()
    }

    /// Who comes second waits for the first.
    private func saveOnce() {
        isSaved.withLock { isSaved in
            if !isSaved { save() }
            isSaved = true
        }
    }
}
