internal import Glibc
internal import Synchronization

/// Ctrl-Z: held back until the terminal has been given back.
final class StopRequests: Sendable {
    /// Set by the handler alone, which may do no more.
    private static let isAsked = Atomic<Bool>(false)

    /// Listens to SIGTSTP.
    func begin() {
        // A program that is told not to stop, as by `nohup`, is left so.
        var action = sigaction()
        guard sigaction(SIGTSTP, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil
        else { return }
        signal(SIGTSTP) { _ in StopRequests.isAsked.store(true, ordering: .relaxed) }
    }

    /// Whether the program was asked to stop since the last time.
    var wasAsked: Bool { Self.isAsked.exchange(false, ordering: .relaxed) }

    /// Whether the terminal is this program's at present, and not a shell's or another job's.
    var isForeground: Bool {
        let owner = tcgetpgrp(STDERR_FILENO)
        return owner < 0 || owner == getpgrp()
    }

    /// Stops all threads of the program until SIGCONT, this one before it does anything else.
    func stop() { raise(SIGSTOP) }
}
