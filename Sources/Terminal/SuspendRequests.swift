internal import Glibc
internal import Synchronization

/// Holds back Ctrl-Z until the terminal is restored.
final class SuspendRequests: Sendable {
    /// Set by the signal handler, which may do nothing else.
    private static let isAsked = Atomic<Bool>(false)

    private let terminal: Int32

    /// Creates the requests of a terminal.
    ///
    /// - Parameter terminal: A descriptor of the terminal.
    init(in terminal: Int32) { self.terminal = terminal }

    /// Listens to SIGTSTP.
    func begin() {
        // If the signal was ignored, as with `nohup`, it remains ignored.
        var action = sigaction()
        guard sigaction(SIGTSTP, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil
        else { return }
        signal(SIGTSTP) { _ in SuspendRequests.isAsked.store(true, ordering: .relaxed) }
    }

    /// Whether the program was asked to stop since the last call.
    var wasRequested: Bool { Self.isAsked.exchange(false, ordering: .relaxed) }

    /// Whether the terminal belongs to this program now, and not to a shell or another job.
    var isForeground: Bool {
        let owner = tcgetpgrp(terminal)
        return owner < 0 || owner == getpgrp()
    }

    /// Stops all threads of the program until SIGCONT.
    func stop() { raise(SIGSTOP) }
}
