internal import CRealtime
internal import Glibc

/// Delivers SIGINT, SIGTERM and SIGHUP as function calls on a separate thread.
///
/// It also makes a write to a closed pipe or socket fail instead of ending the program, for example
/// when a server dies.
package enum StopSignals {
    /// Blocks the signals in this thread and all threads that it starts from now on.
    ///
    /// Must be called before any thread starts.
    package static func hold() {
        var signals = stopSignals()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Calls a function for each of these signals, on a thread that lives as long as the process.
    ///
    /// - Returns: Whether the thread could be started.
    package static func forward(to receive: @escaping @Sendable (Int32) -> Void) -> Bool {
        OwnThread.start(name: "signals", { waitForSignals(receive) })
    }

    /// Waits for another signal, on the thread that received the last one.
    ///
    /// - Parameter seconds: The longest time to wait, below 1 s.
    /// - Returns: Whether a signal arrived within that time.
    package static func arrives(withinSeconds seconds: Double) -> Bool {
        var signals = stopSignals()
        var time = timespec()
        time.tv_nsec = Int(seconds * 1e9)
        return sigtimedwait(&signals, nil, &time) > 0
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
