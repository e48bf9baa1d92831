internal import Glibc
internal import Threads

/// SIGINT, SIGTERM and SIGHUP as plain calls on a thread of their own, instead of interruptions.
///
/// Also has a write to a closed pipe or socket fail instead of ending the program, as when a server dies.
public enum StopSignals {
    /// Holds the signals back from this thread and all that it starts from now on.
    ///
    /// To be called first of all.
    public static func hold() {
        var signals = stopSignals()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Hands every such signal to a function, on a thread that lives as long as the process.
    ///
    /// - Throws: `JackFault.noThread`.
    public static func forward(to receive: @escaping @Sendable (Int32) -> Void) throws(JackFault) {
        guard OwnThread.start(name: "signals", { waitForSignals(receive) }) else { throw .noThread }
    }
}

private func waitForSignals(_ receive: (Int32) -> Void) -> Never {
    var signals = stopSignals()
    while true {
        var number: Int32 = 0
        if sigwait(&signals, &number) == 0 { receive(number) }
    }
}

private func stopSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    return signals
}
